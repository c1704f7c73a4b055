#![allow(unused_variables)]

use std::collections::BTreeMap;

use toolwright::tool;

#[derive(serde::Deserialize)]
struct Place;

/// Plan a trip through some places.
#[tool]
fn plan(places: &[Vec<Place>], prices: Option<&Vec<BTreeMap<u8, u8>>>) {}

fn main() {}

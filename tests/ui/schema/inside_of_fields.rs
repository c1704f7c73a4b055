#![allow(dead_code)]

use std::collections::{BTreeMap, HashMap};

use toolwright::ToolInput;

#[derive(serde::Deserialize)]
struct Place;

#[derive(serde::Deserialize, ToolInput)]
struct Trip {
    places: Vec<Option<Place>>,
    numbers: Box<[u128]>,
    prices: HashMap<String, BTreeMap<u32, f64>>,
}

#[derive(serde::Deserialize, ToolInput)]
enum Stop {
    Some(Vec<Place>),
    Named { by: Vec<Place> },
    Both(u8, Option<Place>),
}

#[derive(serde::Deserialize, ToolInput)]
struct Stops(Vec<Place>);

fn main() {}

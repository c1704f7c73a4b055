#![allow(dead_code, unused_variables)]

use std::{collections::BTreeMap, collections::HashMap};
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

#[derive(serde::Deserialize)]
struct Place;

/// Plan a trip through some places.
#[tool]
fn plan(places: &[Vec<Place>], prices: Option<&Vec<BTreeMap<u8, u8>>>) {}

type Number = u128;

/// Add some numbers.
#[tool]
fn add(#[tool(length(1..=3))] numbers: Vec<Option<Number>>) {}

#[derive(serde::Deserialize)]
struct InsideOfAnArgument;

struct Desk;

#[tools]
impl Desk {
    /// Plan a trip through some places.
    #[tool]
    fn plan(&self, places: Vec<Option<InsideOfAnArgument>>) {
        drop(places);
    }
}

#[derive(serde::Deserialize)]
struct InsideOfAField;

/// Plan a trip through some places.
#[derive(serde::Deserialize, Tool)]
struct Plan {
    places: Vec<Option<InsideOfAField>>,
}

impl Execute for Plan {
    type Output = u8;

    async fn execute(self, _: &ToolContext) -> Result<u8, ToolError> {
        Ok(1)
    }
}

#[derive(serde::Deserialize)]
struct InsideOfFields;

#[derive(serde::Deserialize, ToolInput)]
struct Trip {
    places: Vec<Option<InsideOfFields>>,
    numbers: Box<[u128]>,
    prices: HashMap<String, BTreeMap<u32, f64>>,
}

#[derive(serde::Deserialize, ToolInput)]
enum Stop {
    Some(Vec<InsideOfFields>),
    Named { by: Vec<InsideOfFields> },
    Both(u8, Option<InsideOfFields>),
}

#[derive(serde::Deserialize, ToolInput)]
struct Stops(Vec<InsideOfFields>);

fn main() {}

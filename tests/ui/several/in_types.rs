#![allow(unused_variables)]

use serde::Deserialize;
use toolwright::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
struct Tree {
    children: Vec<Tree>,
}

struct City;
struct Weather;

/// Get the current weather for a city.
#[tool]
async fn first(tree: Tree, city: City, cities: Vec<City>) -> Weather {
    Weather
}

/// Get the current weather for a city.
#[tool(description = "short")]
fn second(deep: Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<u8>>>>>>>>>>>) {}

fn main() {}

#![allow(dead_code)]

// rig, autoagents: parameters that are described by attributes.
use toolwright::tool;

/// Get the weather in a city.
#[tool]
async fn get_weather(#[param(description = "City and country")] city: String) -> String {
    city
}

/// Get the weather in a town.
#[tool]
async fn of_a_town(#[arg(description = "The town")] town: String) -> String {
    town
}

/// Get the weather in a village.
#[tool]
async fn of_a_village(#[schemars(description = "The village")] village: String) -> String {
    village
}

/// Get the weather on an island.
#[tool]
async fn of_an_island(#[description = "The island"] island: String) -> String {
    island
}

/// Add two numbers to each other.
#[tool(params(a = "The first", b = "The second"), required(a, b))]
async fn add(a: i32, b: i32) -> i32 {
    a + b
}

fn main() {}

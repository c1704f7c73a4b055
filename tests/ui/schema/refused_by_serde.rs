#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, toolset};

#[derive(Deserialize, ToolInput)]
struct City {
    #[serde(nam = "city")]
    name: String,
}

#[derive(Deserialize, ToolInput)]
struct Country {
    name: String
    code: String,
}

#[derive(Deserialize, ToolInput)]
struct Trip {
    from: City,
    to: Option<Country>,
}

/// Find a city by its name.
#[tool]
fn find(city: City, countries: Vec<Country>) {}

/// Plan a trip from a city.
#[tool]
async fn plan(trip: Trip, city: Option<City>) {}

/// Search the documentation, best first.
#[derive(Deserialize, Tool)]
struct Search {
    #[serde(defautl)]
    city: City,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {
    let _ = toolset![find, plan, Search];
}

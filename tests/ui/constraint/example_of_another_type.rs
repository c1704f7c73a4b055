#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(example = 5)] value: String) {}

#[derive(Deserialize, ToolInput)]
enum Unit {
    Celsius,
    Fahrenheit,
}

#[derive(Deserialize, ToolInput)]
struct Query {
    #[tool(example = "Kelvin")]
    unit: Unit,
}

/// Get the current weather for a city.
#[tool]
fn example_is_no_number(
    #[tool(example = f64::NAN)] latitude: f64,
    #[tool(example = [1.0, f64::INFINITY])] longitudes: Vec<f64>,
    #[tool(example = f32::NEG_INFINITY)] height: f32,
) {
}

/// Get the current weather for a city.
#[tool]
fn number_beyond_the_type(
    #[tool(range(-1e39..=1e39))] latitude: f32,
    #[tool(range(..1e200))] longitude: Option<f32>,
    #[tool(example = 1e40)] height: f32,
    #[tool(example = 0)] offset: std::num::NonZeroI8,
    #[tool(length(2..), example = 'x')] code: String,
) {
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(example = 5)] value: String) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[tool(example = 5)]
    value: String,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

#[derive(serde::Deserialize, ToolInput)]
struct ExampleOfAnotherTypeInAType {
    #[tool(example = 5)]
    value: String,
}

fn main() {}

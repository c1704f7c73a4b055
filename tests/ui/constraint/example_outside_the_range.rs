#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(#[tool(range(1..=5), example = 6)] value: u8) {}

/// Get the current weather for a city.
#[tool]
fn example_too_long(#[tool(length(..=3), example = "Oslo")] value: String) {}

#[derive(serde::Deserialize, ToolInput)]
struct Code(#[tool(length(..=3))] String);

/// Get the current weather for a city.
#[tool]
fn example_does_not_keep_the_newtype(#[tool(example = "long")] code: Code) {}

const SOON: &str = "2026-13-01";

/// Book a table in a restaurant.
#[tool]
fn book_table(
    #[tool(format = "date", example = "tomorrow")] day: String,
    #[tool(format = "date", example = SOON)] until: Option<&str>,
    #[tool(format = "time", example = "10:30")] time: String,
    #[tool(format = "date-time", example = "2026-01-31 10:30:00Z")] made: String,
    #[tool(format = "duration", example = "two hours")] stay: String,
    #[tool(format = "email", example = "ada")] guest: String,
    #[tool(format = "hostname", example = "a_b")] host: String,
    #[tool(format = "ipv4", example = "1.2.3")] from: String,
    #[tool(format = "ipv6", example = ":::")] to: String,
    #[tool(format = "uri", example = "example.com")] page: String,
    #[tool(format = "uuid", example = 'u')] id: String,
    #[tool(example = ["soon"])] days: Vec<Day>,
) {
}

#[derive(serde::Deserialize, toolwright::ToolInput)]
struct Day(#[tool(format = "date")] String);

/// Book a table in a restaurant.
#[tool]
fn example_not_of_the_format_of_the_type(
    #[tool(example = "tomorrow")] day: chrono::NaiveDate,
    #[tool(example = ["7"])] ids: Vec<uuid::Uuid>,
) {
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[tool(range(1..=5), example = 9)] value: u8) {}
}

struct ExampleNotOfTheFormatInAMethod;

#[tools]
impl ExampleNotOfTheFormatInAMethod {
    /// Find products by the day of their arrival.
    #[tool]
    fn find(&self, #[tool(format = "date", example = "tomorrow")] day: String) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[tool(range(1..=5), example = 9)]
    value: u8,
}

impl Execute for Search {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

/// Find products by the day of their arrival.
#[derive(serde::Deserialize, Tool)]
struct Find {
    #[tool(format = "date", example = "tomorrow")]
    day: String,
}

impl Execute for Find {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    #[tool(range(1..=5), example = 9)]
    value: u8,
}

#[derive(serde::Deserialize, ToolInput)]
struct ExampleNotOfTheFormatInAType(#[tool(format = "date", example = "tomorrow")] String);

fn main() {}

#![allow(dead_code, unused_variables)]

use toolwright::{ToolError, tool, tool::Extension};

/// Get the weather in some cities.
#[tool]
fn get_weather(_cities: Vec<Option<Strng>>) {}

/// Get the weather in some cities.
#[tool]
async fn type_not_found_with_a_default(#[tool(default, length(..=9))] _cities: Vec<Strng>) {}

const DAYS: u8 = 3;

/// Get the current weather in a city.
#[tool]
async fn type_not_found_with_a_value(
    #[tool(default = None)] _city: Option<Strng>,
    #[tool(default = "Oslo")] _other: Strnge,
    #[tool(default = DAYS, range(1..=9))] _days: Dys,
) {
}

const TYPE_NOT_FOUND_WITH_CONSTRAINTS: Vec<u8> = Vec::new();

/// Get the current weather in a city.
#[tool]
async fn type_not_found_with_constraints(
    #[tool(default = TYPE_NOT_FOUND_WITH_CONSTRAINTS, length(1..=9))] _days: Vec<Dys>,
    #[tool(default = None, range(1..=9))] _hours: Option<Hrs>,
    #[tool(default = TYPE_NOT_FOUND_WITH_CONSTRAINTS, format = "email")] _users: Vec<Option<Usr>>,
) {
}

/// Get the weather in some cities.
#[tool]
fn type_not_found_of_one_letter(_city: T, _cities: Vec<U>, _first: &V) {}

/// Get the weather in a city.
#[tool]
async fn type_not_found_in_the_context(_city: String, #[context] _db: Extension<std::sync::Arc<Db>>) {}

/// Get the weather in a city.
#[tool]
async fn type_not_found_in_what_is_returned(_city: String) -> Result<Vec<Strng>, ToolError> {
    Ok(vec![])
}

fn main() {}

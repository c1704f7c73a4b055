//! The tools of the behaviours.

use serde::{Deserialize, Serialize};
use toolwright::{ToolError, ToolInput, tool};

use super::Place;

/// Who travels.
#[derive(Debug, Clone, Serialize, Deserialize, ToolInput)]
pub(super) enum Class {
    Economy,
    Business,
}

/// Get the weather in a city as it is now.
#[tool(read_only)]
pub(super) fn get_weather(city: String) -> String {
    format!("4 degrees and rain in {city}")
}

/// Get the time of day.
#[tool(read_only)]
pub(super) fn get_time() -> &'static str {
    "12:34"
}

/// Find the train to a place, for a number of people.
#[tool(read_only)]
pub(super) fn find_train(to: Place, people: u8, class: Class) -> String {
    format!("train 42 to {}, {people} seats, {class:?}", to.city)
}

/// Read the stock of a shop.
#[tool(read_only)]
pub(super) fn read_stock(shop: String) -> Result<String, ToolError> {
    Err(ToolError::not_found(format!("there is no shop {shop}")))
}

/// Read the report of a year.
#[tool(read_only)]
pub(super) fn read_report(year: u16) -> String {
    format!("report of {year}: ") + &"The sales grew. ".repeat(200) + "The total is 4711."
}

/// Run one statement of SQL that only reads.
#[tool(read_only)]
pub(super) fn query(sql: String) -> String {
    format!("3 rows for {sql}")
}

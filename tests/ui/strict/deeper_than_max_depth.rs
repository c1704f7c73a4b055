use serde::Deserialize;
use toolwright::{ToolInput, tool};

#[derive(Deserialize, ToolInput)]
struct Range {
    start: Day,
}

#[derive(Deserialize, ToolInput)]
struct Day {
    number: u8,
}

/// List what is in the calendar.
#[tool(max_depth = 2, strict = "portable")]
fn list_events(limit: u8, range: Range) -> u8 {
    limit + range.start.number
}

fn main() {}

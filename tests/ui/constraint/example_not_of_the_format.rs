#![allow(unused_variables)]

use toolwright::tool;

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

fn main() {}

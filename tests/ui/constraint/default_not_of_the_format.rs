#![allow(unused_variables)]

use toolwright::tool;

const SOON: &str = "soon";

/// Book a table in a restaurant.
#[tool]
fn book_table(
    #[tool(format = "date", default = "tomorrow")] day: &str,
    #[tool(format = "date", default = SOON)] until: &str,
    #[tool(format = "date", default = "tomorrow".to_owned())] from: String,
    #[tool(format = "email", default = Some(String::from("ada")))] guest: Option<String>,
) {
}

fn main() {}

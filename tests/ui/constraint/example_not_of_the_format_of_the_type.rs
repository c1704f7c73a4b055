#![allow(unused_variables)]

use toolwright::tool;

/// Book a table in a restaurant.
#[tool]
fn book_table(
    #[tool(example = "tomorrow")] day: chrono::NaiveDate,
    #[tool(example = ["7"])] ids: Vec<uuid::Uuid>,
) {
}

fn main() {}

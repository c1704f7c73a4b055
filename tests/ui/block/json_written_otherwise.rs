#![allow(dead_code, unused_variables)]

use toolwright::{ToolInput, tool::Json, tools};

#[derive(serde::Serialize, ToolInput)]
struct Weather {
    #[serde(rename(serialize = "celsius"))]
    degrees: f64,
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> Json<Weather> {
        Json(Weather { degrees: 1.0 })
    }
}

fn main() {}

#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    #[serde(flatten)]
    query: String,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

#[derive(Deserialize, ToolInput)]
struct Outer {
    #[serde(flatten)]
    name: String,
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Shape {
    Point,
    Circle { radius: f64 },
}

#[derive(Deserialize, ToolInput)]
struct FlattenOfAnEnum {
    #[serde(flatten)]
    shape: Shape,
}

#[derive(Deserialize, ToolInput)]
struct Place {
    city: String,
}

#[derive(Deserialize, ToolInput)]
struct FlattenOfAnOption {
    #[serde(flatten)]
    place: Option<Place>,
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Length {
    Metres(u32),
}

fn main() {}

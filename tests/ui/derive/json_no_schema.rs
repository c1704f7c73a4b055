#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError, tool::Json};

#[derive(serde::Serialize)]
struct Weather {
    degrees: f64,
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    query: String,
}

impl Execute for Search {
    type Output = Json<Weather>;

    async fn execute(self, _: &ToolContext) -> Result<Json<Weather>, ToolError> {
        Ok(Json(Weather { degrees: 1.0 }))
    }
}

fn main() {}

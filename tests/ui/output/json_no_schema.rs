#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools, tool::Json};

#[derive(serde::Serialize)]
struct Weather {
    degrees: f64,
}

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Result<Json<Weather>, ToolError> {
    Ok(Json(Weather { degrees: 1.5 }))
}

#[derive(ToolInput)]
struct JsonNoSerialize {
    degrees: f64,
}

/// Get the current weather for a city.
#[tool]
async fn json_no_serialize() -> Json<JsonNoSerialize> {
    Json(JsonNoSerialize { degrees: 1.5 })
}

struct Station;

#[derive(serde::Serialize)]
struct JsonNoSchema {
    degrees: f64,
}

#[tools]
impl Station {
    /// Get the current weather for a city.
    #[tool]
    async fn get_weather(&self) -> Json<JsonNoSchema> {
        Json(JsonNoSchema { degrees: 1.5 })
    }
}

#[derive(serde::Serialize)]
struct Weather2 {
    degrees: f64,
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    query: String,
}

impl Execute for Search {
    type Output = Json<Weather2>;

    async fn execute(self, _: &ToolContext) -> Result<Json<Weather2>, ToolError> {
        Ok(Json(Weather2 { degrees: 1.0 }))
    }
}

fn main() {}

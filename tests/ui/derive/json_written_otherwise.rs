#![allow(dead_code)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool::Json};

#[derive(serde::Serialize, ToolInput)]
struct Weather {
    #[serde(skip_serializing)]
    degrees: f64,
}

/// Get the current weather for a city.
#[derive(serde::Deserialize, Tool)]
struct GetWeather {}

impl Execute for GetWeather {
    type Output = Json<Weather>;

    async fn execute(self, _: &ToolContext) -> Result<Json<Weather>, ToolError> {
        Ok(Json(Weather { degrees: 1.5 }))
    }
}

fn main() {}

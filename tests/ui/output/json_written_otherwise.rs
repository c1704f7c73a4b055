#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools, tool::Json};

#[derive(serde::Serialize, ToolInput)]
struct Weather {
    #[serde(rename(serialize = "celsius"))]
    degrees: f64,
}

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Json<Vec<Weather>> {
    Json(Vec::new())
}

#[derive(serde::Serialize, ToolInput)]
struct JsonSkippedAtTimes {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    degrees: Vec<f64>,
}

/// Get the current weather for a city.
#[tool]
async fn json_skipped_at_times() -> Json<Vec<JsonSkippedAtTimes>> {
    Json(Vec::new())
}

#[derive(serde::Serialize, ToolInput)]
#[serde(tag = "type")]
struct JsonTagOfAStruct {
    degrees: f64,
}

/// Get the current weather for a city.
#[tool]
async fn json_tag_of_a_struct() -> Json<Vec<JsonTagOfAStruct>> {
    Json(Vec::new())
}

#[derive(serde::Serialize, ToolInput)]
struct JsonWrittenOtherwise {
    #[serde(rename(serialize = "celsius"))]
    degrees: f64,
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> Json<JsonWrittenOtherwise> {
        Json(JsonWrittenOtherwise { degrees: 1.0 })
    }
}

#[derive(serde::Serialize, ToolInput)]
struct Weather2 {
    #[serde(skip_serializing)]
    degrees: f64,
}

/// Get the current weather for a city.
#[derive(serde::Deserialize, Tool)]
struct GetWeather {}

impl Execute for GetWeather {
    type Output = Json<Weather2>;

    async fn execute(self, _: &ToolContext) -> Result<Json<Weather2>, ToolError> {
        Ok(Json(Weather2 { degrees: 1.5 }))
    }
}

fn main() {}

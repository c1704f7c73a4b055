use toolwright::{ToolInput, tool, tool::Json};

#[derive(serde::Serialize, ToolInput)]
#[serde(tag = "type")]
struct Weather {
    degrees: f64,
}

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Json<Vec<Weather>> {
    Json(Vec::new())
}

fn main() {}

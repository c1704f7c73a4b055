use toolwright::{ToolInput, tool, tool::Json};

#[derive(serde::Serialize, ToolInput)]
struct Weather {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    degrees: Vec<f64>,
}

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Json<Vec<Weather>> {
    Json(Vec::new())
}

fn main() {}

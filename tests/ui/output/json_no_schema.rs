use toolwright::{ToolError, tool, tool::Json};

#[derive(serde::Serialize)]
struct Weather {
    degrees: f64,
}

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Result<Json<Weather>, ToolError> {
    Ok(Json(Weather { degrees: 1.5 }))
}

fn main() {}

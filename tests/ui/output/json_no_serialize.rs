use toolwright::{ToolInput, tool, tool::Json};

#[derive(ToolInput)]
struct Weather {
    degrees: f64,
}

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Json<Weather> {
    Json(Weather { degrees: 1.5 })
}

fn main() {}

use toolwright::{tool::Json, tools};

struct Station;

#[derive(serde::Serialize)]
struct Weather {
    degrees: f64,
}

#[tools]
impl Station {
    /// Get the current weather for a city.
    #[tool]
    async fn get_weather(&self) -> Json<Weather> {
        Json(Weather { degrees: 1.5 })
    }
}

fn main() {}

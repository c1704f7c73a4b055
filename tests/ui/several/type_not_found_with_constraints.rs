use toolwright::tool;

const DAYS: Vec<u8> = Vec::new();

/// Get the current weather in a city.
#[tool]
async fn get_weather(
    #[tool(default = DAYS, length(1..=9))] _days: Vec<Dys>,
    #[tool(default = None, range(1..=9))] _hours: Option<Hrs>,
    #[tool(default = DAYS, format = "email")] _users: Vec<Option<Usr>>,
) {
}

fn main() {}

use toolwright::tool;

const DAYS: u8 = 3;

/// Get the current weather in a city.
#[tool]
async fn get_weather(
    #[tool(default = None)] _city: Option<Strng>,
    #[tool(default = "Oslo")] _other: Strnge,
    #[tool(default = DAYS, range(1..=9))] _days: Dys,
) {
}

fn main() {}

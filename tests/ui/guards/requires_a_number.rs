use toolwright::tool;

const PAYMENTS: u32 = 1;

/// Get the current weather for a city.
#[tool(requires(network, PAYMENTS))]
fn get_weather() {}

fn main() {}

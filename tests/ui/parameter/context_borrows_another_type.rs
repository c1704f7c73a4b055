use toolwright::tool;

struct Db;

/// Get the weather in a city.
#[tool]
fn get_weather(#[context] _db: &Db) {}

fn main() {}

use toolwright::tool;

trait Db {}

/// Get the weather in a city.
#[tool]
fn get_weather(#[context] _db: dyn Db) {}

fn main() {}

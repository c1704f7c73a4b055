use toolwright::{tool, tool::Extension};

struct Db;

/// Get the weather in a city.
#[tool]
fn get_weather(#[context] _db: Extension<Db>) {}

fn main() {}

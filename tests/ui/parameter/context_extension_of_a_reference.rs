use toolwright::{tool, tool::Extension};

struct Db;

/// Get the weather in a city.
#[tool]
async fn get_weather(#[context] _db: Extension<&Db>, #[context] _other: Option<Extension<&str>>) {}

fn main() {}

use toolwright::{tool, tool::Extension};

/// Get the weather in a city.
#[tool]
async fn get_weather(_city: String, #[context] _db: Extension<std::sync::Arc<Db>>) {}

fn main() {}

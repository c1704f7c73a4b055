use futures_util::stream::{self, Stream};
use toolwright::{ToolError, tool};

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> impl Stream<Item = Result<u8, ToolError>> {
    stream::iter([Ok(1)])
}

fn main() {}

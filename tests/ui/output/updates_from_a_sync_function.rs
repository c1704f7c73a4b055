use futures_util::stream::{self, Stream};
use toolwright::{ToolError, tool, tool::Updates};

/// Get the current weather for a city.
#[tool]
fn get_weather() -> Updates<impl Stream<Item = Result<u8, ToolError>>> {
    Updates(stream::iter([Ok(1)]))
}

fn main() {}

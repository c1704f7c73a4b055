use futures_util::stream::{self, Stream};
use toolwright::{tool, tool::Updates};

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Updates<impl Stream<Item = u8>> {
    Updates(stream::iter([1, 2]))
}

fn main() {}

#![allow(dead_code, unused_variables)]

use futures_util::{stream, stream::Stream};
use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools, tool::Updates};

/// Get the current weather for a city.
#[tool]
async fn get_weather() -> Updates<Vec<u8>> {
    Updates(Vec::new())
}

/// Get the current weather for a city.
#[tool]
async fn updates_without_result() -> Updates<impl Stream<Item = u8>> {
    Updates(stream::iter([1, 2]))
}

/// Get the current weather for a city.
#[tool]
fn updates_from_a_sync_function() -> Updates<impl Stream<Item = Result<u8, ToolError>>> {
    Updates(stream::iter([Ok(1)]))
}

/// Get the current weather for a city.
#[tool]
async fn stream_without_updates() -> impl Stream<Item = Result<u8, ToolError>> {
    stream::iter([Ok(1)])
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    async fn find(&self) -> Updates<Vec<u8>> {
        Updates(Vec::new())
    }
}

struct UpdatesFromASyncFunction;

#[tools]
impl UpdatesFromASyncFunction {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> Updates<futures_util::stream::Empty<Result<u8, toolwright::ToolError>>> {
        Updates(futures_util::stream::empty())
    }
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    query: String,
}

impl Execute for Search {
    type Output = Updates<Vec<u8>>;

    async fn execute(self, _: &ToolContext) -> Result<Updates<Vec<u8>>, ToolError> {
        Ok(Updates(Vec::new()))
    }
}

fn main() {}

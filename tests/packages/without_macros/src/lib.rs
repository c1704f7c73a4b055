//! What each macro says where the feature `macros` is off: `errors.txt`, which `.ci/run` compares.

use toolwright::{Tool, ToolInput, Toolset, tool, tools, toolset};

/// Look.
#[tool]
async fn look(#[tool(default)] n: u8, #[context] cx: &toolwright::ToolContext) -> u8 {
    n
}

#[derive(serde::Deserialize, ToolInput)]
struct Place {
    #[tool(range(1..=2))]
    n: u8,
}

/// Say.
#[derive(serde::Deserialize, Tool)]
struct Say {
    n: u8,
}

struct Shop;
#[tools]
impl Shop {
    /// Buy.
    #[tool]
    fn buy(&self, n: u8) -> u8 {
        n
    }
}

pub fn all() -> Toolset {
    toolset![look, Say]
}

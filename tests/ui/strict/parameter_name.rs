#![allow(dead_code, unused_variables)]

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, tool, tools};

/// Set the size of the window.
#[tool(strict = "portable")]
fn resize(width: u32, größe: u32) -> u32 {
    width + größe
}

struct Window;

#[tools]
impl Window {
    /// Set the size of the window.
    #[tool(strict = "anthropic")]
    fn resize(&self, größe: u32) -> u32 {
        größe
    }
}

/// Set the size of the window.
#[derive(Deserialize, Tool)]
#[tool(strict = "portable")]
struct Resize {
    width: u32,
    #[serde(rename = "max-height")]
    height: u32,
}

impl Execute for Resize {
    type Output = u32;

    async fn execute(self, _: &ToolContext) -> Result<u32, ToolError> {
        Ok(self.width + self.height)
    }
}

fn main() {}

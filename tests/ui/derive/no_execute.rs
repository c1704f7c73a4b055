#![allow(dead_code, unused_variables)]

use toolwright::{Execute, Tool, ToolContext, ToolError};

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search { query: String }

macro_rules! declare {
    ($($name:ident)*) => {$(
        /// Get the weather in a city.
        #[derive(serde::Deserialize, Tool)]
        struct $name {}

        impl Execute for $name {
            type Output = ();
            async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
                Ok(())
            }
        }
    )*};
}

declare!(A B C D E F G H I J);

/// Get the weather in a city.
#[derive(serde::Deserialize, Tool)]
struct Weather {}

/// NoExecuteNoDeserialize the documentation, best first.
#[derive(Tool)]
struct NoExecuteNoDeserialize { query: String }

fn main() {}

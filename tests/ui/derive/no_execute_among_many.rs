use toolwright::{Execute, Tool, ToolContext, ToolError};

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

fn main() {}

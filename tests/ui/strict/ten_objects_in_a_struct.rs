use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

macro_rules! level {
    ($name:ident of $part:ty) => {
        #[derive(Deserialize, ToolInput)]
        struct $name {
            #[expect(dead_code)]
            deep: $part,
        }
    };
}

level!(L1 of u8);
level!(L2 of L1);
level!(L3 of L2);
level!(L4 of L3);
level!(L5 of L4);
level!(L6 of L5);
level!(L7 of L6);
level!(L8 of L7);
level!(L9 of L8);

/// Take ten levels, which is one more than is safe.
#[derive(Deserialize, Tool)]
#[tool(strict = "openai")]
struct Dig {
    #[expect(dead_code)]
    deep: L9,
}

impl Execute for Dig {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

macro_rules! ten {
    ($name:ident of $part:ty) => {
        #[derive(Deserialize, ToolInput)]
        #[allow(dead_code)]
        struct $name {
            a: $part,
            b: $part,
            c: $part,
            d: $part,
            e: $part,
            f: $part,
            g: $part,
            h: $part,
            i: $part,
            j: $part,
        }
    };
}

ten!(Ten of u8);
ten!(Hundred of Ten);
ten!(Thousand of Hundred);

ten!(TenThousand of Thousand);

/// Take ten thousand properties and more.
#[derive(Deserialize, Tool)]
#[tool(strict = "openai")]
struct Fill {
    all: TenThousand,
}

impl Execute for Fill {
    type Output = u8;

    async fn execute(self, _: &ToolContext) -> Result<u8, ToolError> {
        Ok(self.all.a.a.a.a)
    }
}

fn main() {}

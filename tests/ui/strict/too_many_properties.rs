use serde::Deserialize;
use toolwright::{ToolInput, tool};

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

/// Take five thousand properties and more.
#[tool(strict = "openai")]
fn fill(first: Vec<Thousand>, second: (Thousand, Thousand, Thousand, Thousand)) -> usize {
    first.len() + usize::from(second.0.a.a.a)
}

/// Take one thousand properties and more, which is enough.
#[tool(strict = "openai")]
fn fill_less(first: Vec<Thousand>) -> usize {
    first.len()
}

fn main() {}

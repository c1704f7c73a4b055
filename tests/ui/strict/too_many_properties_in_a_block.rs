use serde::Deserialize;
use toolwright::{ToolInput, tools};

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

struct Form;

#[tools]
impl Form {
    /// Take ten thousand properties and more.
    #[tool(strict = "openai")]
    fn fill(&self, all: Vec<(Thousand, Hundred, Vec<Thousand>, Thousand, Thousand, Thousand)>) -> usize {
        all.len()
    }
}

fn main() {}

#![allow(dead_code, unused_variables)]

mod too_many_properties {
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
}

mod too_many_properties_in_a_block {
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
}

mod too_many_properties_in_a_struct {
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
}

fn main() {}

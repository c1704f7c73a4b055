#![allow(dead_code, unused_variables)]

mod eleven_levels {
    use serde::Deserialize;
    use toolwright::{ToolInput, tool};

    macro_rules! level {
        ($name:ident of $part:ty) => {
            #[derive(Deserialize, ToolInput)]
            struct $name {
                flat: u8,
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

    level!(L10 of L9);

    /// Take ten levels, which makes eleven.
    #[tool]
    fn dig(flat: u8, deep: L10) {}
}

mod eleven_levels_of_enums {
    use serde::Deserialize;
    use toolwright::{ToolInput, tool};

    macro_rules! level {
        ($name:ident of $part:ty) => {
            #[derive(Deserialize, ToolInput)]
            enum $name {
                Flat,
                Deep { part: $part },
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

    level!(L10 of L9);

    /// Take ten levels, which makes eleven.
    #[tool]
    fn dig(deep: L10) {
        let _ = deep;
    }
}

mod eleven_levels_of_lists {
    use toolwright::tool;

    /// Take lists inside lists.
    #[tool]
    fn dig(deep: Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<u8>>>>>>>>>>>) {}
}

mod too_deep {
    use toolwright::tools;

    struct Shop;

    #[tools]
    impl Shop {
        /// Find products by a word in their name.
        #[tool]
        fn find(&self, words: Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<u8>>>>>>>>>>>) {}
    }
}

mod eleven_levels_in_derive {
    use toolwright::{Execute, Tool, ToolContext, ToolError};

    /// Search the documentation, best first.
    #[derive(serde::Deserialize, Tool)]
    struct Search {
        words: Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<Vec<u8>>>>>>>>>>>,
    }

    impl Execute for Search {
        type Output = String;

        async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
            Ok(String::new())
        }
    }
}

fn main() {}

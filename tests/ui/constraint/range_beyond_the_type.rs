#![allow(dead_code, unused_variables)]

mod range_beyond_the_type {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    fn get_weather(#[tool(range(1..=300))] value: u8) {}
}

mod in_a_macro {
    use toolwright::tool;

    macro_rules! weather {
        ($name:ident, $most:expr) => {
            /// Get the current weather for a city.
            #[tool]
            fn $name(#[tool(range(1..=$most))] days: u8) {}
        };
    }

    weather!(get_weather, 20);

    weather!(get_forecast, 300);
}

mod wider_than_the_newtype {
    use serde::Deserialize;
    use toolwright::ToolInput;

    #[derive(Deserialize, ToolInput)]
    struct Mark(#[tool(range(1..=6))] u8);

    #[derive(Deserialize, ToolInput)]
    struct Query {
        #[tool(range(0..=3))]
        best: Mark,
    }
}

mod range_beyond_the_type_in_a_method {
    use toolwright::tools;

    struct Shop;

    #[tools]
    impl Shop {
        /// Find products by a word in their name.
        #[tool]
        fn find(&self, #[tool(range(1..=300))] value: u8) {}
    }
}

mod range_beyond_the_type_in_a_struct {
    use toolwright::{Execute, Tool, ToolContext, ToolError};

    /// Search the documentation, best first.
    #[derive(serde::Deserialize, Tool)]
    struct Search {
        #[tool(range(1..=300))]
        value: u8,
    }

    impl Execute for Search {
        type Output = ();

        async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
            Ok(())
        }
    }
}

mod range_beyond_the_type_in_a_type {
    use toolwright::ToolInput;

    #[derive(serde::Deserialize, ToolInput)]
    struct Query {
        #[tool(range(1..=300))]
        value: u8,
    }
}

fn main() {}

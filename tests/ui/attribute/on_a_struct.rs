#![allow(dead_code, unused_variables)]

mod on_a_struct {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    struct GetWeather {
        city: String,
    }
}

mod on_a_struct_with_keys {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    struct GetWeather {
        #[tool(default)]
        city: String,
    }
}

mod on_an_enum {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    enum Unit {
        Celsius,
    }
}

mod on_an_impl {
    use toolwright::tool;

    struct Shop;

    #[tool]
    impl Shop {}
}

mod on_a_module {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    mod weather {}
}

mod on_a_trait {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    trait Weather {
        fn get(&self, city: String);
    }
}

mod on_a_constant {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    const WEATHER: u8 = 1;
}

mod on_a_constant_of_an_impl {
    use toolwright::tool;

    struct Shop;

    impl Shop {
        /// Say when the shop is open.
        #[tool]
        const OPEN: u8 = 9;
    }
}

mod on_a_static {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    pub static WEATHER: u8 = 1;
}

mod on_an_extern_block {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    unsafe extern "C" {
        fn get_weather(city: u8);
    }
}

mod on_a_macro_call {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    thread_local! {
        static WEATHER: u8 = 1;
    }
}

mod on_a_declared_macro {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    macro_rules! weather {
        () => {};
    }
}

mod on_an_import {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    use std::time::Duration;
}

mod on_a_type {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    type Weather = u8;
}

mod on_a_constant_in_block {
    use toolwright::tools;

    struct Shop;

    #[tools]
    impl Shop {
        /// Find products by a word in their name.
        #[tool]
        const FIND: u8 = 1;

        /// Find products by a word in their name.
        #[tool]
        fn find(&self) {}
    }
}

mod mark_with_a_value {
    use toolwright::tools;

    struct Shop;

    #[tools]
    impl Shop {
        /// Find products by a word in their name.
        #[tool = "find"]
        fn find(&self) {}
    }
}

mod above_the_derive_by_its_path {
    use toolwright::{Execute, Tool, ToolContext, ToolError};

    /// Search the documentation, best first.
    #[toolwright::tool(name = "search_docs")]
    #[derive(serde::Deserialize, Tool)]
    struct Search { query: String }

    impl Execute for Search {
        type Output = String;

        async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
            Ok(String::new())
        }
    }
}

fn main() {}

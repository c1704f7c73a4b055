#![allow(dead_code, unused_variables)]

mod name_twice {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    fn get_weather(city: String, city: String) {}
}

mod name_twice_by_macro {
    use toolwright::tool;

    macro_rules! make {
        ($name:ident) => {
            /// Get the current weather for a city.
            #[tool]
            fn get_weather($name: String, city: String) {}
        };
    }

    make!(city);
}

mod two_fields_of_one_name {
    use toolwright::{Execute, Tool, ToolContext, ToolError};

    /// Search the documentation, best first.
    #[derive(serde::Deserialize, Tool)]
    struct Search {
        query: String,
        #[serde(rename = "query")]
        other: String,
    }

    impl Execute for Search {
        type Output = String;

        async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
            Ok(String::new())
        }
    }
}

mod two_fields_of_one_name_in_schema {
    use serde::Deserialize;
    use toolwright::ToolInput;

    #[derive(Deserialize, ToolInput)]
    struct Place {
        city: String,
        #[serde(rename = "city")]
        town: String,
    }
}

mod alias_of_another_field {
    use serde::Deserialize;
    use toolwright::ToolInput;

    #[derive(Deserialize, ToolInput)]
    struct Place {
        city: String,
        #[serde(alias = "city")]
        town: String,
    }
}

mod two_fields_of_one_name_in_a_variant {
    use serde::Deserialize;
    use toolwright::ToolInput;

    #[derive(Deserialize, ToolInput)]
    #[serde(rename_all_fields = "lowercase")]
    enum Shape {
        Circle {
            radius: f64,
            #[serde(rename = "radius")]
            width: f64,
        },
    }
}

fn main() {}

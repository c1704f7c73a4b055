#![allow(dead_code, unused_variables)]

mod names_not_found_beside_a_mistake {
    use toolwright::tool;

    /// Get the weather in a city.
    #[tool(nmae = "weather")]
    fn get_weather(city: String) -> String {
        lower_case(city)
    }

    fn forecast(days: Days) -> Weather {
        predict(days)
    }
}

mod names_not_found_beside_a_misplaced_mark {
    use toolwright::tool;

    #[tool]
    struct GetWeather {
        city: City,
    }

    #[tool]
    const DAYS: u8 = count();

    fn forecast(days: Days) -> Weather {
        predict(days)
    }
}

mod names_not_found_beside_a_mistake_of_a_block {
    use toolwright::tools;

    struct Shop;

    #[tools]
    impl Shop {
        /// Count what the shop has of an article.
        #[tool(nmae = "stock")]
        fn in_stock(&self, article: String) -> u32 {
            count(article)
        }
    }

    fn order(article: Article) -> Receipt {
        buy(article)
    }
}

mod names_not_found_beside_a_mistake_of_a_type {
    use toolwright::ToolInput;

    #[derive(serde::Deserialize, ToolInput)]
    struct Days {
        #[tool(rnage(1..=14))]
        count: u8,
    }

    fn forecast(days: Days, city: City) -> Weather {
        predict(days, city)
    }
}

fn main() {}

#![allow(dead_code, unused_variables)]

mod borrowed_mutably {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool]
    fn get_weather(city: &mut String) {}
}

mod borrowed_mutably_out_of_a_macro {
    use toolwright::tool;

    macro_rules! weather {
        ($ty:ty) => {
            /// Get the current weather for a city.
            #[tool]
            fn get_weather(city: $ty) {}
        };
    }

    weather!(&mut str);
}

mod argument_borrowed_mutably {
    use toolwright::tools;

    struct Shop;

    #[tools]
    impl Shop {
        /// Find products by a word in their name.
        #[tool]
        fn find(&self, name: &mut [String]) {}
    }
}

fn main() {}

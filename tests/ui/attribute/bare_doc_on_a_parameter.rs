use toolwright::{tool, tools};

/// Get the current weather for a city.
#[tool]
fn get_weather(#[doc] city: String, #[doc(hidden)] days: u8) -> String {
    city.repeat(days.into())
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, #[doc] word: String) -> String {
        word
    }
}

fn main() {}

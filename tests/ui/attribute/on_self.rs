use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(#[context] &self, word: String) -> String {
        word
    }

    /// Count the products of the shop.
    #[tool]
    fn count(#[tool(default)] &self) {}
}

fn main() {}

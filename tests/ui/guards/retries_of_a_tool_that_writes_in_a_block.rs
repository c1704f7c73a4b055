use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(retries = 2)]
    fn find(&self) {}
}

fn main() {}

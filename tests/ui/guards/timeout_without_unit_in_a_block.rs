use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(timeout = "5")]
    fn find(&self) {}
}

fn main() {}

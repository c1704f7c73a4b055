use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(timeout = "0s")]
    fn find(&self) {}
}

fn main() {}

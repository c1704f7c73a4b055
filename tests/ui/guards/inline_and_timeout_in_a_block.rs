use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(inline, timeout = "5s")]
    fn find(&self) {}
}

fn main() {}

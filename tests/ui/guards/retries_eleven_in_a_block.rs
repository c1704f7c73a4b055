use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(read_only, retries = 11)]
    fn find(&self) {}
}

fn main() {}

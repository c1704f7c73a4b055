use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(destructive, read_only)]
    fn find(&self) {}
}

fn main() {}

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(max_output = 0)]
    fn find(&self) {}
}

fn main() {}

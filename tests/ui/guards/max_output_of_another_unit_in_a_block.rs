use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(max_output = "32KB")]
    fn find(&self) {}
}

fn main() {}

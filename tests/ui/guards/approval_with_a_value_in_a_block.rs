use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(approval = "always")]
    fn find(&self) {}
}

fn main() {}

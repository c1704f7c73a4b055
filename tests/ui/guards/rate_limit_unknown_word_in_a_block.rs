use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(rate_limit("30/min", drop))]
    fn find(&self) {}
}

fn main() {}

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(requires())]
    fn find(&self) {}
}

fn main() {}

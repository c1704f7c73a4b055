use toolwright::tools;

const PAYMENTS: u32 = 1;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(requires(network, PAYMENTS))]
    fn find(&self) {}
}

fn main() {}

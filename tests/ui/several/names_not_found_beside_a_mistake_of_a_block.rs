use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Count what the shop has of an article.
    #[tool(nmae = "stock")]
    fn in_stock(&self, article: String) -> u32 {
        count(article)
    }
}

fn order(article: Article) -> Receipt {
    buy(article)
}

fn main() {}

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool(max_depth = 1)]
    fn find(&self, words: Vec<Vec<String>>) -> usize {
        words.len()
    }
}

fn main() {}

#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    async fn find(&self, word: String) -> String {
        let word = std::rc::Rc::new(word);
        std::future::ready(()).await;
        word.to_string()
    }
}

fn main() {}

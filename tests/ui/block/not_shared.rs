#![allow(unused_variables)]

use toolwright::tools;

struct Shop(std::rc::Rc<str>);

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) -> usize {
        self.0.len()
    }

    /// Find products by a word in their name.
    #[tool]
    async fn search(&self) -> usize {
        self.0.len()
    }
}

fn main() {}

#![allow(dead_code, unused_variables)]

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

struct NotSharedGeneric<D>(D);

#[tools]
impl<D> NotSharedGeneric<D> {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}
}

fn main() {}

#![allow(unused_variables)]

use toolwright::tools;

struct Shop<T>(T);

#[tools]
impl<T: Send + Sync + 'static> Shop<T> {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, words: Vec<T>) {}
}

fn main() {}

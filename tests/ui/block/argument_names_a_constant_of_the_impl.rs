#![allow(unused_variables)]

use toolwright::tools;

struct Shop<const N: usize>;

#[tools]
impl<const N: usize> Shop<N> {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, words: [String; N]) {}
}

fn main() {}

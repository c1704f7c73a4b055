#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, like: Option<Self>) {}
}

struct ArgumentNamesAParameterOfTheImpl<T>(T);

#[tools]
impl<T: Send + Sync + 'static> ArgumentNamesAParameterOfTheImpl<T> {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, words: Vec<T>) {}
}

struct ArgumentNamesAConstantOfTheImpl<const N: usize>;

#[tools]
impl<const N: usize> ArgumentNamesAConstantOfTheImpl<N> {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, words: [String; N]) {}
}

fn main() {}

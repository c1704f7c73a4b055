#![allow(unused_variables)]

use toolwright::tools;

struct Shop<D>(D);

#[tools]
impl<D> Shop<D> {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}
}

fn main() {}

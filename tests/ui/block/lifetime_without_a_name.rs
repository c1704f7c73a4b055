#![allow(dead_code)]

use toolwright::tools;

struct Shop<'a>(&'a str);

#[tools]
impl Shop<'_> {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}
}

fn main() {}

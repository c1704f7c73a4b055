#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop<'a>(&'a str);

#[tools]
impl<'a> Shop<'a> {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}
}

struct LifetimeWithoutAName<'a>(&'a str);

#[tools]
impl LifetimeWithoutAName<'_> {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self) {}
}

fn main() {}

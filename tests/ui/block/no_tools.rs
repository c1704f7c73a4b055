#![allow(unused_variables)]

use toolwright::tools;

pub struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    pub fn find(&self) {}
}

fn main() {}

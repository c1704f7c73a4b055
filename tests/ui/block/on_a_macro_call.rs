#![allow(dead_code, unused_variables)]

use toolwright::tools;

#[tools]
thread_local! {
    static SHOP: u8 = 1;
}

struct Shop;

#[tools]
fn find() {
}

struct OnAStruct;

#[tools]
struct Find {
    word: String,
}

trait OfATrait {
    fn find(&self);
}

struct Shop2;

#[tools]
impl OfATrait for Shop2 {
    /// OfATrait products by a word in their name.
    #[tool]
    fn find(&self) {}
}

fn main() {}

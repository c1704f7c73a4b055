#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
struct Find {
    word: String,
}

fn main() {}

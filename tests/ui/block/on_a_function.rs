#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
fn find() {
}

fn main() {}

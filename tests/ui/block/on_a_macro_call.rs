#![allow(dead_code)]

use toolwright::tools;

#[tools]
thread_local! {
    static SHOP: u8 = 1;
}

fn main() {}

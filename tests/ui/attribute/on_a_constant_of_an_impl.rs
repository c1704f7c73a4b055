#![allow(dead_code)]

use toolwright::tool;

struct Shop;

impl Shop {
    /// Say when the shop is open.
    #[tool]
    const OPEN: u8 = 9;
}

fn main() {}

#![allow(unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    #[tool]
    fn Find(&mut self, _: u8) {}

    /// Short.
    #[tool(nam = "x")]
    fn search(self) {}
}

fn main() {}

use std::collections::HashMap;

use toolwright::tools;

type Inner = HashMap<String, HashMap<String, HashMap<String, u8>>>;

struct Shop;

#[tools]
impl Shop {
    /// Take five maps inside each other, which makes six objects.
    #[tool(strict = "portable")]
    fn dig(&self, deep: HashMap<String, HashMap<String, Inner>>) -> usize {
        deep.len()
    }
}

fn main() {}

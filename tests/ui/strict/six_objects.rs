use std::collections::HashMap;

use toolwright::tool;

type Inner = HashMap<String, HashMap<String, HashMap<String, u8>>>;

/// Take five maps inside each other, which makes six objects.
#[tool(strict = "portable")]
fn dig(flat: u8, deep: Vec<HashMap<String, (u8, Inner)>>) -> usize {
    usize::from(flat) + deep.len()
}

fn main() {}

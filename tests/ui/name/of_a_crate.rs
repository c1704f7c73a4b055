extern crate serde_json;

use toolwright::tool;

/// Say what is JSON.
#[tool]
fn serde_json(text: String) -> String {
    text
}

fn main() {}

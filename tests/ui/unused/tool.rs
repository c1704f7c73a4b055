#![deny(dead_code)]

use toolwright::{tool, toolset};

/// Not used at all by anybody.
#[tool]
async fn unused(n: u8) -> u8 {
    n
}

/// Called as a function only.
#[tool]
fn called(n: u8) -> u8 {
    n
}

/// Offered to a model only.
#[tool]
fn offered(n: u8) -> u8 {
    n
}

fn main() {
    called(1);
    let _ = toolset![offered];
}

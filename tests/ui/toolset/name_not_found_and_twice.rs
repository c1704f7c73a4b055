use toolwright::{tool, toolset};

/// Add two numbers.
#[tool]
fn add(a: u8, b: u8) -> u8 {
    a + b
}

fn main() {
    let _ = toolset![add, gone, add];
}

use toolwright::tool;

/// Set the size of the window.
#[tool(strict = "portable")]
fn resize(width: u32, größe: u32) -> u32 {
    width + größe
}

fn main() {}

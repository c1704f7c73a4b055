use std::path::Path;

use toolwright::ToolInput;

#[derive(ToolInput)]
struct Search {
    place: Option<Path>,
    bytes: [u8],
    words: String,
}

fn main() {}

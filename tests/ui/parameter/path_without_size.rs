use std::path::Path;

use toolwright::tool;

/// Read a file.
#[tool]
fn read_file(path: Path, or: std::path::Path) -> String {
    path.display().to_string()
}

fn main() {}

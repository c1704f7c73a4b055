use std::{collections::HashMap, path::Path};

use toolwright::tool;

/// Read some files.
#[tool]
fn read_files(names: Vec<str>, bytes: Option<[u8]>, paths: &[Path], by_name: HashMap<String, [[u8]]>) -> String {
    String::new()
}

fn main() {}

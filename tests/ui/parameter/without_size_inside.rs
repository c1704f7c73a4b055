#![allow(unused_variables)]

use std::path::Path;

use toolwright::tool;

/// Read some files.
#[tool]
fn read_files(names: Vec<str>) {}

/// Read a file.
#[tool]
fn read_file(path: Path) {}

fn main() {}

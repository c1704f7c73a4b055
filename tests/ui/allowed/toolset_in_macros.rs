//! `toolset!` takes what another macro passes on.

use toolwright::{Toolset, tool, toolset};

/// Add two numbers.
#[tool]
fn add(a: u8, b: u8) -> u8 {
    a.saturating_add(b)
}

macro_rules! by_path {
    ($($tool:path),*) => { toolset![$($tool),*] };
}
macro_rules! by_expression {
    ($($tool:expr),*) => { toolset![$($tool),*] };
}
macro_rules! by_type {
    ($($tool:ty),*) => { toolset![$($tool),*] };
}

fn main() {
    let sets: [Toolset; 3] = [by_path![add], by_expression![add], by_type![crate::add]];
    assert!(sets.iter().all(|set| set.len() == 1));
}

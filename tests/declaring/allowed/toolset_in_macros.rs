//! `toolset!` takes what another macro passes on.

#![allow(unused_qualifications, reason = "a longer path is what is tested")]

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

#[test]
fn takes_what_is_passed_on() {
    let sets: [Toolset; 3] = [
        by_path![add],
        by_expression![add],
        by_type![crate::allowed::toolset_in_macros::add],
    ];
    assert!(sets.iter().all(|set| set.len() == 1));
}

#![no_main]

#[path = "../src/lists.rs"]
mod lists;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lists::check(bytes));

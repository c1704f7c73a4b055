#![no_main]

#[path = "../src/bodies.rs"]
#[allow(dead_code, reason = "each target runs one body")]
mod bodies;

libfuzzer_sys::fuzz_target!(|text: &str| bodies::schema(text));

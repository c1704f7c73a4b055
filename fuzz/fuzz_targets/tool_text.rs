#![no_main]

#[path = "../src/tool_text.rs"]
mod tool_text;

libfuzzer_sys::fuzz_target!(|text: &str| tool_text::any(text));

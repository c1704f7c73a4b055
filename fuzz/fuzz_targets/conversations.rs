#![no_main]

#[path = "../src/codecs.rs"]
#[allow(dead_code, reason = "each target runs one body")]
mod codecs;
#[path = "../src/conversations.rs"]
mod conversations;
#[path = "../src/lists.rs"]
#[allow(dead_code, reason = "each target runs one body")]
mod lists;
#[path = "../src/requests.rs"]
mod requests;

libfuzzer_sys::fuzz_target!(|input: &[u8]| conversations::check(input));

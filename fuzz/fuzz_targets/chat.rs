#![no_main]

#[path = "../src/codecs.rs"]
#[allow(dead_code, reason = "each target runs one body")]
mod codecs;
#[path = "../src/requests.rs"]
mod requests;

libfuzzer_sys::fuzz_target!(|input: &[u8]| codecs::chosen(codecs::codec("openai_chat"), input));

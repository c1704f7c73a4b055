//! Tests of the public surface, in one binary.

mod attempts;
mod bad_input;
mod cancelling;
mod declaring;
mod dialect;
mod dispatch;
mod dynamic;
mod fuzzed;
mod guards;
mod handwritten;
mod leniency;
mod loopback;
mod middleware;
mod mutation;
mod openai_chat;
mod order;
mod output_budget;
mod progress;
mod prompt_lock;
mod redaction;
mod runs;
mod source_errors;
mod stopping;
mod strict;
mod values;
mod way_back;

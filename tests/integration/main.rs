//! Tests of the public surface, in one binary.

mod anthropic;
mod bad_input;
mod cancelling;
mod declaring;
mod dispatch;
mod dynamic;
mod handwritten;
mod loopback;
mod middleware;
mod mutation;
mod openai_chat;
mod output_budget;
mod progress;
mod prompt_lock;
mod redaction;
mod runs;
mod source_errors;
mod strict;
mod values;

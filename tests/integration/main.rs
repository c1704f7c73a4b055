//! Tests of the public surface, in one binary.

mod anthropic;
mod bad_input;
mod cancelling;
mod declaring;
mod dispatch;
mod dynamic;
mod handwritten;
mod loopback;
mod mutation;
mod openai_chat;
mod progress;
mod prompt_lock;
mod runs;
mod strict;
mod values;

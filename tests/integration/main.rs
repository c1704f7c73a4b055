//! Tests of the public surface, in one binary.
#![allow(
    clippy::incompatible_msrv,
    reason = "tests run on the pinned toolchain"
)]

mod admission;
mod allowed;
mod anthropic;
mod asking_again;
mod attempts;
mod bad_input;
mod bounds;
mod broken_off;
mod call_options;
mod cancelling;
mod choosing;
mod clocks;
mod declaring;
mod dialect;
mod dispatch;
mod documentation;
mod dynamic;
mod ending;
mod error_codes;
mod fairness;
mod fuzzed;
mod gemini;
mod guards;
mod guide;
mod handwritten;
mod hostile_server;
mod keys;
mod layers;
mod learning;
mod leniency;
mod lingering;
mod loopback;
mod middleware;
mod model_retries;
mod mutation;
mod no_timer;
mod not_begun;
mod ollama;
mod openai_chat;
mod openai_responses;
mod order;
mod output_budget;
mod own_codec;
mod panicking;
mod panicking_drops;
mod panicking_models;
mod progress;
mod prompt_lock;
mod redaction;
mod runs;
mod sending;
mod served;
mod sharing;
mod source_errors;
mod step_by_step;
mod stopping;
mod strict;
mod time_limits;
mod transcripts;
mod values;
mod way_back;
mod yielding;

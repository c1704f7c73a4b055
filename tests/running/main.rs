//! Runs and batches: the loop, dispatch, limits, emulation, guardrails, codecs in runs, streams.
#![allow(
    clippy::incompatible_msrv,
    reason = "tests run on the pinned toolchain"
)]

mod admission;
mod agents;
mod allowed_tools;
mod anthropic;
mod asking_again;
mod at_once;
mod attempts;
mod bad_input;
mod bounds;
mod broken_off;
mod by_name;
mod call_options;
mod cancelling;
mod choosing;
mod clocks;
mod custom_tools;
mod dialect;
mod dispatch;
mod emulated;
mod ending;
mod error_codes;
mod fairness;
mod falling_back;
mod fuzzed;
mod gemini;
mod guardrails;
mod guards;
mod handing_over;
#[path = "../support/handwritten.rs"]
mod handwritten;
mod hostile_server;
mod keys;
mod learning;
mod lingering;
mod long_conversations;
#[path = "../support/loopback.rs"]
mod loopback;
mod media_answers;
mod message_lists;
mod middleware;
mod model_retries;
#[path = "../support/mutation.rs"]
mod mutation;
mod no_timer;
mod not_begun;
mod ollama;
mod on_demand;
mod openai_chat;
mod openai_responses;
mod order;
mod output_budget;
mod own_codec;
mod panicking;
mod panicking_drops;
mod panicking_models;
mod planning;
mod progress;
mod provider_tools;
mod redaction;
mod response_headers;
mod run_options;
mod runs;
mod sending;
mod served;
mod sharing;
mod source_errors;
mod spent;
mod steering;
mod step_by_step;
mod stopping;
mod streams;
mod strict;
mod time_limits;
mod transcripts;
mod transfers;
mod typed_answers;
mod vendor_windows;
mod yielding;

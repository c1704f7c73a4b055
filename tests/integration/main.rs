//! The public API, end to end, without a network: servers are on the loopback interface.

mod bad_input;
mod loopback;
mod mutation;
mod openai_chat;

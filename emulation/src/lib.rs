//! Tools for models without tool calling, behind [toolwright](https://docs.rs/toolwright): the calls that models
//! write as text.
//!
//! Depend on `toolwright` with its feature `emulation`, which re-exports this crate.
#![allow(
    dead_code,
    unused_imports,
    reason = "the parts of the parser come before it"
)]

mod attempt;
mod balance;
mod declared;
mod engine;
mod formats;
mod item;
mod literal;
mod marker;
mod text_calls;
mod typed;

pub use text_calls::{RefusalReason, RefusedCall, TextCalls, TextEnd, TextPiece};

//! Tools for models without tool calling, behind [toolwright](https://docs.rs/toolwright): the calls that models
//! write as text.
//!
//! Depend on `toolwright` with its feature `emulation`, which re-exports this crate.
//!
//! What a model around another one finds here: [`ToolText::stream`] for responses that are shown as they come, since
//! nothing of a call is in its pieces; [`ToolText::parse`] for a decision that is not shown; [`TextCalls::format`] for
//! the known format of a model; [`RefusedCall`] for a corrective request. Calls carry an id only where the model wrote
//! one. `JSON_BEGIN` and `JSON_END` are markers that a prompt can ask for, and `{"tools": []}` says that none is
//! called.

mod attempt;
mod balance;
mod decision;
mod declared;
mod emulated;
mod engine;
mod formats;
mod ids;
mod item;
mod literal;
mod marker;
mod memory;
mod rules;
#[cfg(test)]
mod tests;
mod text_calls;
mod tool_text;
mod transcript;
mod typed;

pub use emulated::{Emulated, ToolEmulation};
pub use memory::{CallForm, InMemory, ModelFacts, ModelMemory};
pub use rules::TextSource;
pub use text_calls::{RefusalReason, RefusedCall, TextCalls, TextEnd, TextPiece};
pub use tool_text::{TextStream, ToolText};

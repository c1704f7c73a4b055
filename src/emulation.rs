//! Calls of tools that models write as text.

pub use toolwright_emulation::{RefusalReason, RefusedCall, TextCalls, TextEnd, TextPiece};

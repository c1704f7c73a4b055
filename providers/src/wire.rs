//! What providers' formats have in common, below any one of them: framing, assembly of calls that
//! come in pieces, the ids of calls.
//!
//! Use it to write a codec of your own. Nothing here does I/O.

mod call_ids;
mod lines;
mod partial_calls;
mod sendable;
mod sse;

pub(crate) mod alternatives;
pub(crate) mod beside;
pub(crate) mod body_fields;
pub(crate) mod error_body;
pub(crate) mod facts;
pub(crate) mod function_tool;
pub(crate) mod joining;
pub(crate) mod object;
pub(crate) mod pattern;
pub(crate) mod protocol;
pub(crate) mod quirks;
pub(crate) mod reply_reader;
pub(crate) mod sent_tools;
pub(crate) mod spoken;
pub(crate) mod stream_reader;
pub(crate) mod tool_choice;
pub(crate) mod undoing;
pub(crate) mod wait;

pub use call_ids::call_ids;
pub use lines::LineDecoder;
pub use partial_calls::{CallDelta, PartialCalls};
pub use sendable::{sendable_arguments, sendable_name};
pub use sse::{EventTooLong, SseDecoder, SseEvent};
pub use wait::{retry_after, should_retry};

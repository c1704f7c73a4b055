//! Parts that the formats of all providers share: framing, assembly of calls that come in pieces, the ids of
//! calls.
//!
//! Use it to write a codec of your own. Nothing here does I/O.

pub(crate) mod call_ids;
mod lines;
mod partial_calls;
pub(crate) mod retry_after;
mod sendable;
pub(crate) mod sse;

pub use crate::wire::retry_after::{retry_after, should_retry};
pub use call_ids::call_ids;
pub use lines::LineDecoder;
pub use partial_calls::{CallDelta, PartialCalls};
pub use sendable::{sendable_arguments, sendable_name};
pub use sse::{EventTooLong, SseDecoder, SseEvent};

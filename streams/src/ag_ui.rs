//! AG-UI: the events of a run for clients of that protocol.
//!
//! A request of a client is a run of AG-UI. One run of this crate that waits for an approval takes two of them: the first
//! ends with the outcome `interrupt`, and the one with the decision goes on: [`AgUiStream::catch_up`]. [`AgUiRequest`] reads a
//! request: of its messages only the newest of the user is believed, and decisions and answers of the client are checked
//! against the run: [`AgUiClaims::check`].
//!
//! # Versions
//!
//! [`AgUiRequest::stream`] makes the stream that the client of a request reads. Clients of 1.0 name their version in the
//! request. Older ones, such as 0.0.59 in CopilotKit 1.75, refuse the calls that the application answers and a
//! cancelled run in the outcome of `RUN_FINISHED`. They get the `CUSTOM` events `pending_tool_calls` and `cancelled`
//! before it.
//!
//! # Pieces that are void
//!
//! A client adds what comes to what it has, so pieces are taken back by `MESSAGES_SNAPSHOT`: all messages of the
//! conversation without what is void. Its earlier messages have ids of their own there, such as `history-0`, since a
//! projection does not know those that a client has given them. A client puts messages that it does not know behind those
//! that it knows, so a snapshot without the run comes first where it has some of the run. Reasoning that is void stays,
//! as an empty message.
//!
//! # Reconnecting
//!
//! A client that has some of a run would add the same text again. [`AgUiStream::from_snapshot`] begins with a
//! `MESSAGES_SNAPSHOT` of the conversation before the run.
//!
//! # State
//!
//! The state of AG-UI belongs to the application, and a run has none of its own. [`state_snapshot`] and [`state_delta`] make
//! frames for it, which may stand between any others before the end.

mod event;
mod messages;
mod places;
mod projection;
mod request;

#[doc(hidden)]
pub use event::{
    AgUiEvent, AgUiFunction, AgUiInterrupt, AgUiInterruptCall, AgUiMessage, AgUiOutcome,
    AgUiProgress, AgUiToolCall, AgUiUsage,
};
pub use projection::AgUiStream;
pub use request::{AgUiClaims, AgUiRequest, AgUiRequestContent};

use toolwright_json::JsonText;

use crate::Frame;

/// The version of the protocol.
pub const PROTOCOL_VERSION: &str = "1.0";

/// A frame with the whole state of the application.
pub fn state_snapshot(snapshot: JsonText) -> Frame<AgUiEvent> {
    Frame::of(AgUiEvent::StateSnapshot { snapshot })
}

/// A frame with a change of the state of the application: a JSON Patch, which is a list of operations.
pub fn state_delta(delta: JsonText) -> Frame<AgUiEvent> {
    Frame::of(AgUiEvent::StateDelta { delta })
}

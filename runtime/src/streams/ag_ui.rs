//! AG-UI: the events of a run for clients of that protocol.
//!
//! A request of a client is a run of AG-UI. One run of this crate that waits for an approval takes two of them: the first
//! ends with the outcome `interrupt`, and the one with the decision goes on: [`AgUiStream::catch_up`]. An entry of `resume` in
//! the request is about the [waiting](AgUiStream::waiting) call whose [`AgUiStream::interrupt_id`] it has, and about none if
//! there is no such call: refuse it then. Of the messages in a request nothing is to be believed.
//!
//! # Pieces that are void
//!
//! A client adds what comes to what it has, so pieces are taken back by `MESSAGES_SNAPSHOT`: all messages of the
//! conversation without what is void. Its earlier messages have ids of their own there, such as `history-0`, since a
//! projection does not know those that a client has given them. Reasoning that is void stays, as an empty message.
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

pub use event::{
    AgUiEvent, AgUiFunction, AgUiInterrupt, AgUiMessage, AgUiOutcome, AgUiProgress, AgUiToolCall,
    AgUiUsage,
};
pub use projection::AgUiStream;

use toolwright_json::JsonText;

use super::Frame;

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

//! The UI message stream of the AI SDK, for `useChat` and everything else that reads it.
//!
//! # Requests
//!
//! | The client sends | What a server does |
//! | --- | --- |
//! | a new message | starts a run on the conversation, and answers with its frames |
//! | decisions about approvals | gives them to the run that waits, and answers with what follows: [`UiMessageStream::catch_up`] |
//! | `regenerate-message` | starts a run with the same question on the version of the conversation that the run before it had |
//! | a reconnect (`GET`) | answers with all frames of the last run from its first event on, also if it is over; with 204 if there is none |
//!
//! Let the id of the message be the id of the run. The client sends it back to name the run, in a decision and when it
//! regenerates.
//!
//! # Decisions
//!
//! `ai` 7 gets a chunk for each decision. For `ai` 6 there is no such chunk: a call that is approved is asked about
//! once more and comes again with its arguments, so that a page which has not decided itself shows a call that runs,
//! and nothing of a click that came too late. One that is denied is over for the page at once. A page that has decided keeps what it shows:
//! [`UiMessageStream::claimed`]. A message that is loaded has the decisions in both versions:
//! [`UiMessageStream::into_message`].
//!
//! # Pieces that are void
//!
//! A UI message has no way to take back one part. `ai` 7 can take back a step: it gets `reset-step`. For `ai` 6 the
//! parts of the step are closed, `data-void` after them says that they are void, and the response comes again in a new
//! step. A page leaves out the parts of a step that has a `data-void`. After a reconnect, or when the message is loaded
//! again, they are missing. A call of a void reply has the id of the one that comes in its place, and what a client
//! does to one by its id it does to both. A server that does not want such parts at all may cut the connection without
//! its end instead: the client of `useChat` takes that for a network error, and gets the message from its start when it
//! resumes.
//!
//! # What is sent of errors
//!
//! Errors of tools are sent as the model reads them, unless they have a
//! [text for the user](toolwright_core::ToolError::with_user_text). Of a run without a whole answer a
//! [code and a text](toolwright_core::run::UserFailure) are sent, which have no detail of a provider's error. They are the
//! part `data-failure` of the message, so that a page has them after a reload as well. Of warnings the codes are sent,
//! since a warning may quote such an error. [`UiMessageStream::with_error_details`] sends the texts of both errors.

// The page of a type in the reference begins with the `impl` of the module that comes first.
mod message;

mod activity_chunks;
mod assemble;
mod call_chunk;
mod call_places;
mod chunk;
mod client_json;
mod history;
mod partial_json;
mod projection;
pub(super) mod request;

pub use assemble::ChunkOutOfOrder;
pub use chunk::UiMessageChunk;
#[doc(hidden)]
pub use chunk::{LimitData, UiFinishReason, UsageData, UserData, UserPart, VoidData};
pub use history::history;
pub use message::UiMessage;
#[doc(hidden)]
pub use message::{UiApproval, UiPart, UiRole, UiTextState, UiToolPart, UiToolState};
pub use projection::UiMessageStream;
pub use request::{
    ApprovalClaims, ChatRequest, ChatRequestContent, ChatRequestError, ChatRequestLimits,
    NewMessage,
};

/// The headers of a response with this stream.
pub const HEADERS: [(&str, &str); 4] = [
    ("content-type", "text/event-stream"),
    ("cache-control", "no-cache"),
    ("x-vercel-ai-ui-message-stream", "v1"),
    ("x-accel-buffering", "no"),
];

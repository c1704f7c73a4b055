//! Runs as streams for front ends: events in, frames out.
//!
//! Nothing here does I/O, so that a server of any kind can use it. A server gives the
//! [events](toolwright_runtime::RunEvent) of a run to one of three projections, and writes what it gives as
//! [server-sent events](Frame::to_sse):
//!
//! | Projection | Protocol | Versions that were checked |
//! | --- | --- | --- |
//! | [`UiMessageStream`] | the UI message stream of the AI SDK, for `useChat` | `ai` 6.0.326 and 7.0.173 |
//! | [`AgUiStream`] | AG-UI, for its clients | `@ag-ui/core` and `@ag-ui/client` 1.0.0 and 0.0.59 (CopilotKit 1.75) |
//! | [`PlainStream`] | plain server-sent events with ids, for `EventSource` | |
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use toolwright::{ModelResponse, Runner, streams::UiMessageStream, testing::ScriptedModel};
//!
//! let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
//! let mut run = Runner::builder(model).build()?.start("Say hello.");
//!
//! let mut stream = UiMessageStream::new(run.id().as_str());
//! let mut body = String::new();
//! while let Some(event) = run.next().await {
//!     for frame in stream.push(&event) {
//!         body += &frame.to_sse();
//!     }
//! }
//! for frame in stream.end() {
//!     body += &frame.to_sse();
//! }
//! assert!(body.contains(r#"data: {"type":"text-delta","id":"0-0","delta":"Hel"}"#));
//! assert!(body.ends_with("data: [DONE]\n\n"));
//! # Ok(()) }
//! ```
//!
//! # What a client has in the end
//!
//! What a client puts together of the frames is what the conversation has of the run: the same texts, calls and
//! results, in the same order. It is the same whether the frames were made of events as they came, or later of the
//! records of the run, from the first one on. Ids follow from the run and from places in it, so they are the same too.
//!
//! A response may become void after pieces of it were sent: its process died, the request was retried, or the run does
//! not store the response. Each protocol takes pieces back in its own way; its projection describes that.
//!
//! # Reconnecting
//!
//! The first event that a projection needs is the first of the run. A client that reconnects gets the frames of all
//! events from there on, with a new projection; for the plain stream they are left out up to the last id that
//! the client has: [`PlainStream::after`]. Where a client goes on with a run that has waited, the records before are given
//! to [`UiMessageStream::catch_up`], which makes no frames of them.
//!
//! A server that answers with a whole chat has a [`ui_message::UiMessage`] for each run.
//!
//! # What a client sends
//!
//! A client can alter everything that it sends. [`ui_message::ChatRequest`] and [`ag_ui::AgUiRequest`] read only the
//! newest message. Decisions about waiting calls are checked against the run and become
//! [`Resolution`](toolwright_core::run::Resolution)s, for the inbox of the run.

mod answer;
mod claims;
mod failure;
mod frame;
mod ids;
mod links;
mod output;
mod question;
mod reading;
mod transfer;
mod warning;

pub mod ag_ui;
pub mod server_sent;
pub mod ui_message;

pub use ag_ui::AgUiStream;
#[doc(hidden)]
pub use failure::FailureTexts;
pub use frame::Frame;
#[doc(hidden)]
pub use question::QuestionData;
pub use server_sent::PlainStream;
#[doc(hidden)]
pub use transfer::TransferData;
pub use ui_message::UiMessageStream;
#[doc(hidden)]
pub use warning::WarningData;

//! From events to chunks.

mod asking;
mod below;
mod calls;
mod changes;
mod voids;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use toolwright_json::JsonText;

use super::{
    ChunkOutOfOrder, UiMessage,
    chunk::{UiFinishReason, UiMessageChunk},
    client_json::readable,
};
use crate::{
    Frame,
    claims::Waiting,
    failure::FailureTexts,
    ids::{approval_id, tool_call_id},
    reading::{Reading, arguments_of},
};
use toolwright_core::run::{CallId, PendingCall, Resolution, UserFailure};
use toolwright_runtime::RunEvent;
use voids::Voids;

/// A run as a UI message stream of the AI SDK.
///
/// It is one message of the assistant. Each response of the model is a step, with the calls of it and their results.
/// Tools are static (`tool-<name>`), and a call has an id made of the id of the run and its place in the run.
///
/// | Event of the run | Chunks |
/// | --- | --- |
/// | text, reasoning | `text-*`, `reasoning-*` |
/// | a call | `tool-input-start`, `tool-input-delta`, `tool-input-available`, or `tool-input-error` if its arguments are no JSON |
/// | progress, an output so far | `tool-output-available` with `preliminary` |
/// | a result | `tool-output-available`, `tool-output-error`, `tool-output-denied` |
/// | a tool that the provider runs | `tool-input-available`, and `tool-output-available` or `tool-output-error`, with `providerExecuted` |
/// | a citation of the provider | `source-url`; `source-document` for a file without an address |
/// | an approval | `tool-approval-request`; once it is decided `tool-approval-response` to `ai` 7, and to `ai` 6 `tool-approval-request` and `tool-input-available` of an approved call, `tool-output-denied` of a denied one |
/// | a question of a call | `data-question` with the id of the request and its form or address, then as an approval: an approval whose `reason` is the filled form as JSON text answers it, `{}` for an address that was opened |
/// | a call of a sub-agent that waits | the output so far of the call above says which agent waits; a call of its own with `tool-input-available` and `tool-approval-request`, and when its agent has gone on `tool-output-available` with a note |
/// | a message of the user meanwhile | `data-user-message`; `steering-message` to `ai` 7 |
/// | a hand-over to another agent | `data-transfer` |
/// | a request that is made again | `data-retry`, which is transient |
/// | the end | `data-warning`, `data-usage`, `data-answer` of a [typed answer](toolwright_runtime::RunRequest::answer_as), `data-limit-reached`; `finish`, `abort` after a cancel, `error` and `finish` after a failure |
/// | an end without a whole answer | before these `data-failure` with a [code and a text](UserFailure) for the user; the text of `error` is the same |
///
/// An output is the value of a tool that gave one value, the text of one that gave one text, and else a list of
/// `{"type": "text", "text"}`, `{"type": "json", "value"}` and `{"type": "image", "url", "mediaType"}`.
#[doc(alias = "useChat")]
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "two are settings, and two say how far it is"
)]
pub struct UiMessageStream {
    reading: Reading,
    message_id: String,
    version: Version,
    tells_errors: bool,
    failure_texts: FailureTexts,
    is_started: bool,
    is_over: bool,
    voids: Voids,
    /// The arguments of each call, as they were sent last.
    inputs: BTreeMap<CallId, JsonText>,
    /// The message is put together here, which takes what no stream to `ai` 6 may have.
    is_loaded: bool,
    /// The approvals that the client has decided about itself.
    claimed: BTreeSet<String>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Version {
    Six,
    Seven,
}

type Frames = Vec<Frame<UiMessageChunk>>;

impl UiMessageStream {
    /// A stream of one run, as `ai` 6 and 7 accept it.
    pub fn new(message_id: impl Into<String>) -> Self {
        Self {
            reading: Reading::default(),
            message_id: message_id.into(),
            version: Version::Six,
            tells_errors: false,
            failure_texts: FailureTexts::default(),
            is_started: false,
            is_over: false,
            voids: Voids::default(),
            inputs: BTreeMap::new(),
            is_loaded: false,
            claimed: BTreeSet::new(),
        }
    }

    /// Sends what only `ai` 7 accepts as well. A client of `ai` 6 ends such a stream with an error.
    #[must_use = "the stream is changed by value"]
    pub fn for_version_7(mut self) -> Self {
        self.version = Version::Seven;
        self
    }

    /// Sends the text of the error that ended a run, and those of warnings, which may quote errors of a provider. Without it
    /// the text [for the user](UserFailure) is sent, and the codes of warnings.
    #[must_use = "the stream is changed by value"]
    pub fn with_error_details(mut self) -> Self {
        self.tells_errors = true;
        self
    }

    /// Sets the texts that a user reads of failures, in place of those that they [have](UserFailure). The hook
    /// gets each one that is sent.
    #[must_use = "the stream is changed by value"]
    pub fn with_failure_texts(
        mut self,
        hook: impl Fn(&UserFailure) -> String + Send + Sync + 'static,
    ) -> Self {
        self.failure_texts = FailureTexts::new(hook);
        self
    }

    /// The id of the message.
    pub fn message_id(&self) -> &str {
        &self.message_id
    }

    /// The calls that wait for people or for the application, in order.
    pub fn waiting(&self) -> Vec<PendingCall> {
        self.reading.waiting()
    }

    /// The id of a call in this stream: unique in the conversation, other than those of providers.
    pub fn tool_call_id(&self, call: CallId) -> String {
        tool_call_id(&self.reading, call)
    }

    /// Takes an event that the client has already seen, in an earlier stream of the message. Later events continue the
    /// message instead of beginning it.
    ///
    /// Only [records](RunEvent::Recorded) count. Nothing of a response in progress counts as seen, because it is not
    /// known how much a client has: use this for a client whose stream ended because the run waits. Any other client
    /// gets the message from its start.
    pub fn catch_up(&mut self, event: &RunEvent) {
        if !matches!(event, RunEvent::Recorded { .. }) {
            return;
        }
        let mut changes = Vec::new();
        self.reading.read(event, &mut changes);
        self.reading.end_step(&mut changes);
        // A client whose stream has ended decides about all that waits.
        self.claimed
            .extend(self.reading.waiting().iter().map(id_of));
        // Of these only the arguments of calls count.
        for change in changes {
            self.project(change, &mut Vec::new());
        }
    }

    /// Sets the decisions that the client of the stream has sent. They replace the requests in what it [has
    /// seen](Self::catch_up), which stays in its message. Any other approval that a client shows is removed when the
    /// call resumes, where the decision cannot be sent: for `ai` 6, and for calls of sub-agents.
    pub fn claimed(&mut self, resolutions: &[Resolution]) {
        let waiting = self.waiting();
        let is_claimed = |call: &&PendingCall| {
            let mut resolutions = resolutions.iter();
            resolutions.any(|it| it.id() == call.id && *it.run_id() == call.run_id)
        };
        self.claimed = waiting.iter().filter(is_claimed).map(id_of).collect();
    }

    /// Takes the resolutions that are in the inbox of the run, oldest first. The log of a run has no decisions about calls of
    /// sub-agents: without them one that comes too late is taken for one that was sent twice.
    pub fn resolved(&mut self, resolutions: &[Resolution]) {
        self.reading.said_below(resolutions);
    }

    /// The message of a run as a page loads it, from the first event on: `validateUIMessages` of the client takes it. Also to
    /// `ai` 6 it has the decisions. More follows of a run that is under way, in its stream.
    ///
    /// # Errors
    ///
    /// As [`UiMessage::apply`], which the chunks of a stream never cause.
    pub fn into_message(
        mut self,
        events: &[RunEvent],
        is_under_way: bool,
    ) -> Result<UiMessage, ChunkOutOfOrder> {
        self.is_loaded = true;
        let mut message = UiMessage::assistant(&*self.message_id);
        if self.version == Version::Seven {
            message = message.for_version_7();
        }
        for event in events {
            for frame in self.push(event) {
                message.take(&frame)?;
            }
        }
        if !is_under_way {
            for frame in self.end() {
                message.take(&frame)?;
            }
        }
        message.settle_approvals();
        Ok(message)
    }

    /// Takes the next event, and gives the frames to send.
    pub fn push(&mut self, event: &RunEvent) -> Frames {
        let mut changes = Vec::new();
        self.reading.read(event, &mut changes);
        let mut frames = Vec::new();
        self.start(&mut frames);
        for change in changes {
            self.project(change, &mut frames);
        }
        frames
    }

    /// Gives the last frames, when there are no more events: the run is over, or it waits. Nothing comes a second time.
    ///
    /// A run that is neither over nor waits ends with an error, because no process drives it. To let a client
    /// reconnect, end the connection without these frames.
    pub fn end(&mut self) -> Frames {
        let mut frames = Vec::new();
        if self.is_over {
            return frames;
        }
        self.is_over = true;
        self.start(&mut frames);
        if self.reading.finish().is_none() {
            let mut changes = Vec::new();
            self.reading.end_step(&mut changes);
            for change in changes {
                self.project(change, &mut frames);
            }
            let finish_reason = if self.reading.is_waiting() {
                UiFinishReason::ToolCalls
            } else {
                let error_text = self.failure_texts.stopped().message;
                send(&mut frames, UiMessageChunk::Error { error_text });
                UiFinishReason::Error
            };
            send(&mut frames, UiMessageChunk::Finish { finish_reason });
        }
        frames.push(Frame::done());
        frames
    }

    /// The arguments of a call that waits, as they were sent last.
    pub(super) fn input(&self, call: &PendingCall) -> Option<Cow<'_, JsonText>> {
        if call.path.is_empty() {
            return self.inputs.get(&call.id).map(Cow::Borrowed);
        }
        arguments_of(&call.call.arguments)
            .map(readable)
            .map(Cow::Owned)
    }

    /// The calls that wait, by the ids that clients know, for answers of so many bytes at most.
    pub(super) fn waiting_by_id(&self, answer_bytes: usize) -> Waiting {
        Waiting::of(&self.reading, answer_bytes)
    }

    fn start(&mut self, frames: &mut Frames) {
        if !self.is_started {
            self.is_started = true;
            let message_id = self.message_id.clone();
            send(frames, UiMessageChunk::Start { message_id });
        }
    }
}

/// The id of the approval that a call waits for.
fn id_of(call: &PendingCall) -> String {
    approval_id(&call.tool_call_id(), call.asked)
}

fn send(frames: &mut Frames, chunk: UiMessageChunk) {
    frames.push(Frame::of(chunk));
}

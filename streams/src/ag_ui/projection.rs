//! From events of a run to those of AG-UI.

mod below;
mod changes;
mod ends;

use std::collections::BTreeSet;

use toolwright_json::JsonText;

use super::{PROTOCOL_VERSION, event::AgUiEvent, messages::Messages};
use crate::{Frame, claims::Waiting, failure::FailureTexts, ids::approval_id, reading::Reading};
use toolwright_core::run::{CallId, PendingCall, Resolution, UserFailure};
use toolwright_runtime::RunEvent;

/// A run as events of AG-UI.
///
/// Each response of the model is a step and one message of the assistant, with the calls of it. A result is a message
/// of its own. Warnings, limits, retries and hand-overs are `CUSTOM` events, the progress of calls is an
/// `ACTIVITY_SNAPSHOT` for each call.
#[derive(Debug)]
pub struct AgUiStream {
    reading: Reading,
    thread_id: String,
    run_id: String,
    parent_run_id: Option<String>,
    tells_errors: bool,
    failure_texts: FailureTexts,
    sends_snapshot: bool,
    version: Version,
    stage: Stage,
    messages: Messages,
    /// The calls whose arguments are being sent.
    open: BTreeSet<CallId>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Version {
    /// What clients from before 1.0 accept, and those of 1.0 as well.
    Zero,
    One,
}

/// How much of the stream was given.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    Begins,
    Started,
    Over,
}

type Frames = Vec<Frame<AgUiEvent>>;

impl AgUiStream {
    /// A stream of one run, for a request of a client with these ids. Clients of AG-UI 0.0.59 and of 1.0 accept it.
    /// [`AgUiRequest::stream`](super::AgUiRequest::stream) makes the one for a request.
    pub fn new(thread_id: impl Into<String>, run_id: impl Into<String>) -> Self {
        Self {
            reading: Reading::default(),
            thread_id: thread_id.into(),
            run_id: run_id.into(),
            parent_run_id: None,
            tells_errors: false,
            failure_texts: FailureTexts::default(),
            sends_snapshot: false,
            version: Version::Zero,
            stage: Stage::Begins,
            messages: Messages::default(),
            open: BTreeSet::new(),
        }
    }

    /// Sends what only clients of AG-UI 1.0 accept as well: the outcome of a cancelled run, and the calls that the
    /// application answers. Other clients end such a stream with an error.
    #[must_use = "the stream is changed by value"]
    pub fn for_version_1(mut self) -> Self {
        self.version = Version::One;
        self
    }

    /// Sets the id of the request that this one continues.
    #[must_use = "the stream is changed by value"]
    pub fn with_parent(mut self, parent_run_id: impl Into<String>) -> Self {
        self.parent_run_id = Some(parent_run_id.into());
        self
    }

    /// Begins with the messages before what is sent, for a client that may have some of the run.
    #[must_use = "the stream is changed by value"]
    pub fn from_snapshot(mut self) -> Self {
        self.sends_snapshot = true;
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

    /// The calls that wait for people or for the application, in order.
    pub fn waiting(&self) -> Vec<PendingCall> {
        self.reading.waiting()
    }

    /// The id with which a client answers about a call that waits for an approval.
    pub fn interrupt_id(&self, call: &PendingCall) -> String {
        approval_id(&call.tool_call_id(), call.asked)
    }

    /// The calls that wait, by the ids that clients know, for answers of so many bytes at most.
    pub(super) fn waiting_by_id(&self, answer_bytes: usize) -> Waiting {
        Waiting::of(&self.reading, answer_bytes)
    }

    /// Takes the resolutions that are in the inbox of the run, oldest first. The log of a run has no decisions about calls of
    /// sub-agents: without them one that comes too late is taken for one that was sent twice.
    pub fn resolved(&mut self, resolutions: &[Resolution]) {
        self.reading.said_below(resolutions);
    }

    /// Takes an event that the client has already seen, in the stream of an earlier request.
    ///
    /// Only [records](RunEvent::Recorded) count: how much a client has of a response in progress is not
    /// known.
    pub fn catch_up(&mut self, event: &RunEvent) {
        if !matches!(event, RunEvent::Recorded { .. }) {
            return;
        }
        self.read(event, &mut Frames::new());
        let mut changes = Vec::new();
        self.reading.end_step(&mut changes);
    }

    /// Takes the next event, and gives the frames to send.
    pub fn push(&mut self, event: &RunEvent) -> Frames {
        let mut frames = Frames::new();
        if self.reading.run_id().is_some() {
            self.start(&mut frames);
        }
        self.read(event, &mut frames);
        // The first record says what was before.
        self.start(&mut frames);
        frames
    }

    /// Gives the last frames, when there are no more events: the run is over, or it waits. Nothing comes a second time.
    ///
    /// A run that is neither over nor waits ends with an error, because no process drives it. To let a client
    /// reconnect, end the connection without these frames.
    pub fn end(&mut self) -> Frames {
        let mut frames = Frames::new();
        if self.stage == Stage::Over || self.reading.finish().is_some() {
            return frames;
        }
        self.start(&mut frames);
        self.stage = Stage::Over;
        let mut changes = Vec::new();
        self.reading.end_step(&mut changes);
        for change in changes {
            self.project(change, &mut frames);
        }
        if self.reading.is_waiting() {
            let outcome = self.outcome_of(&self.reading.waiting());
            self.finish(outcome, Vec::new(), &mut frames);
        } else {
            let UserFailure { message, code, .. } = self.failure_texts.stopped();
            send(&mut frames, AgUiEvent::RunError { message, code });
        }
        frames
    }

    fn start(&mut self, frames: &mut Frames) {
        if self.stage != Stage::Begins {
            return;
        }
        self.stage = Stage::Started;
        send(
            frames,
            AgUiEvent::RunStarted {
                thread_id: self.thread_id.clone(),
                run_id: self.run_id.clone(),
                protocol_version: PROTOCOL_VERSION,
                parent_run_id: self.parent_run_id.clone(),
            },
        );
        if self.sends_snapshot {
            let messages = self.messages.all();
            send(frames, AgUiEvent::MessagesSnapshot { messages });
        }
    }

    fn read(&mut self, event: &RunEvent, frames: &mut Frames) {
        let mut changes = Vec::new();
        let is_first = self.reading.run_id().is_none();
        self.reading.read(event, &mut changes);
        if is_first && let Some(run) = self.reading.run() {
            self.messages = Messages::before(run);
        }
        for change in changes {
            self.messages.follow(&change, &self.reading);
            self.project(change, frames);
        }
    }
}

fn step_name(step: u32) -> String {
    format!("step-{step}")
}

fn custom(frames: &mut Frames, name: &'static str, value: &impl serde::Serialize) {
    if let Ok(value) = JsonText::of(value) {
        send(frames, AgUiEvent::Custom { name, value });
    }
}

fn send(frames: &mut Frames, event: AgUiEvent) {
    frames.push(Frame::of(event));
}

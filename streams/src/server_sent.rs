//! Plain server-sent events, with ids to go on from.
//!
//! Each event has a name, a JSON object as its data, whose `type` is the name again, and some have an id:
//!
//! ```text
//! event: text
//! data: {"type":"text","step":0,"part":0,"text":"It rains."}
//!
//! event: reply
//! id: 1
//! data: {"type":"reply","step":0}
//! ```
//!
//! | Event | Data |
//! | --- | --- |
//! | `start` | `run_id` |
//! | `text`, `reasoning` | `step`, `part`, `text`: what follows |
//! | `file` | `url`, `media_type` |
//! | `provider_tool` | `step`, `tool`: its `kind`, `id`, `input`, `output`, `sources`, `is_over`, `failed` |
//! | `citation` | `step`, `citation`: its `source` with `url` and `title`, `range`, `quote` |
//! | `tool_call_start` | `call`, `name` |
//! | `tool_call_delta` | `call`, `text`: what follows of the arguments |
//! | `tool_call` | `call`, `name`, `arguments` |
//! | `progress` | `call`, `data`: the progress, or the output so far |
//! | `approval_request` | `call`, `approval`; `question` with `message`, and `form` or `url`, if the call has one |
//! | `approval_decision` | `call`, `approval`, `approved` |
//! | `tool_result` | `call`, `output` or `error` |
//! | `reply` | `step`: what came of it is whole |
//! | `reset` | `step`: what came of it is void |
//! | `user_message` | `text` |
//! | `transfer` | `call`, `from`, `to`: the names of the agents |
//! | `recorded` | nothing |
//! | `done` | `reason` (`finish`, `max_turns_reached`, `limit_reached`, `stopped`, `cancelled`, `refused`, `truncated`, `empty`, `waiting`), `finish`, `usage`, `answer` of a typed answer, and `failure` with `code` and `message` if there is no whole answer |
//! | `error` | `code`, `message` |
//!
//! The `call` of a call of a [sub-agent](toolwright_runtime::SubAgent) that waits is its place below the run, such as
//! `0.1 > 0.0`. Its result says only that its agent went on.
//!
//! # Reconnecting
//!
//! An id is the place of a record in the log of the run. It comes with the last event that a record makes, so a client
//! that has it has all of the record. Text and pieces of calls come before there is a record of them, and without an
//! id: they are void if no `reply` of their step follows. A client that reconnects sends the last id that it has (an
//! `EventSource` does so by itself, as `Last-Event-ID`), takes back what came after it, and gets what follows:
//! [`PlainStream::after`].

mod event;

#[doc(hidden)]
pub use event::{DoneReason, PlainEvent};

use toolwright_json::JsonText;

use crate::{
    Frame,
    failure::FailureTexts,
    ids::approval_id,
    output::{of_output, of_text, of_update, told_to},
    question::QuestionData,
    reading::{Change, End, Kind, Reading, arguments_of},
};
use toolwright_core::{
    message::{ProviderActivity, text_of},
    run::{Finish, Limit, PendingCall, UserFailure},
    tool::Decision,
};
use toolwright_runtime::RunEvent;

/// A run as plain server-sent events. The [module](self) describes them.
#[derive(Debug, Default)]
pub struct PlainStream {
    reading: Reading,
    after: Option<u64>,
    tells_errors: bool,
    failure_texts: FailureTexts,
    is_over: bool,
}

type Frames = Vec<Frame<PlainEvent>>;

impl PlainStream {
    /// A stream of one run.
    pub fn new() -> Self {
        Self::default()
    }

    /// Leaves out what a client has that read this id last; nothing if it has none. The events of the run are still given
    /// from the first one on, since the frames after an id depend on what was before:
    /// [`Runner::attach`](toolwright_runtime::Runner::attach) with `None`, whatever id the client has. A reader that begins later gives
    /// records that do not follow, and of these there are no frames.
    ///
    /// Of a client that has the id of the last record there is nothing to be sent. An `EventSource` would reconnect
    /// again and again, until it gets the status 204.
    #[must_use = "the stream is changed by value"]
    pub fn after(mut self, last_event_id: Option<u64>) -> Self {
        self.after = last_event_id;
        self
    }

    /// Sends the text of the error that ended a run. Without it the text [for the user](UserFailure) is sent.
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

    /// Takes the next event, and gives the frames to send.
    pub fn push(&mut self, event: &RunEvent) -> Frames {
        let mut changes = Vec::new();
        let before = self.reading.last();
        self.reading.read(event, &mut changes);
        let is_known = match event {
            RunEvent::Recorded { sequence, .. } => Some(*sequence) <= self.after,
            _ => before < self.after,
        };
        let mut frames = Frames::new();
        // An id of a record that was not read, since it comes again or does not follow, would have the client go on from
        // a place that it has not come to.
        let is_read = match event {
            RunEvent::Recorded { sequence, .. } => {
                before != self.reading.last() && self.reading.last() == Some(*sequence)
            }
            _ => true,
        };
        if is_known || !is_read {
            return frames;
        }
        if before.is_none()
            && let Some(run) = self.reading.run_id()
        {
            let run_id = run.as_str().to_owned();
            send(&mut frames, PlainEvent::Start { run_id });
        }
        for change in changes {
            if let Change::BelowAsked(call) = &change {
                send(&mut frames, asked_below(call));
            }
            if let Some(event) = self.event(change) {
                send(&mut frames, event);
            }
        }
        if let RunEvent::Recorded { sequence, .. } = event {
            if frames.is_empty() {
                send(&mut frames, PlainEvent::Recorded);
            }
            if let Some(last) = frames.last_mut() {
                last.id = Some(*sequence);
            }
        }
        frames
    }

    /// Gives the last frames, when there are no more events: the run is over, or it waits. Nothing comes a second time.
    ///
    /// A run that is neither over nor waits ends with an error, because no process drives it. To let a client
    /// reconnect, end the connection without these frames.
    pub fn end(&mut self) -> Frames {
        let mut frames = Frames::new();
        if !std::mem::replace(&mut self.is_over, true) && self.reading.finish().is_none() {
            let event = if self.reading.is_waiting() {
                PlainEvent::Done {
                    reason: DoneReason::Waiting,
                    finish: None,
                    usage: None,
                    answer: None,
                    failure: None,
                }
            } else {
                let UserFailure { code, message, .. } = self.failure_texts.stopped();
                PlainEvent::Error { code, message }
            };
            send(&mut frames, event);
        }
        frames
    }

    fn event(&self, change: Change) -> Option<PlainEvent> {
        let event = match change {
            Change::Delta(place, kind, text) => {
                let (step, part) = (place.step, place.part);
                match kind {
                    Kind::Text => PlainEvent::Text { step, part, text },
                    Kind::Reasoning => PlainEvent::Reasoning { step, part, text },
                }
            }
            Change::File { url, media_type } => PlainEvent::File { url, media_type },
            Change::Activity { place, activity } => return activity_event(place.step, *activity),
            Change::CallOpened { call, name, .. } => PlainEvent::ToolCallStart {
                call: call.to_string(),
                name,
            },
            Change::CallDelta { call, text } => PlainEvent::ToolCallDelta {
                call: call.to_string(),
                text,
            },
            Change::CallKnown {
                call,
                name,
                arguments,
                ..
            } => PlainEvent::ToolCall {
                call: call.to_string(),
                name,
                arguments,
            },
            Change::CallUnreadable {
                call,
                name,
                arguments,
                ..
            } => PlainEvent::ToolCall {
                call: call.to_string(),
                name,
                arguments: JsonText::of(&arguments).ok()?,
            },
            Change::Void { step, .. } => PlainEvent::Reset { step },
            Change::Kept(step) => PlainEvent::Reply { step },
            Change::Said { message, .. } => PlainEvent::UserMessage {
                text: text_of(&message.parts),
            },
            Change::ApprovalAsked {
                call,
                asked,
                question,
            } => approval_request(call.to_string(), asked, question),
            Change::Decided {
                call,
                asked,
                decision,
            } => PlainEvent::ApprovalDecision {
                approval: approval_id(&call.to_string(), asked),
                call: call.to_string(),
                approved: !matches!(decision, Decision::Deny { .. }),
            },
            // The call itself is sent before.
            Change::BelowAsked(call) if call.awaits_decision() => {
                let question = call.question.as_ref().map(QuestionData::from);
                approval_request(call.place(), call.asked, question)
            }
            Change::BelowOver(call) => PlainEvent::ToolResult {
                call: call.place(),
                output: Some(of_text(&told_to(&call))),
                error: None,
            },
            Change::Update { call, update } => PlainEvent::Progress {
                call: call.to_string(),
                data: of_update(&update),
            },
            Change::CallFinished { call, result, .. } => {
                let (output, error) = match &result.outcome {
                    Ok(output) => (Some(of_output(output)), None),
                    Err(error) => (None, Some(error.to_user_text())),
                };
                PlainEvent::ToolResult {
                    call: call.to_string(),
                    output,
                    error,
                }
            }
            Change::Transferred { call, data } => PlainEvent::Transfer {
                call: call.to_string(),
                from: data.from,
                to: data.to,
            },
            Change::Finished(end) => self.finished(*end),
            Change::StepStarted(_)
            | Change::StepEnded(_)
            | Change::Opened(..)
            | Change::Closed(..)
            | Change::BelowAsked(_)
            | Change::Retried(_) => return None,
        };
        Some(event)
    }

    fn finished(&self, end: End) -> PlainEvent {
        let (finish, shown) = (end.finish, end.failure);
        let shown = shown.map(|shown| self.failure_texts.apply(shown));
        let reason = match &finish {
            Finish::Answered => DoneReason::Finish,
            Finish::Limit {
                limit: Limit::Rounds { .. },
                ..
            } => DoneReason::MaxTurnsReached,
            Finish::Limit { .. } => DoneReason::LimitReached,
            Finish::Suspended => DoneReason::Waiting,
            Finish::Cancelled => DoneReason::Cancelled,
            Finish::Refused | Finish::Filtered | Finish::InputRefused => DoneReason::Refused,
            Finish::Truncated => DoneReason::Truncated,
            Finish::Empty => DoneReason::Empty,
            Finish::Failed(failure) => {
                let mut shown = shown.unwrap_or_else(|| self.failure_texts.stopped());
                if self.tells_errors {
                    shown.message = failure.to_string();
                }
                let UserFailure { code, message, .. } = shown;
                return PlainEvent::Error { code, message };
            }
            // Also `Finish::Stopped`.
            _ => DoneReason::Stopped,
        };
        PlainEvent::Done {
            reason,
            finish: Some(finish),
            usage: Some(end.usage),
            answer: end.answer,
            failure: shown,
        }
    }
}

fn approval_request(call: String, asked: u32, question: Option<QuestionData>) -> PlainEvent {
    PlainEvent::ApprovalRequest {
        approval: approval_id(&call, asked),
        call,
        question,
    }
}

/// A call of a run below that waits. Its id is its place below the run.
fn asked_below(call: &PendingCall) -> PlainEvent {
    let arguments = &call.call.arguments;
    PlainEvent::ToolCall {
        call: call.place(),
        name: call.call.name.clone(),
        arguments: arguments_of(arguments).unwrap_or_else(|| of_text(arguments)),
    }
}

fn send(frames: &mut Frames, event: PlainEvent) {
    frames.push(Frame {
        event: Some(event.name()),
        ..Frame::of(event)
    });
}

fn activity_event(step: u32, activity: ProviderActivity) -> Option<PlainEvent> {
    match activity {
        ProviderActivity::Tool(tool) => Some(PlainEvent::ProviderTool { step, tool }),
        ProviderActivity::Citation(citation) => Some(PlainEvent::Citation { step, citation }),
        _ => None,
    }
}

//! From events of a run to those of AG-UI.

use std::collections::BTreeSet;

use toolwright_json::JsonText;

use super::{
    PROTOCOL_VERSION,
    event::{AgUiEvent, AgUiInterrupt, AgUiOutcome, AgUiProgress, AgUiUsage},
    messages::Messages,
    places::{message_id, reasoning_id, result_id, said_id},
};
use crate::{
    RunEvent,
    message::text_of,
    model::Usage,
    run::{CallId, Finish},
    streams::{
        Frame,
        ids::{approval_id, tool_call_id},
        output::of_update,
        reading::{Change, Kind, PlaceInRun, Reading, WaitingCall},
    },
};

/// A run as events of AG-UI.
///
/// Each reply of the model is a step and one message of the assistant, with the calls of it. A result is a message of its
/// own. Warnings, limits and retries are `CUSTOM` events, the progress of calls is an `ACTIVITY_SNAPSHOT` for each call.
#[derive(Debug)]
pub struct AgUiStream {
    reading: Reading,
    thread_id: String,
    run_id: String,
    parent_run_id: Option<String>,
    tells_errors: bool,
    sends_snapshot: bool,
    stage: Stage,
    messages: Messages,
    /// The calls whose arguments are being sent.
    open: BTreeSet<CallId>,
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
    /// A stream of one run, for a request of a client with these ids.
    pub fn new(thread_id: impl Into<String>, run_id: impl Into<String>) -> Self {
        Self {
            reading: Reading::default(),
            thread_id: thread_id.into(),
            run_id: run_id.into(),
            parent_run_id: None,
            tells_errors: false,
            sends_snapshot: false,
            stage: Stage::Begins,
            messages: Messages::default(),
            open: BTreeSet::new(),
        }
    }

    /// Names the request that this one goes on from.
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

    /// Sends the text of the error that ended a run. Without it a fixed sentence is sent.
    #[must_use = "the stream is changed by value"]
    pub fn with_error_details(mut self) -> Self {
        self.tells_errors = true;
        self
    }

    /// The calls that wait for people or for the application, in order.
    pub fn waiting(&self) -> Vec<WaitingCall> {
        self.reading.waiting()
    }

    /// The id with which a client answers about a call that waits for an approval.
    pub fn interrupt_id(&self, call: &WaitingCall) -> String {
        approval_id(&tool_call_id(&self.reading, call.id), call.asked)
    }

    /// Takes an event that the client has already seen, in the stream of an earlier request.
    pub fn catch_up(&mut self, event: &RunEvent) {
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
    /// A run that is neither over nor waits ends with an error: nobody drives it. To let a client reconnect, end the
    /// connection without these frames.
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
        let waiting = self.reading.waiting();
        if waiting.is_empty() {
            let message = "The run stopped before its end.".to_owned();
            let code = "stopped";
            send(&mut frames, AgUiEvent::RunError { message, code });
        } else {
            let outcome = self.outcome_of(&waiting);
            self.finish(outcome, Vec::new(), &mut frames);
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

    fn project(&mut self, change: Change, frames: &mut Frames) {
        use AgUiEvent as Event;
        let id = |call: CallId| tool_call_id(&self.reading, call);
        match change {
            Change::StepStarted(step) => {
                let step_name = step_name(step);
                send(frames, Event::StepStarted { step_name });
            }
            Change::StepEnded(step) => {
                let step_name = step_name(step);
                send(frames, Event::StepFinished { step_name });
            }
            Change::Opened(place, kind) => self.opened(place, kind, frames),
            Change::Delta(place, kind, delta) => {
                let message_id = self.text_id(place, kind);
                send(
                    frames,
                    match kind {
                        Kind::Text => Event::TextMessageContent { message_id, delta },
                        Kind::Reasoning => Event::ReasoningMessageContent { message_id, delta },
                    },
                );
            }
            Change::Closed(place, kind) => self.closed(place, kind, frames),
            Change::CallOpened { step, call, name } => {
                let event = Event::ToolCallStart {
                    tool_call_id: id(call),
                    tool_call_name: name,
                    parent_message_id: message_id(&self.reading, step),
                };
                self.open.insert(call);
                send(frames, event);
            }
            Change::CallDelta { call, text } => {
                let (tool_call_id, delta) = (id(call), text);
                send(
                    frames,
                    Event::ToolCallArgs {
                        tool_call_id,
                        delta,
                    },
                );
            }
            Change::Kept(_) => self.close_calls(frames),
            Change::Void { .. } => {
                self.close_calls(frames);
                let messages = self.messages.all();
                send(frames, Event::MessagesSnapshot { messages });
            }
            Change::Said { number, message } => {
                let message_id = said_id(&self.reading, number);
                let start = Event::TextMessageStart {
                    message_id: message_id.clone(),
                    role: "user",
                };
                send(frames, start);
                let content = Event::TextMessageContent {
                    message_id: message_id.clone(),
                    delta: text_of(&message.parts),
                };
                send(frames, content);
                send(frames, Event::TextMessageEnd { message_id });
            }
            Change::Update { call, update } => send(
                frames,
                Event::ActivitySnapshot {
                    message_id: format!("{}:progress", id(call)),
                    activity_type: "tool_progress",
                    content: AgUiProgress {
                        tool_call_id: id(call),
                        data: of_update(&update),
                    },
                    replace: true,
                },
            ),
            Change::CallFinished { call, result, .. } => send(
                frames,
                Event::ToolCallResult {
                    message_id: result_id(&id(call)),
                    tool_call_id: id(call),
                    content: result.to_model_text().into_owned(),
                    role: "tool",
                },
            ),
            Change::Retried(step) => custom(frames, "retry", &step),
            Change::Finished {
                finish,
                usage,
                warnings,
            } => {
                for warning in &warnings {
                    custom(frames, "warning", warning);
                }
                self.finished(&finish, &usage, frames);
            }
            // Arguments that somebody has changed, images of the model and decisions have no event.
            Change::CallKnown { .. }
            | Change::CallUnreadable { .. }
            | Change::Image { .. }
            | Change::ApprovalAsked { .. }
            | Change::Decided { .. } => {}
        }
    }

    fn opened(&self, place: PlaceInRun, kind: Kind, frames: &mut Frames) {
        let message_id = self.text_id(place, kind);
        match kind {
            Kind::Text => {
                let role = "assistant";
                send(frames, AgUiEvent::TextMessageStart { message_id, role });
            }
            Kind::Reasoning => {
                let id = message_id.clone();
                send(frames, AgUiEvent::ReasoningStart { message_id: id });
                let role = "reasoning";
                send(
                    frames,
                    AgUiEvent::ReasoningMessageStart { message_id, role },
                );
            }
        }
    }

    fn closed(&self, place: PlaceInRun, kind: Kind, frames: &mut Frames) {
        let message_id = self.text_id(place, kind);
        match kind {
            Kind::Text => send(frames, AgUiEvent::TextMessageEnd { message_id }),
            Kind::Reasoning => {
                let id = message_id.clone();
                send(frames, AgUiEvent::ReasoningMessageEnd { message_id: id });
                send(frames, AgUiEvent::ReasoningEnd { message_id });
            }
        }
    }

    fn close_calls(&mut self, frames: &mut Frames) {
        for call in std::mem::take(&mut self.open) {
            let tool_call_id = tool_call_id(&self.reading, call);
            send(frames, AgUiEvent::ToolCallEnd { tool_call_id });
        }
    }

    /// Texts of one reply are one message. Each reasoning is its own.
    fn text_id(&self, place: PlaceInRun, kind: Kind) -> String {
        match kind {
            Kind::Text => message_id(&self.reading, place.step),
            Kind::Reasoning => reasoning_id(&self.reading, place),
        }
    }

    fn finished(&self, finish: &Finish, usage: &Usage, frames: &mut Frames) {
        let outcome = match finish {
            Finish::Cancelled => AgUiOutcome::Cancelled,
            Finish::Failed(failure) => {
                let message = if self.tells_errors {
                    failure.to_string()
                } else {
                    "The run failed.".to_owned()
                };
                let code = "failed";
                return send(frames, AgUiEvent::RunError { message, code });
            }
            Finish::Limit { limit, .. } => {
                custom(frames, "limit_reached", limit);
                success()
            }
            _ => success(),
        };
        let usage = AgUiUsage {
            input_tokens: usage.sent_tokens(),
            output_tokens: usage.output_tokens,
            reasoning_tokens: usage.reasoning_tokens,
            cached_input_tokens: usage.cached_input_tokens,
        };
        self.finish(outcome, vec![usage], frames);
    }

    fn finish(&self, outcome: AgUiOutcome, usage: Vec<AgUiUsage>, frames: &mut Frames) {
        send(
            frames,
            AgUiEvent::RunFinished {
                thread_id: self.thread_id.clone(),
                run_id: self.run_id.clone(),
                outcome,
                usage,
            },
        );
    }

    /// The outcome of a run that waits: for approvals, or for the application alone.
    fn outcome_of(&self, waiting: &[WaitingCall]) -> AgUiOutcome {
        let interrupts: Vec<_> = waiting
            .iter()
            .filter(|call| call.is_approval)
            .map(|call| AgUiInterrupt {
                id: self.interrupt_id(call),
                reason: "tool_call",
                message: format!("The call of `{}` waits for an approval.", call.call.name),
                tool_call_id: tool_call_id(&self.reading, call.id),
                response_schema: response_schema(),
            })
            .collect();
        if interrupts.is_empty() {
            let id = |call: &WaitingCall| tool_call_id(&self.reading, call.id);
            return AgUiOutcome::Success {
                pending_tool_call_ids: waiting.iter().map(id).collect(),
            };
        }
        AgUiOutcome::Interrupt { interrupts }
    }
}

fn success() -> AgUiOutcome {
    let pending_tool_call_ids = Vec::new();
    AgUiOutcome::Success {
        pending_tool_call_ids,
    }
}

/// The schema of a decision.
fn response_schema() -> JsonText {
    JsonText::new(
        r#"{"type":"object","properties":{"approved":{"type":"boolean"},"reason":{"type":"string"}},"required":["approved"]}"#,
    )
    .unwrap_or_else(|_| unreachable!("it is JSON"))
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

//! From events to chunks.

use std::collections::BTreeMap;

use toolwright_json::JsonText;

use super::{
    call_chunk::outcome,
    chunk::{LimitData, UiFinishReason, UiMessageChunk, UsageData, UserData, VoidData, of_user},
    client_json::readable,
};
use crate::{
    RunEvent,
    run::{CallId, Finish},
    streams::{
        Frame,
        ids::{approval_id, tool_call_id},
        output::of_update,
        reading::{Change, Kind, PlaceInRun, Reading, WaitingCall},
    },
    tool::Decision,
};

/// A run as a UI message stream of the AI SDK.
///
/// It is one message of the assistant. Each reply of the model is a step, with the calls of it and their results. Tools
/// are static (`tool-<name>`), and a call has an id made of the id of the run and its place in the run.
///
/// | Event of the run | Chunks |
/// | --- | --- |
/// | text, reasoning | `text-*`, `reasoning-*` |
/// | a call | `tool-input-start`, `tool-input-delta`, `tool-input-available`, or `tool-input-error` if its arguments are no JSON |
/// | progress, an output so far | `tool-output-available` with `preliminary` |
/// | a result | `tool-output-available`, `tool-output-error`, `tool-output-denied` |
/// | an approval | `tool-approval-request`; to `ai` 7 also `tool-approval-response` |
/// | a message of the user meanwhile | `data-user-message`; `steering-message` to `ai` 7 |
/// | a request that is made again | `data-retry`, which is transient |
/// | the end | `data-warning`, `data-usage`, `data-limit-reached`; `finish`, `abort` after a cancel, `error` and `finish` after a failure |
///
/// An output is the value of a tool that gave one value, the text of one that gave one text, and else a list of
/// `{"type": "text", "text"}`, `{"type": "json", "value"}` and `{"type": "image", "url", "mediaType"}`.
#[derive(Debug)]
pub struct UiMessageStream {
    reading: Reading,
    message_id: String,
    version: Version,
    tells_errors: bool,
    is_started: bool,
    is_over: bool,
    /// The number of parts that were said to be void.
    voids: u32,
    /// The arguments of each call, as they were sent last.
    inputs: BTreeMap<CallId, JsonText>,
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
            is_started: false,
            is_over: false,
            voids: 0,
            inputs: BTreeMap::new(),
        }
    }

    /// Sends what only `ai` 7 accepts as well. A client of `ai` 6 ends such a stream with an error.
    #[must_use = "the stream is changed by value"]
    pub fn for_version_7(mut self) -> Self {
        self.version = Version::Seven;
        self
    }

    /// Sends the text of the error that ended a run. Without it a fixed sentence is sent.
    #[must_use = "the stream is changed by value"]
    pub fn with_error_details(mut self) -> Self {
        self.tells_errors = true;
        self
    }

    /// The id of the message.
    pub fn message_id(&self) -> &str {
        &self.message_id
    }

    /// The calls that wait for people or for the application, in order.
    pub fn waiting(&self) -> Vec<WaitingCall> {
        self.reading.waiting()
    }

    /// The id of a call in this stream: unique in the conversation, other than those of providers.
    pub fn tool_call_id(&self, call: CallId) -> String {
        tool_call_id(&self.reading, call)
    }

    /// Takes an event that the client has already seen, in an earlier stream of the message. What follows goes on with the
    /// message instead of beginning it.
    pub fn catch_up(&mut self, event: &RunEvent) {
        let mut changes = Vec::new();
        self.reading.read(event, &mut changes);
        self.reading.end_step(&mut changes);
        // Of these only the arguments of calls count.
        for change in changes {
            self.project(change, &mut Vec::new());
        }
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
    /// A run that is neither over nor waits ends with an error: nobody drives it. To let a client reconnect, end the
    /// connection without these frames.
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
                let error_text = "The run stopped before its end.".to_owned();
                send(&mut frames, UiMessageChunk::Error { error_text });
                UiFinishReason::Error
            };
            send(&mut frames, UiMessageChunk::Finish { finish_reason });
        }
        frames.push(Frame::done());
        frames
    }

    /// The arguments of a call that were sent last.
    pub(super) fn input(&self, call: CallId) -> Option<&JsonText> {
        self.inputs.get(&call)
    }

    /// The decision about an approval of this run, if there was one: true for an approval.
    pub(super) fn decided(&self, approval: &str) -> Option<bool> {
        let of = |(call, asked): (CallId, u32)| approval_id(&self.tool_call_id(call), asked);
        let mut decided = self.reading.decisions().iter();
        let found = decided.find(|(request, _)| of(**request) == approval);
        found.map(|(_, approved)| *approved)
    }

    fn start(&mut self, frames: &mut Frames) {
        if !self.is_started {
            self.is_started = true;
            let message_id = self.message_id.clone();
            send(frames, UiMessageChunk::Start { message_id });
        }
    }

    fn project(&mut self, change: Change, frames: &mut Frames) {
        use UiMessageChunk as Chunk;
        match change {
            Change::StepStarted(_) => send(frames, Chunk::StartStep),
            Change::StepEnded(_) => send(frames, Chunk::FinishStep),
            Change::Opened(place, kind) => send(frames, opened(id_of(place), kind)),
            Change::Delta(place, kind, delta) => send(frames, more(id_of(place), kind, delta)),
            Change::Closed(place, kind) => send(frames, closed(id_of(place), kind)),
            Change::Image {
                address,
                media_type,
            } => send(
                frames,
                Chunk::File {
                    url: address,
                    media_type: media_type.unwrap_or_else(|| "image/*".to_owned()),
                },
            ),
            Change::Void { step, calls } => self.void(step, calls, frames),
            Change::Said { number, message } => {
                let (id, parts) = (format!("said-{number}"), of_user(&message));
                let chunk = match self.version {
                    Version::Six => Chunk::DataUserMessage {
                        id,
                        data: UserData { parts },
                    },
                    Version::Seven => Chunk::SteeringMessage { id, parts },
                };
                send(frames, chunk);
            }
            Change::Retried(step) => {
                let (data, transient) = (VoidData { step }, true);
                send(frames, Chunk::DataRetry { data, transient });
            }
            Change::Finished {
                finish,
                usage,
                warnings,
            } => {
                for (number, data) in warnings.into_iter().enumerate() {
                    let id = format!("warning-{number}");
                    send(frames, Chunk::DataWarning { id, data });
                }
                let (id, data) = ("usage".to_owned(), UsageData::from(&usage));
                send(frames, Chunk::DataUsage { id, data });
                self.finish(&finish, frames);
            }
            // The client knows both by the chunks before.
            Change::Kept(_) => {}
            change => self.project_call(change, frames),
        }
    }

    fn project_call(&mut self, change: Change, frames: &mut Frames) {
        use UiMessageChunk as Chunk;
        let reading = &self.reading;
        let id = |call: CallId| tool_call_id(reading, call);
        match change {
            Change::CallOpened { call, name, .. } => send(
                frames,
                Chunk::ToolInputStart {
                    tool_call_id: id(call),
                    tool_name: name,
                },
            ),
            Change::CallDelta { call, text } => send(
                frames,
                Chunk::ToolInputDelta {
                    tool_call_id: id(call),
                    input_text_delta: text,
                },
            ),
            Change::CallKnown {
                call,
                name,
                arguments,
                ..
            } => {
                let input = readable(arguments);
                let chunk = Chunk::ToolInputAvailable {
                    tool_call_id: id(call),
                    tool_name: name,
                    input: input.clone(),
                };
                self.inputs.insert(call, input);
                send(frames, chunk);
            }
            Change::CallUnreadable {
                call,
                name,
                arguments,
                error,
            } => send(
                frames,
                Chunk::ToolInputError {
                    tool_call_id: id(call),
                    tool_name: name,
                    input: arguments,
                    error_text: error,
                },
            ),
            Change::ApprovalAsked { call, asked } => send(
                frames,
                Chunk::ToolApprovalRequest {
                    approval_id: approval_id(&id(call), asked),
                    tool_call_id: id(call),
                },
            ),
            Change::Decided {
                call,
                asked,
                decision,
            } if self.version == Version::Seven => send(
                frames,
                Chunk::ToolApprovalResponse {
                    approval_id: approval_id(&id(call), asked),
                    approved: !matches!(decision, Decision::Deny { .. }),
                    reason: match decision {
                        Decision::Deny { reason } if !reason.is_empty() => Some(reason),
                        _ => None,
                    },
                },
            ),
            Change::Update { call, update } => send(
                frames,
                Chunk::ToolOutputAvailable {
                    tool_call_id: id(call),
                    output: readable(of_update(&update)),
                    preliminary: Some(true),
                },
            ),
            Change::CallFinished {
                call,
                result,
                is_denied,
            } => {
                send(frames, outcome(id(call), &result, is_denied));
            }
            _ => {}
        }
    }

    /// Says that what the step has shown is void.
    fn void(&mut self, step: u32, calls: Vec<(CallId, String)>, frames: &mut Frames) {
        use UiMessageChunk as Chunk;
        if self.version == Version::Seven {
            return send(frames, Chunk::ResetStep);
        }
        for (call, tool_name) in calls {
            send(
                frames,
                Chunk::ToolInputError {
                    tool_call_id: self.tool_call_id(call),
                    tool_name,
                    input: String::new(),
                    error_text: "the reply with this call broke off, and the call is void"
                        .to_owned(),
                },
            );
        }
        let id = format!("void-{}", self.voids);
        self.voids += 1;
        let data = VoidData { step };
        send(frames, Chunk::DataVoid { id, data });
        send(frames, Chunk::FinishStep);
        send(frames, Chunk::StartStep);
    }

    fn finish(&self, finish: &Finish, frames: &mut Frames) {
        use UiMessageChunk as Chunk;
        let finish_reason = match finish {
            Finish::Answered => UiFinishReason::Stop,
            Finish::Truncated => UiFinishReason::Length,
            Finish::Refused | Finish::Filtered => UiFinishReason::ContentFilter,
            Finish::Suspended => UiFinishReason::ToolCalls,
            Finish::Stopped(_) | Finish::Empty => UiFinishReason::Other,
            Finish::Limit { limit, summarized } => {
                let data = LimitData {
                    limit: *limit,
                    message: limit.to_string(),
                    summarized: *summarized,
                };
                let id = "limit".to_owned();
                send(frames, Chunk::DataLimitReached { id, data });
                UiFinishReason::Other
            }
            Finish::Cancelled => {
                let reason = Some("The run was cancelled.".to_owned());
                return send(frames, Chunk::Abort { reason });
            }
            Finish::Failed(failure) => {
                let error_text = if self.tells_errors {
                    failure.to_string()
                } else {
                    "The run failed.".to_owned()
                };
                send(frames, Chunk::Error { error_text });
                UiFinishReason::Error
            }
        };
        send(frames, Chunk::Finish { finish_reason });
    }
}

fn id_of(place: PlaceInRun) -> String {
    format!("{}-{}", place.step, place.part)
}

fn opened(id: String, kind: Kind) -> UiMessageChunk {
    match kind {
        Kind::Text => UiMessageChunk::TextStart { id },
        Kind::Reasoning => UiMessageChunk::ReasoningStart { id },
    }
}

fn more(id: String, kind: Kind, delta: String) -> UiMessageChunk {
    match kind {
        Kind::Text => UiMessageChunk::TextDelta { id, delta },
        Kind::Reasoning => UiMessageChunk::ReasoningDelta { id, delta },
    }
}

fn closed(id: String, kind: Kind) -> UiMessageChunk {
    match kind {
        Kind::Text => UiMessageChunk::TextEnd { id },
        Kind::Reasoning => UiMessageChunk::ReasoningEnd { id },
    }
}

fn send(frames: &mut Frames, chunk: UiMessageChunk) {
    frames.push(Frame::of(chunk));
}

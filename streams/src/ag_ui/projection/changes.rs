//! From changes to events of AG-UI.

use serde_json::json;

use super::{AgUiStream, Frames, below::over_below, custom, send, step_name};
use crate::{
    ag_ui::{
        event::{AgUiEvent, AgUiProgress},
        places::{message_id, reasoning_id, result_id, said_id},
    },
    ids::tool_call_id,
    output::of_update,
    reading::{Change, Kind, PlaceInRun},
};
use toolwright_core::{
    UserMessage,
    message::{ProviderActivity, text_of},
    run::CallId,
};

impl AgUiStream {
    pub(super) fn project(&mut self, change: Change, frames: &mut Frames) {
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
                if let Some(messages) = self.messages.without_run(&self.reading) {
                    send(frames, Event::MessagesSnapshot { messages });
                }
                let messages = self.messages.all();
                send(frames, Event::MessagesSnapshot { messages });
            }
            Change::Said { number, message } => self.said(number, &message, frames),
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
                    content: result.to_user_text().into_owned(),
                    role: "tool",
                },
            ),
            Change::Activity { activity, .. } => match &*activity {
                ProviderActivity::Tool(tool) => custom(frames, "provider_tool", tool),
                ProviderActivity::Citation(citation) => custom(frames, "citation", citation),
                _ => {}
            },
            Change::File { url, media_type } => file(frames, &url, media_type.as_deref()),
            Change::Transferred { data, .. } => custom(frames, "transfer", &data),
            Change::BelowAsked(call) => self.asked_below(&call, frames),
            Change::BelowOver(call) => over_below(&call, frames),
            Change::Retried(step) => custom(frames, "retry", &step),
            Change::Finished(end) => self.finished(*end, frames),
            // Edited arguments and decisions have no event.
            Change::CallKnown { .. }
            | Change::CallUnreadable { .. }
            | Change::ApprovalAsked { .. }
            | Change::Decided { .. } => {}
        }
    }

    /// A message of the user that came meanwhile.
    fn said(&self, number: u32, message: &UserMessage, frames: &mut Frames) {
        let message_id = said_id(&self.reading, number);
        let (id, role) = (message_id.clone(), "user");
        send(
            frames,
            AgUiEvent::TextMessageStart {
                message_id: id,
                role,
            },
        );
        let (id, delta) = (message_id.clone(), text_of(&message.parts));
        send(
            frames,
            AgUiEvent::TextMessageContent {
                message_id: id,
                delta,
            },
        );
        send(frames, AgUiEvent::TextMessageEnd { message_id });
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

    /// Texts of one response are one message. Each reasoning is its own.
    fn text_id(&self, place: PlaceInRun, kind: Kind) -> String {
        match kind {
            Kind::Text => message_id(&self.reading, place.step),
            Kind::Reasoning => reasoning_id(&self.reading, place),
        }
    }
}

/// An image, a document or sound that the model made.
fn file(frames: &mut Frames, url: &str, media_type: Option<&str>) {
    custom(
        frames,
        "file",
        &json!({"url": url, "mediaType": media_type}),
    );
}

//! The messages that a client of AG-UI is to have.

use std::collections::BTreeMap;

use super::{
    event::{AgUiFunction, AgUiMessage, AgUiToolCall},
    places::{message_id, reasoning_id, result_id, said_id, void_id},
};
use crate::{
    ids::tool_call_id,
    reading::{Change, Kind, PlaceInRun, Reading},
};
use toolwright_core::{
    message::{Message, Turn, calls_of, text_of},
    run::{CallId, Run},
};

/// The messages that a client of AG-UI is to have.
#[derive(Debug, Default)]
pub(super) struct Messages {
    kept: Vec<AgUiMessage>,
    /// The number of those before the run, with its question.
    before: usize,
    /// The response under way.
    text: String,
    calls: BTreeMap<CallId, (String, String)>,
    reasoning: Vec<(PlaceInRun, String)>,
}

impl Messages {
    /// Those before a run, and its question.
    pub(super) fn before(run: &Run) -> Self {
        let mut kept = Vec::new();
        let conversation = run.written();
        let turns = conversation.messages().iter().flat_map(Message::turns);
        for (number, turn) in turns.enumerate() {
            let id = format!("history-{number}");
            match turn {
                Turn::User(parts) => kept.push(AgUiMessage::User {
                    id,
                    content: text_of(parts),
                }),
                Turn::Assistant(parts) => {
                    let calls = calls_of(parts).enumerate();
                    let tool_calls = calls.map(|(index, call)| AgUiToolCall {
                        id: format!("{id}:{index}"),
                        kind: "function",
                        function: AgUiFunction {
                            name: call.name.clone(),
                            arguments: call.arguments.clone(),
                        },
                    });
                    let tool_calls = tool_calls.collect();
                    let content = Some(text_of(parts)).filter(|text| !text.is_empty());
                    kept.push(AgUiMessage::Assistant {
                        id,
                        content,
                        tool_calls,
                    });
                }
                Turn::Results(round) => {
                    // The response with the calls is the turn before.
                    let calls = format!("history-{}", number.saturating_sub(1));
                    for (index, result) in round.results.iter().enumerate() {
                        kept.push(AgUiMessage::Tool {
                            id: format!("{id}:{index}"),
                            tool_call_id: format!("{calls}:{index}"),
                            content: result.to_user_text().into_owned(),
                        });
                    }
                }
            }
        }
        Self {
            before: kept.len(),
            kept,
            ..Self::default()
        }
    }

    /// What a client needs before it gets the whole run again; `None` if it has nothing of the stored run.
    ///
    /// A client keeps messages that it knows in their places, and puts others behind them. Those before the run have
    /// other ids there, so it has to let go of those of the run first. Reasoning it lets go of for other reasoning.
    pub(super) fn without_run(&self, run: &Reading) -> Option<Vec<AgUiMessage>> {
        let (before, after) = self.kept.split_at(self.before);
        let is_reasoning = |message: &AgUiMessage| matches!(message, AgUiMessage::Reasoning { .. });
        let mut messages = before.to_vec();
        if after.iter().any(is_reasoning) {
            let (id, content) = (void_id(run), String::new());
            messages.push(AgUiMessage::Reasoning { id, content });
        }
        (!after.is_empty()).then_some(messages)
    }

    /// All that are kept.
    pub(super) fn all(&self) -> Vec<AgUiMessage> {
        self.kept.clone()
    }

    /// Follows a change.
    pub(super) fn follow(&mut self, change: &Change, reading: &Reading) {
        match change {
            Change::Delta(_, Kind::Text, delta) => self.text += delta,
            Change::Opened(place, Kind::Reasoning) => self.reasoning.push((*place, String::new())),
            Change::Delta(_, Kind::Reasoning, delta) => {
                if let Some((_, text)) = self.reasoning.last_mut() {
                    *text += delta;
                }
            }
            Change::CallOpened { call, name, .. } => {
                self.calls.insert(*call, (name.clone(), String::new()));
            }
            Change::CallDelta { call, text } => {
                if let Some((_, arguments)) = self.calls.get_mut(call) {
                    *arguments += text;
                }
            }
            Change::Kept(step) => self.keep(*step, reading),
            Change::Void { .. } => {
                self.text.clear();
                self.calls.clear();
                for (place, _) in std::mem::take(&mut self.reasoning) {
                    // A client keeps reasoning that a snapshot does not have.
                    let (id, content) = (reasoning_id(reading, place), String::new());
                    self.put_reasoning(id, content);
                }
            }
            Change::Said { number, message } => self.kept.push(AgUiMessage::User {
                id: said_id(reading, *number),
                content: text_of(&message.parts),
            }),
            Change::CallFinished { call, result, .. } => {
                let tool_call_id = tool_call_id(reading, *call);
                self.kept.push(AgUiMessage::Tool {
                    id: result_id(&tool_call_id),
                    tool_call_id,
                    content: result.to_user_text().into_owned(),
                });
            }
            _ => {}
        }
    }

    fn keep(&mut self, step: u32, reading: &Reading) {
        for (place, content) in std::mem::take(&mut self.reasoning) {
            self.put_reasoning(reasoning_id(reading, place), content);
        }
        let calls = std::mem::take(&mut self.calls);
        let tool_calls = calls
            .into_iter()
            .map(|(call, (name, arguments))| AgUiToolCall {
                id: tool_call_id(reading, call),
                kind: "function",
                function: AgUiFunction { name, arguments },
            });
        let tool_calls: Vec<_> = tool_calls.collect();
        let content = Some(std::mem::take(&mut self.text)).filter(|text| !text.is_empty());
        if content.is_some() || !tool_calls.is_empty() {
            self.kept.push(AgUiMessage::Assistant {
                id: message_id(reading, step),
                content,
                tool_calls,
            });
        }
    }

    /// Reasoning that is void may come again under its id.
    fn put_reasoning(&mut self, new: String, content: String) {
        let is_new = |message: &AgUiMessage| matches!(message, AgUiMessage::Reasoning { id, .. } if *id == new);
        self.kept.retain(|message| !is_new(message));
        self.kept.push(AgUiMessage::Reasoning { id: new, content });
    }
}

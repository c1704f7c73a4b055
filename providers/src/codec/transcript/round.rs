//! A response with calls, and the results that have been found.

use serde_json::{Map, Value};
use toolwright_core::{
    Conversation, ToolError,
    message::Part,
    model::ModelResponse,
    tool::{ToolCall, ToolResult},
};

use super::results::Answer;
use crate::codec::imported::results_mark;

/// A response with calls, and the results that have been found.
#[derive(Debug)]
pub(super) struct Round {
    pub(super) path: String,
    pub(super) reply: Vec<Part>,
    /// The ids of the calls, and a place for the result of each.
    ids: Vec<String>,
    pub(super) results: Vec<Option<ToolResult>>,
    /// The forms of the results, by the number of the call.
    forms: Map<String, Value>,
}

impl Round {
    /// A response whose calls wait.
    pub(super) fn new(path: &str, reply: Vec<Part>, calls: Vec<ToolCall>) -> Self {
        Self {
            path: path.to_owned(),
            reply,
            results: calls.iter().map(|_| None).collect(),
            ids: calls.into_iter().map(|call| call.id).collect(),
            forms: Map::new(),
        }
    }

    pub(super) fn answer(&mut self, number: usize, answer: Answer) {
        if let (Some(id), Some(place)) = (self.ids.get(number), self.results.get_mut(number)) {
            *place = Some(ToolResult::new(id, answer.outcome));
        }
        if !answer.form.is_empty() {
            self.forms.insert(number.to_string(), answer.form.into());
        }
    }

    pub(super) fn answer_missing(&mut self) {
        for (id, result) in self.ids.iter().zip(&mut self.results) {
            result.get_or_insert_with(|| {
                let error = "not executed: the history has no result of this call";
                ToolResult::error(id, ToolError::cancelled(error))
            });
        }
    }

    pub(super) fn push_to(mut self, conversation: &mut Conversation, codec: &str) {
        if !self.forms.is_empty() {
            self.reply.push(results_mark(codec, self.forms));
        }
        conversation.push_response(ModelResponse::new(self.reply));
        let results: Vec<_> = self.results.into_iter().flatten().collect();
        if !results.is_empty() {
            // There is one for each call, in their order.
            let _ = conversation.push_results(results);
        }
    }
}

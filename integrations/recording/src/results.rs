//! The results of calls that a recording has.

use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hash, Hasher},
};

use serde::Deserialize;

use super::file::Exchange;
use toolwright_core::{
    ToolError,
    message::{Part, calls_of},
    tool::{ToolCall, ToolOutput, ToolResult},
};

/// The calls of a recording with their results, in the order in which they stand in it.
pub(super) struct Results(Vec<Option<(ToolCall, ToolResult)>>);

#[derive(Deserialize)]
struct Reply {
    parts: Vec<Part>,
}

#[derive(Deserialize)]
struct Answers {
    results: Vec<ToolResult>,
}

impl Results {
    /// Each result once: later requests repeat it.
    pub(super) fn of<'e>(exchanges: impl IntoIterator<Item = &'e Exchange>) -> Self {
        let (mut all, mut seen) = (Vec::new(), HashSet::new());
        for exchange in exchanges {
            let mut so_far = DefaultHasher::new();
            let messages = &exchange.sent.messages;
            for (place, message) in messages.iter().enumerate() {
                message.hash(&mut so_far);
                // The same messages before it make it the same round.
                if !seen.insert(so_far.finish()) || place == 0 {
                    continue;
                }
                let Ok(answers) = serde_json::from_str::<Answers>(message) else {
                    continue;
                };
                let Ok(reply) = serde_json::from_str::<Reply>(&messages[place - 1]) else {
                    continue;
                };
                let calls = calls_of(&reply.parts).cloned();
                all.extend(calls.zip(answers.results).map(Some));
            }
        }
        Self(all)
    }

    /// The result of a call, which is given once. Of calls that are alike the first is the first.
    pub(super) fn take(&mut self, call: &ToolCall) -> Option<Result<ToolOutput, ToolError>> {
        let tool = |other: &ToolCall| other.name == call.name;
        let same = |other: &ToolCall| other.arguments == call.arguments;
        // Arguments that were repaired or edited are not those of the model.
        let place = self
            .place(|other| other == call)
            .or_else(|| {
                self.place(|other| !call.id.is_empty() && other.id == call.id && tool(other))
            })
            .or_else(|| self.place(|other| tool(other) && same(other)))?;
        let (_, result) = self.0[place].take()?;
        Some(result.without_edited_note().outcome.map_err(|error| *error))
    }

    fn place(&self, is_it: impl Fn(&ToolCall) -> bool) -> Option<usize> {
        let mut all = self.0.iter();
        all.position(|answered| answered.as_ref().is_some_and(|(call, _)| is_it(call)))
    }
}

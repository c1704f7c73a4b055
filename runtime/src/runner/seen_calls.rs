//! The calls of a run, as far as its reader has read.

use std::{collections::BTreeMap, sync::Arc};

use toolwright_core::{
    driver::Mutex,
    message::SharedVec,
    run::{CallId, Record, RunId},
    tool::{Decision, ToolCall},
};

/// The calls of a run, as far as its reader has read.
#[derive(Clone, Default)]
pub(super) struct SeenCalls {
    /// By the rounds that have begun.
    rounds: Vec<SharedVec<ToolCall>>,
    /// The calls of the last response. They are a round once something happens to one of them.
    replied: SharedVec<ToolCall>,
    below: SeenBelow,
}

/// The calls of the runs below that go on: their events do not name the earlier ones.
#[derive(Clone, Default)]
pub(super) struct SeenBelow(Arc<Mutex<BTreeMap<RunId, SeenCalls>>>);

impl SeenBelow {
    /// Takes what is known of a run below before its events are read.
    pub(super) fn add(&self, run: &RunId, seen: &SeenCalls) {
        if !seen.rounds.is_empty() || !seen.replied.is_empty() {
            self.0.lock().insert(run.clone(), seen.clone());
        }
    }
}

impl SeenCalls {
    /// None yet, of a run with these runs below.
    pub(super) fn above(below: SeenBelow) -> Self {
        Self {
            below,
            ..Self::default()
        }
    }

    /// None yet, of a run with the same runs below.
    pub(super) fn begin_again(&mut self) {
        *self = Self::above(self.below.clone());
    }

    /// What was known of a run below before its events were read.
    pub(super) fn of_below(&self, run: &RunId) -> Option<Self> {
        self.below.0.lock().get(run).cloned()
    }

    /// Follows a record that is read.
    pub(super) fn read(&mut self, record: &Record) {
        match record {
            Record::Replied { response, .. } => self.replied.clone_from(&response.tool_calls),
            Record::CallPrepared {
                call, arguments, ..
            }
            | Record::CallDecided {
                call,
                decision: Decision::ApproveWith { arguments },
                ..
            } => self.change(*call, arguments),
            Record::CallStarted { call, .. }
            | Record::CallDelayed { call, .. }
            | Record::CallFinished { call, .. } => self.begin(*call),
            _ => {}
        }
    }

    pub(super) fn get(&self, id: CallId) -> Option<&ToolCall> {
        let round = usize::try_from(id.round).ok()?;
        let calls = match self.rounds.get(round) {
            Some(calls) => calls,
            None if round == self.rounds.len() => &self.replied,
            None => return None,
        };
        calls.get(id.index as usize)
    }

    fn begin(&mut self, id: CallId) {
        if usize::try_from(id.round) == Ok(self.rounds.len()) {
            self.rounds.push(std::mem::take(&mut self.replied));
        }
    }

    fn change(&mut self, id: CallId, arguments: &str) {
        self.begin(id);
        let round = self.rounds.get_mut(id.round as usize);
        if let Some(call) = round.and_then(|calls| calls.to_mut().get_mut(id.index as usize)) {
            arguments.clone_into(&mut call.arguments);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolwright_core::{ModelResponse, ToolResult};

    #[test]
    fn calls_are_found_from_their_reply_on() {
        let mut seen = SeenCalls::default();
        for round in 0..3 {
            let id = CallId { round, index: 0 };
            assert_eq!(seen.get(CallId { round: 3, index: 0 }), None);
            let call = ToolCall::new("a", format!("tool_{round}"), "{}");
            seen.read(&Record::Replied {
                unfit: None,
                response: ModelResponse::from_calls([call.clone()]),
                policies: Vec::new(),
            });
            assert_eq!(seen.get(id), Some(&call));
            seen.read(&Record::CallPrepared {
                call: id,
                arguments: "[]".to_owned(),
                changes: Vec::new(),
            });
            seen.read(&Record::CallFinished {
                call: id,
                result: ToolResult::success("a", ()),
                spent: None,
            });
            for round in 0..=round {
                let call = seen.get(CallId { round, index: 0 }).expect("is known");
                assert_eq!(call.name, format!("tool_{round}"));
                assert_eq!(call.arguments, "[]");
            }
        }
    }
}

//! The rounds of a run that are over.

use super::{
    CallId,
    no_progress::{self, LoopGuard},
};
use crate::{Conversation, message::SharedVec, tool::ToolCall};

/// The rounds of a run that are over, and whether they lead anywhere.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Rounds {
    /// The calls of each, with the arguments that they ran with.
    calls: Vec<SharedVec<ToolCall>>,
    progress: LoopGuard,
}

impl Rounds {
    /// The number of the next round. Each response with calls is one, also if none of them was allowed to run.
    pub(super) fn next(&self) -> u32 {
        u32::try_from(self.calls.len()).expect("a run has fewer than 2^32 rounds")
    }

    /// Takes the calls of the round that is over.
    pub(super) fn over(&mut self, calls: SharedVec<ToolCall>) {
        self.calls.push(calls);
    }

    /// A call of a round that is over.
    pub(super) fn call(&self, id: CallId) -> Option<&ToolCall> {
        self.calls.get(id.round as usize)?.get(id.index as usize)
    }

    /// Compares the last round with those before it. `polls` is true if one of its tools may be called again and again.
    pub(super) fn compare(&mut self, conversation: &Conversation, polls: bool) {
        let repeats = !polls && no_progress::repeats(conversation, self.next());
        self.progress = self.progress.after(repeats);
    }

    /// Returns true if the model is to be warned that it repeats itself.
    pub(super) fn warns(&self) -> bool {
        self.progress == LoopGuard::Note
    }

    /// Returns true if the model was warned, and repeats itself again.
    pub(super) fn are_stuck(&self) -> bool {
        self.progress == LoopGuard::None
    }

    /// The calls, moved out of the value that identifies a run, or back.
    #[cfg(test)]
    pub(super) fn calls_mut(&mut self) -> &mut Vec<SharedVec<ToolCall>> {
        &mut self.calls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_known_by_its_number() {
        let mut rounds = Rounds::default();
        for name in ["first", "second"] {
            rounds.over(vec![ToolCall::new("a", name, "{}")].into());
        }
        let name = |round, index| {
            let call = rounds.call(CallId { round, index });
            call.map(|call| call.name.as_str())
        };
        assert_eq!(rounds.next(), 2);
        assert_eq!((name(0, 0), name(1, 0)), (Some("first"), Some("second")));
        assert_eq!((name(1, 1), name(2, 0)), (None, None));
    }
}

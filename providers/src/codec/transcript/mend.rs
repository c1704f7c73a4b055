//! The end of a list: results that stood elsewhere go to their calls, and calls without results are answered.

use toolwright_core::{
    Conversation,
    message::{UserMessage, calls_of},
    model::ModelResponse,
};

use super::{Finding, FindingKind, Item, Transcript, results::CallPosition};
use crate::codec::imported::system_mark;

impl Transcript {
    /// Ends the list: gives results that stood elsewhere to their calls, and answers calls that have none.
    pub(crate) fn finish(mut self) -> (Conversation, Vec<Finding>) {
        self.place_strays();
        self.answer_the_rest();
        self.mark_system();
        let mut conversation = Conversation::new();
        if let Some(system) = self.system {
            conversation = conversation.with_system(system);
        }
        for item in self.items {
            match item {
                Item::User(parts) => conversation.push_user(UserMessage::new(parts)),
                Item::Response(parts) => conversation.push_response(ModelResponse::new(parts)),
                Item::Round(round) => round.push_to(&mut conversation, self.codec),
            }
        }
        (conversation, self.findings.into_report())
    }

    fn place_strays(&mut self) {
        let strays = std::mem::take(&mut self.strays);
        if strays.is_empty() {
            return;
        }
        let rounds = self
            .items
            .iter()
            .enumerate()
            .filter_map(|(at, item)| match item {
                Item::Round(round) => Some((at, round)),
                _ => None,
            });
        let calls = rounds.flat_map(|(at, round)| {
            let calls = calls_of(&round.reply).zip(&round.results).enumerate();
            calls.map(move |(number, (call, result))| (at, number, call, result.is_none()))
        });
        for (path, answer, place) in strays.placed(calls) {
            let (kind, message) = match place {
                CallPosition::At(at, number) => {
                    if let Some(Item::Round(round)) = self.items.get_mut(at) {
                        round.answer(number, answer);
                    }
                    (
                        FindingKind::MovedResult,
                        "the result does not follow its call, and is moved there",
                    )
                }
                CallPosition::Answered => (
                    FindingKind::DuplicateResult,
                    "the call has a result already; this one is left out",
                ),
                CallPosition::Nowhere => (
                    FindingKind::OrphanResult,
                    "the result answers no call of this list, and is left out",
                ),
            };
            self.find(kind, &path, message);
        }
    }

    fn answer_the_rest(&mut self) {
        let last = self.items.len().checked_sub(1);
        let mut found = Vec::new();
        for (at, item) in self.items.iter_mut().enumerate() {
            let Item::Round(round) = item else { continue };
            let missing = round
                .results
                .iter()
                .filter(|result| result.is_none())
                .count();
            if missing == 0 {
                continue;
            }
            if Some(at) == last && missing == round.results.len() {
                let message = format!("{missing} calls at the end wait for their results");
                found.push((FindingKind::PendingCalls, round.path.clone(), message));
                continue;
            }
            round.answer_missing();
            let message =
                format!("{missing} calls have no result, and are answered as not executed");
            found.push((FindingKind::DanglingCall, round.path.clone(), message));
        }
        for (kind, path, message) in found {
            self.find(kind, &path, message);
        }
    }

    /// Puts the form of the system text into the first message.
    fn mark_system(&mut self) {
        let Some(form) = self.system_form.take() else {
            return;
        };
        let parts = match self.items.first_mut() {
            Some(Item::User(parts) | Item::Response(parts)) => parts,
            Some(Item::Round(round)) => &mut round.reply,
            None => return,
        };
        parts.insert(0, system_mark(self.codec, form));
    }
}

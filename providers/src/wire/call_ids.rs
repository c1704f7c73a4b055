//! Ids that distinguish the calls of one request.

use std::{borrow::Cow, collections::HashSet};

use toolwright_core::message::{Message, Turn};

/// Returns the ids under which the calls of a conversation are sent, in the order of the calls: those of
/// every round that [`Message::turns`] yields. The result of a call is sent under the same id.
///
/// The first call that has an id keeps it. Providers also give empty ids, and the same ids in every
/// response, and ids that are too long for another server; such a call gets an id from its position.
/// So ids differ, and those of a conversation do not change when it grows, which keeps providers'
/// caches of the beginning warm. Ids made here have nine letters and digits, the only form that
/// Mistral takes.
pub fn call_ids(messages: &[Message]) -> Vec<Cow<'_, str>> {
    call_ids_of(messages, |_| true)
}

/// The ids of [`call_ids`] for a provider that does not take every id.
pub(crate) fn call_ids_of(messages: &[Message], is_usable: fn(&str) -> bool) -> Vec<Cow<'_, str>> {
    let mut taken = HashSet::new();
    messages
        .iter()
        .flat_map(Message::turns)
        .filter_map(|turn| match turn {
            Turn::Results(round) => Some(round.calls()),
            _ => None,
        })
        .flatten()
        .enumerate()
        .map(|(position, call)| {
            let usable = (1..=LONGEST_ID).contains(&call.id.len()) && is_usable(&call.id);
            let id = if !usable || taken.contains(call.id.as_str()) {
                Cow::Owned(mint(position, &taken))
            } else {
                Cow::Borrowed(call.id.as_str())
            };
            taken.insert(id.clone());
            id
        })
        .collect()
}

/// The longest id that OpenAI takes back.
const LONGEST_ID: usize = 40;

/// An id that is not taken, always the same for a position and what is taken.
fn mint(position: usize, taken: &HashSet<Cow<'_, str>>) -> String {
    let mut number = position;
    loop {
        let id = format!("call{number:05}");
        if !taken.contains(id.as_str()) {
            return id;
        }
        // A prime step keeps away from the ids of the positions around.
        number += 10_007;
    }
}

#[cfg(test)]
mod tests {

    use toolwright_core::{
        message::{AssistantMessage, Message, Part, ToolRound},
        tool::{ToolCall, ToolResult},
    };

    use super::call_ids;

    fn round(ids: &[&str]) -> ToolRound {
        ToolRound {
            reply: ids
                .iter()
                .map(|id| Part::Call(ToolCall::new(*id, "look", "{}")))
                .collect(),
            results: ids.iter().map(|id| ToolResult::success(*id, ())).collect(),
        }
    }

    fn check(rounds: &[&[&str]], expected: &[&str]) {
        let message = Message::Assistant(AssistantMessage {
            tool_rounds: rounds.iter().map(|ids| round(ids)).collect(),
            parts: [].into(),
        });
        assert_eq!(call_ids(&[Message::user("go"), message]), expected);
    }

    #[test]
    fn ids_that_differ_are_kept() {
        check(&[&["a", "b"], &["c"]], &["a", "b", "c"]);
    }

    #[test]
    fn empty_and_repeated_ids_are_replaced() {
        check(
            &[&["", ""], &["a", "a"], &["a"]],
            &["call00000", "call00001", "a", "call00003", "call00004"],
        );
    }

    #[test]
    fn an_id_that_is_too_long_is_replaced() {
        let long = "x".repeat(41);
        check(&[&[&long, &long[1..]]], &["call00000", &long[1..]]);
    }

    #[test]
    fn an_id_made_here_is_never_one_that_is_taken() {
        check(&[&["call00001", ""]], &["call00001", "call10008"]);
        check(&[&["", "call00000"]], &["call00000", "call00001"]);
    }

    #[test]
    fn a_round_without_its_results_has_no_ids() {
        let open = ToolRound {
            results: [].into(),
            ..round(&["a"])
        };
        let message = Message::Assistant(AssistantMessage {
            tool_rounds: [open, round(&["a"])].into(),
            parts: [].into(),
        });
        assert_eq!(call_ids(&[message]), ["a"]);
    }
}

//! A conversation as a provider is sent it: the user's message, and each response with its answers.

use std::borrow::Cow;

use toolwright_core::{
    message::{Message, Part, ToolRound, Turn},
    tool::ToolResult,
};

use crate::wire::call_ids::call_ids_of;

/// A user message without anything that can be sent: some APIs take none without content.
pub(crate) const EMPTY: &str = "(empty message)";

/// The user message before a conversation that the model began, for an API that does not accept such a
/// beginning.
pub(crate) const BEGINNING: &str = "(The conversation begins here.)";

/// The content of one side, the user or the model.
#[derive(Debug)]
pub(crate) enum Exchange<'a> {
    User(&'a [Part]),
    /// A response of the model. Its calls go along only with their results: without them providers refuse
    /// the request.
    Model(Response<'a>),
}

/// A response of the model, with what its calls led to.
#[derive(Debug)]
pub(crate) struct Response<'a> {
    pub(crate) parts: &'a [Part],
    /// The ids that its calls go by, in order; none if their results are missing.
    pub(crate) ids: Vec<Cow<'a, str>>,
    /// The results of those calls, in order.
    pub(crate) results: &'a [ToolResult],
    /// The round that it is, if there are results.
    pub(crate) round: Option<&'a ToolRound>,
}

/// Returns the exchanges of a conversation, in order. `is_id` returns true for the ids of calls that the
/// provider accepts.
pub(crate) fn spoken(
    messages: &[Message],
    is_id: fn(&str) -> bool,
) -> impl Iterator<Item = Exchange<'_>> {
    let mut ids = call_ids_of(messages, is_id).into_iter();
    let mut turns = messages.iter().flat_map(Message::turns).peekable();
    std::iter::from_fn(move || {
        let parts = match turns.next()? {
            Turn::User(parts) => return Some(Exchange::User(parts)),
            Turn::Assistant(parts) => parts,
            Turn::Results(_) => unreachable!("results follow their reply, which took them"),
        };
        let round = match turns.next_if(|next| matches!(next, Turn::Results(_))) {
            Some(Turn::Results(round)) => Some(round),
            _ => None,
        };
        let results = round.map_or(&[][..], |round| &round.results);
        Some(Exchange::Model(Response {
            parts,
            ids: ids.by_ref().take(results.len()).collect(),
            results,
            round: round.filter(|_| !results.is_empty()),
        }))
    })
}

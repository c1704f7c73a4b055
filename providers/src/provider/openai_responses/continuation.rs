//! Requests that go on from what the server has stored.

use toolwright_core::{
    message::{Message, Turn, calls_of},
    model::ModelRequest,
};

/// The fields that stand for earlier messages.
const FIELDS: [&str; 2] = ["previous_response_id", "conversation"];

/// Returns the reason why a request is refused: it names stored messages, and holds an earlier answer, which is probably
/// among them.
///
/// Rounds of calls belong to the response that is being made, also if a message is pushed or a note of the run follows them.
pub(super) fn refuses(request: &ModelRequest) -> Option<String> {
    let extra = &request.settings.extra;
    let is_set = |name: &&str| extra.get(*name).is_some_and(|value| !value.is_null());
    let field = FIELDS.into_iter().find(is_set)?;
    let is_note =
        |message: &&Message| matches!(message, Message::User(user) if request.is_note(user));
    let messages = request.messages.iter().filter(|message| !is_note(message));
    let is_answer = |turn: &Turn<'_>| matches!(turn, Turn::Assistant(parts) if calls_of(parts).next().is_none());
    let turns = messages.flat_map(Message::turns);
    let mut before_the_question = turns.skip_while(|turn| !is_answer(turn));
    let is_twice = before_the_question.any(|turn| matches!(turn, Turn::User(_)));
    is_twice.then(|| {
        format!(
            "the extra field `{field}` stands for what the server has stored, and the request holds an earlier response \
             as well, which the model would read twice; leave out the field, or begin a new conversation with it"
        )
    })
}

//! Requests that go on from what the server has stored.

use toolwright_core::{
    message::{Message, Turn},
    model::ModelRequest,
};

/// The fields that stand for earlier messages.
const FIELDS: [&str; 2] = ["previous_response_id", "conversation"];

/// Returns the reason why a request is refused: it names stored messages, and holds an earlier answer, which is probably
/// among them.
///
/// The rounds after the last question belong to the response that is being made.
pub(super) fn refuses(request: &ModelRequest) -> Option<String> {
    let extra = &request.settings.extra;
    let is_set = |name: &&str| extra.get(*name).is_some_and(|value| !value.is_null());
    let field = FIELDS.into_iter().find(is_set)?;
    let turns = request.messages.iter().flat_map(Message::turns);
    let mut before_the_question = turns.skip_while(|turn| !matches!(turn, Turn::Assistant(_)));
    let is_twice = before_the_question.any(|turn| matches!(turn, Turn::User(_)));
    is_twice.then(|| {
        format!(
            "the extra field `{field}` stands for what the server has stored, and the request holds an earlier response \
             as well, which the model would read twice; leave out the field, or begin a new conversation with it"
        )
    })
}

//! The model of a run whose only call is given: it says what the question has.

use futures_util::stream;
use toolwright_core::{
    ChatModel, Message, ModelResponse, ToolCall,
    message::text_of,
    model::{ModelError, ModelErrorKind, ModelRequest, ModelStream},
};

/// Answers the request of a run with the call in its question. It has no state, so that a run which is resumed before its
/// response was stored gets the same one.
pub(super) struct GivenCall;

/// The question of a run with this call.
pub(super) fn question(call: &ToolCall) -> Result<String, serde_json::Error> {
    serde_json::to_string(call)
}

fn given(request: &ModelRequest) -> Result<ModelResponse, ModelError> {
    let mut texts = request.messages.iter().filter_map(|message| match message {
        Message::User(message) => Some(text_of(&message.parts)),
        Message::Assistant(_) => None,
    });
    let call = texts.next_back().unwrap_or_default();
    let call = serde_json::from_str::<ToolCall>(&call);
    let call = call.map_err(|error| {
        let message = format!("the run has no given call: {error}");
        ModelError::new(ModelErrorKind::InvalidRequest, message)
    })?;
    Ok(ModelResponse::from_calls([call]))
}

impl ChatModel for GivenCall {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let events = match given(request) {
            Ok(response) => response.into_events().into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        Box::pin(stream::iter(events))
    }
}

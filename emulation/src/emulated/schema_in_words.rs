//! The schema of an answer in words, for a server that refuses it.

use toolwright_core::{
    ChatModel, Message,
    model::{ModelErrorKind, ModelRequest},
};

use super::{EarlierRequests, Turn, reading::SentRequest};
use crate::transcript::in_turns;

/// The request with the schema of its answer in words, if it has one.
pub(super) fn in_words(request: &ModelRequest) -> Option<ModelRequest> {
    let schema = request.answer_schema.as_ref()?;
    let mut request = request.clone();
    request.answer_schema = None;
    let schema = schema.schema.as_str();
    let note = format!(
        "Note from the application: an answer has to be JSON of this schema and nothing else: {schema}"
    );
    let messages = request.messages.into_iter();
    request.messages = in_turns(messages.chain([Message::user(note)]));
    Some(request)
}

impl<M: ChatModel> Turn<'_, M> {
    /// Sends a request. A server that refuses the schema of its answer is asked once more, with the schema in words.
    pub(super) async fn asked<'r>(
        &'r self,
        request: &'r ModelRequest,
        in_words: Option<&'r ModelRequest>,
        spent: &mut EarlierRequests,
    ) -> SentRequest<'r> {
        let model = &self.emulated.model;
        let Some(in_words) = in_words else {
            return SentRequest::of(model, request, self.streams);
        };
        // A decision may have sent it.
        if self.emulated.facts().refuses_answer_schema {
            return SentRequest::of(model, in_words, self.streams);
        }
        let mut asked = SentRequest::of(model, request, self.streams);
        let refused = match asked.first(|event| self.note(event, spent)).await {
            Some(Err(error)) if error.kind == ModelErrorKind::InvalidRequest => Some(error.clone()),
            _ => None,
        };
        if let Some(error) = refused {
            // Nobody has read the events before it.
            spent.add(&asked.spent_until(&error));
            self.count_and_begin(spent).await;
            asked = SentRequest::of(model, in_words, self.streams);
            if let Some(Ok(_)) = asked.first(|event| self.note(event, spent)).await {
                self.emulated
                    .learn(|facts| facts.refuses_answer_schema = true);
            }
        }
        asked
    }
}

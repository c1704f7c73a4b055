//! A response that is known, as the events that a model streams.

use std::{
    collections::VecDeque,
    pin::Pin,
    task::{Context, Poll},
};

use futures_core::Stream;
use toolwright_json::char_boundary;

use toolwright_core::model::{ModelError, ModelEvent, ModelResponse, ModelStream};

/// One response of a [`ScriptedModel`](super::ScriptedModel).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ScriptedResponse {
    /// A whole response.
    Reply(ModelResponse),
    /// An error, after what had come before it: the events of [`ModelError::partial`].
    Error(ModelError),
    /// The beginning of a response, and then nothing, for ever.
    Stall(ModelResponse),
}

impl ScriptedResponse {
    /// The events of the response that is asked for by the first poll. Texts come in two pieces.
    pub fn stream<'a>(ask: impl FnOnce() -> Self + Send + Unpin + 'a) -> ModelStream<'a> {
        Box::pin(Played::new(ask))
    }
}

impl From<ModelResponse> for ScriptedResponse {
    fn from(response: ModelResponse) -> Self {
        Self::Reply(response)
    }
}

impl From<ModelError> for ScriptedResponse {
    fn from(error: ModelError) -> Self {
        Self::Error(error)
    }
}

impl From<Result<ModelResponse, ModelError>> for ScriptedResponse {
    fn from(response: Result<ModelResponse, ModelError>) -> Self {
        response.map_or_else(Self::from, Self::from)
    }
}

/// The events of a response, which is asked for by the first poll. Texts come in two pieces.
pub(super) struct Played<F> {
    ask: Option<F>,
    events: VecDeque<Result<ModelEvent, ModelError>>,
    /// True if nothing follows the events, for ever.
    stalls: bool,
}

impl<F: FnOnce() -> ScriptedResponse + Unpin> Played<F> {
    /// The response that is asked for by the first poll.
    pub(super) fn new(ask: F) -> Self {
        Self {
            ask: Some(ask),
            events: VecDeque::new(),
            stalls: false,
        }
    }

    fn begin(&mut self, reply: ScriptedResponse) {
        let (partial, error, stalls) = match reply {
            ScriptedResponse::Reply(response) => (Some(response), None, false),
            ScriptedResponse::Error(mut error) => (
                error.partial.take().map(|partial| *partial),
                Some(error),
                false,
            ),
            ScriptedResponse::Stall(response) => (Some(response), None, true),
        };
        let is_whole = error.is_none() && !stalls;
        let events = partial.map(ModelResponse::into_events).unwrap_or_default();
        let events = events
            .into_iter()
            .filter(|event| is_whole || !matches!(event, ModelEvent::Finished { .. }))
            .flat_map(in_two_pieces);
        self.events = events.map(Ok).chain(error.map(Err)).collect();
        self.stalls = stalls;
    }
}

impl<F: FnOnce() -> ScriptedResponse + Unpin> Stream for Played<F> {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if let Some(ask) = this.ask.take() {
            this.begin(ask());
        }
        match this.events.pop_front() {
            None if this.stalls => Poll::Pending,
            event => Poll::Ready(event),
        }
    }
}

fn in_two_pieces(event: ModelEvent) -> Vec<ModelEvent> {
    let halves = |text: String| {
        let (first, second) = text.split_at(char_boundary::floor(&text, text.len() / 2));
        [first.to_owned(), second.to_owned()]
    };
    match event {
        ModelEvent::Text(text) => halves(text).map(ModelEvent::Text).into(),
        ModelEvent::Reasoning(text) => halves(text).map(ModelEvent::Reasoning).into(),
        ModelEvent::CallArguments { index, text } => halves(text)
            .map(|text| ModelEvent::CallArguments { index, text })
            .into(),
        event => vec![event],
    }
}

//! A model that says what a test wants.

use std::{
    collections::VecDeque,
    fmt,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
};

use futures_core::Stream;
use toolwright_json::char_boundary;

use crate::model::{
    ChatModel, ModelError, ModelErrorKind, ModelEvent, ModelRequest, ModelResponse, ModelStream,
};

/// A model that gives the responses of a script, one for each request, and remembers the requests.
///
/// Texts and argument texts are streamed in two pieces, so that a test sees a real stream. Clones
/// share the script and the memory: keep one to look at the requests. What is wrong with the tools themselves
/// is found by [`check`](super::check), without a model.
///
/// ```
/// use toolwright::{ModelResponse, ToolCall, testing::ScriptedModel};
///
/// let model = ScriptedModel::new([
///     ModelResponse::from_calls([ToolCall::new("1", "get_weather", r#"{"city":"Oslo"}"#)]),
///     ModelResponse::from_text("It is sunny in Oslo."),
/// ]);
/// assert!(model.requests().is_empty());
/// ```
#[derive(Clone, Default)]
pub struct ScriptedModel {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Default)]
struct Inner {
    script: VecDeque<ScriptedReply>,
    requests: Vec<ModelRequest>,
}

/// One response of a [`ScriptedModel`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ScriptedReply {
    /// A whole response.
    Reply(ModelResponse),
    /// An error, after what had come before it: the events of [`ModelError::partial`].
    Error(ModelError),
    /// The beginning of a response, and then nothing, for ever.
    Stall(ModelResponse),
}

impl From<ModelResponse> for ScriptedReply {
    fn from(response: ModelResponse) -> Self {
        Self::Reply(response)
    }
}

impl From<ModelError> for ScriptedReply {
    fn from(error: ModelError) -> Self {
        Self::Error(error)
    }
}

impl ScriptedModel {
    /// A model with a script. A request past its end is an `InvalidRequest` error.
    pub fn new<R: Into<ScriptedReply>>(script: impl IntoIterator<Item = R>) -> Self {
        let script = script.into_iter().map(Into::into).collect();
        Self {
            inner: Arc::new(Mutex::new(Inner {
                script,
                requests: Vec::new(),
            })),
        }
    }

    /// Returns the requests to the model so far, oldest first.
    pub fn requests(&self) -> Vec<ModelRequest> {
        self.lock().requests.clone()
    }

    fn answer(&self, request: &ModelRequest) -> Answer {
        let mut inner = self.lock();
        inner.requests.push(request.clone());
        let (partial, error, stalls) = match inner.script.pop_front() {
            Some(ScriptedReply::Reply(response)) => (Some(response), None, false),
            Some(ScriptedReply::Error(mut error)) => (
                error.partial.take().map(|partial| *partial),
                Some(error),
                false,
            ),
            Some(ScriptedReply::Stall(response)) => (Some(response), None, true),
            None => {
                let kind = ModelErrorKind::InvalidRequest;
                let error = ModelError::new(kind, "the script has no more replies");
                (None, Some(error), false)
            }
        };
        let is_whole = error.is_none() && !stalls;
        let events = partial.map(ModelResponse::into_events).unwrap_or_default();
        let events = events
            .into_iter()
            .filter(|event| is_whole || !matches!(event, ModelEvent::Finished { .. }))
            .flat_map(in_two_pieces);
        (events.map(Ok).chain(error.map(Err)).collect(), stalls)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        // Nothing inside the lock leaves the script half-changed.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChatModel for ScriptedModel {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        Box::pin(Events {
            model: self,
            request,
            answer: None,
        })
    }
}

impl fmt::Debug for ScriptedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = self.lock();
        f.debug_struct("ScriptedModel")
            .field("replies_left", &inner.script.len())
            .field("requests", &inner.requests.len())
            .finish()
    }
}

/// What is still to be streamed, and whether nothing follows it for ever.
type Answer = (VecDeque<Result<ModelEvent, ModelError>>, bool);

struct Events<'a> {
    model: &'a ScriptedModel,
    request: &'a ModelRequest,
    /// Taken from the script by the first poll.
    answer: Option<Answer>,
}

impl Stream for Events<'_> {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let (events, stalls) = this
            .answer
            .get_or_insert_with(|| this.model.answer(this.request));
        match events.pop_front() {
            None if *stalls => Poll::Pending,
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

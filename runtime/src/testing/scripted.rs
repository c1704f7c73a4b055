//! A model that says what a test wants.

use std::{collections::VecDeque, fmt, sync::Arc};

use super::ScriptedResponse;
use toolwright_core::{
    driver::Mutex,
    model::{ChatModel, ModelError, ModelErrorKind, ModelRequest, ModelStream},
};

/// A model that gives the responses of a script, one for each request, and remembers the requests.
///
/// Texts and argument texts are streamed in two pieces, so that a test sees a real stream. Clones
/// share the script and the memory: keep one to look at the requests. What is wrong with the tools themselves
/// is found by [`check`](toolwright_core::testing::check), without a model.
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
    /// What answers in the place of the script.
    rule: Option<Arc<Rule>>,
    takes_answer_schemas: bool,
}

type Rule = dyn Fn(&ModelRequest) -> ScriptedResponse + Send + Sync;

#[derive(Default)]
struct Inner {
    script: VecDeque<ScriptedResponse>,
    requests: Vec<ModelRequest>,
}

impl ScriptedModel {
    /// A model with a script. A request past its end is an `InvalidRequest` error.
    pub fn new<R: Into<ScriptedResponse>>(script: impl IntoIterator<Item = R>) -> Self {
        let script = script.into_iter().map(Into::into).collect();
        Self {
            inner: Arc::new(Mutex::new(Inner {
                script,
                requests: Vec::new(),
            })),
            ..Self::default()
        }
    }

    /// A model that answers each request by a rule: for a demonstration without a key, for requests in any order, and
    /// for a process that continues what another one has begun.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{Message, ModelResponse, Runner, message::text_of, testing::ScriptedModel};
    ///
    /// let model = ScriptedModel::by_rule(|request| match request.messages.last() {
    ///     Some(Message::User(question)) if text_of(&question.parts).contains("Oslo") => {
    ///         ModelResponse::from_text("It rains there.")
    ///     }
    ///     _ => ModelResponse::from_text("Ask me about Oslo."),
    /// });
    /// let runner = Runner::builder(model).build()?;
    /// assert_eq!(runner.run("What of Oslo?").await?.text, "It rains there.");
    /// # Ok(()) }
    /// ```
    #[doc(alias("mock", "fake", "stub"))]
    pub fn by_rule<R: Into<ScriptedResponse>>(
        rule: impl Fn(&ModelRequest) -> R + Send + Sync + 'static,
    ) -> Self {
        Self {
            rule: Some(Arc::new(move |request| rule(request).into())),
            ..Self::default()
        }
    }

    /// Makes it a model that [takes](ChatModel::takes_answer_schema) the schema of an answer. Its responses stay those
    /// of the script.
    pub fn with_answer_schemas(mut self) -> Self {
        self.takes_answer_schemas = true;
        self
    }

    /// Returns the requests to the model so far, oldest first.
    pub fn requests(&self) -> Vec<ModelRequest> {
        self.inner.lock().requests.clone()
    }

    fn answer(&self, request: &ModelRequest) -> ScriptedResponse {
        let mut inner = self.inner.lock();
        inner.requests.push(request.clone());
        if let Some(rule) = &self.rule {
            // It is somebody else's code, which may ask for the requests.
            drop(inner);
            return rule(request);
        }
        inner.script.pop_front().unwrap_or_else(|| {
            let kind = ModelErrorKind::InvalidRequest;
            ModelError::new(kind, "the script has no more responses").into()
        })
    }
}

impl ChatModel for ScriptedModel {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        ScriptedResponse::stream(|| self.answer(request))
    }

    fn takes_answer_schema(&self, _: &ModelRequest) -> bool {
        self.takes_answer_schemas
    }
}

impl fmt::Debug for ScriptedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = self.inner.lock();
        f.debug_struct("ScriptedModel")
            .field("replies_left", &inner.script.len())
            .field("requests", &inner.requests.len())
            .finish_non_exhaustive()
    }
}

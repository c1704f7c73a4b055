//! A model whose questions and answers the application checks.

use std::{borrow::Cow, fmt, future::Future, panic::AssertUnwindSafe, sync::Arc};

use futures_util::{FutureExt, StreamExt, stream};

use crate::{
    Message, UserMessage,
    message::{AssistantMessage, Part, SharedVec},
    model::{
        ChatModel, ModelCapabilities, ModelError, ModelErrorKind, ModelRequest, ModelResponse,
        ModelStream, Usage, Warning, collect,
    },
    panics::{Contained, discard, text_of},
    tool::BoxFuture,
};

/// The reason why something is refused, if it is.
type Verdict = Result<(), String>;

type Check<T> = Contained<Arc<dyn Fn(T) -> BoxFuture<'static, Verdict> + Send + Sync>>;

/// A model with guardrails: the application checks what the user says before the model is asked, and what the model
/// answers before anybody reads it.
///
/// What the user says is checked when it comes, and not again in later rounds of tool calls. [Notes](ModelRequest::notes) of
/// the application are not checked. A question that is refused is not sent: the request fails with
/// [`ModelErrorKind::ContentFilter`] and the reason. The conversation [leaves it out](crate::Conversation::refuse) of each
/// later request, so that it is not checked a second time, and goes on with what is said next.
///
/// An answer is a response without calls. One that is refused is told to the model with the reason, which answers again:
/// once, unless [`corrections`](Self::corrections) says otherwise. After that the request fails in the same way, and
/// nobody has read the answers. With a check of answers a response is handed on when it is whole, also where it is
/// streamed. Texts beside calls are no answers and are not checked; to check what tools do, put
/// [middleware](crate::middleware) around them.
///
/// A response that took several requests has a [warning](ModelResponse::warnings) `answer_refused` for each answer that
/// was refused, and the sum of their [usage](ModelResponse::usage).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ModelResponse, Runner, model::Guarded, testing::ScriptedModel};
///
/// let model = ScriptedModel::new([
///     ModelResponse::from_text("Call Ada at 555-0100."),
///     ModelResponse::from_text("Call the hotline."),
/// ]);
/// let model = Guarded::new(model).check_answer(async |answer: String| {
///     if answer.contains("555-") {
///         return Err("it has the number of a person");
///     }
///     Ok(())
/// });
/// let outcome = Runner::builder(model).build()?.run("Whom do I call?").await?;
/// assert_eq!(outcome.text, "Call the hotline.");
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Guarded<M> {
    model: M,
    input: Vec<Check<UserMessage>>,
    answer: Vec<Check<String>>,
    corrections: u32,
}

impl<M: ChatModel> Guarded<M> {
    /// The number of times that an answer is asked for again, unless set.
    pub const CORRECTIONS: u32 = 1;

    /// Around a model. Nothing is checked yet.
    pub fn new(model: M) -> Self {
        Self {
            model,
            input: Vec::new(),
            answer: Vec::new(),
            corrections: Self::CORRECTIONS,
        }
    }

    /// Adds a check of what the user says. Checks run in the order in which they were added, up to the first that
    /// refuses. One that panics refuses.
    ///
    /// The reason of a refusal is part of the error that the application gets.
    #[must_use = "the model is changed by value"]
    pub fn check_input<F, E>(
        mut self,
        check: impl Fn(UserMessage) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<String>,
    {
        self.input.push(check_of(check));
        self
    }

    /// Adds a check of the text of an answer. Checks run in the order in which they were added, up to the first that
    /// refuses. One that panics refuses.
    ///
    /// The model is told the reason of a refusal, and answers again.
    #[must_use = "the model is changed by value"]
    pub fn check_answer<F, E>(mut self, check: impl Fn(String) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<String>,
    {
        self.answer.push(check_of(check));
        self
    }

    /// Sets how often an answer that is refused is asked for again; once by default.
    #[must_use = "the model is changed by value"]
    pub fn corrections(mut self, corrections: u32) -> Self {
        self.corrections = corrections;
        self
    }

    /// The model inside.
    pub fn into_inner(self) -> M {
        self.model
    }

    /// Checks what the user has said since the model spoke last, each message once.
    async fn admit(&self, request: &ModelRequest) -> Result<(), ModelError> {
        if self.input.is_empty() {
            return Ok(());
        }
        let new: Vec<_> = (0..).zip(request.new_messages()).collect();
        let (mut places, mut reasons) = (Vec::new(), Vec::new());
        for (place, message) in new.into_iter().rev() {
            if let Err(reason) = verdict(&self.input, message).await {
                places.push(place);
                reasons.push(reason);
            }
        }
        if places.is_empty() {
            return Ok(());
        }
        let error = refused("what the user said", &reasons.join("; "));
        Err(error.with_refused_input(places))
    }

    /// Asks until an answer may be given, or there were enough of them.
    async fn answer(
        &self,
        request: &ModelRequest,
        is_streamed: bool,
    ) -> Result<ModelResponse, ModelError> {
        self.admit(request).await?;
        let mut request = Cow::Borrowed(request);
        let mut spent = Spent::default();
        loop {
            let response = if is_streamed {
                collect(self.model.stream(&request)).await
            } else {
                self.model.complete(&request).await
            };
            let response = match response {
                Ok(response) => response,
                // The request that failed counts as well.
                Err(error) => return Err(spent.add_to_error(error, 1)),
            };
            if response.requires_tool_execution() || response.text.trim_ascii().is_empty() {
                return Ok(spent.add_to(response));
            }
            let Err(reason) = verdict(&self.answer, &response.text).await else {
                return Ok(spent.add_to(response));
            };
            let is_last = spent.refused.len() >= self.corrections as usize;
            let parts = response.parts.clone();
            spent.refuse(response, &reason);
            if is_last {
                return Err(spent.add_to_error(refused("the answer", &reason), 0));
            }
            ask_again(request.to_mut(), parts, &reason);
        }
    }
}

/// Shows the model an answer of it that was refused, and says why. A call that was cut off with it has no result.
fn ask_again(request: &mut ModelRequest, mut parts: SharedVec<Part>, reason: &str) {
    if parts.iter().any(|part| matches!(part, Part::Call(_))) {
        let parts = parts.to_mut();
        parts.retain(|part| !matches!(part, Part::Call(_) | Part::Opaque(_) | Part::Activity(_)));
    }
    match request.messages.last_mut() {
        Some(Message::Assistant(message)) if message.parts.is_empty() => message.parts = parts,
        _ => request.messages.push(Message::Assistant(AssistantMessage {
            parts,
            ..AssistantMessage::default()
        })),
    }
    request.push_note(format!(
        "Note from the application: your answer was not given to the user: {reason}. Answer again, without that."
    ));
}

fn check_of<T, F, E>(check: impl Fn(T) -> F + Send + Sync + 'static) -> Check<T>
where
    F: Future<Output = Result<(), E>> + Send + 'static,
    E: Into<String>,
{
    Contained::new(Arc::new(move |value| {
        let checked = check(value);
        Box::pin(async move { checked.await.map_err(Into::into) })
    }))
}

/// What the checks say, up to the first that refuses.
async fn verdict<T: Clone, V: ?Sized + ToOwned<Owned = T>>(
    checks: &[Check<T>],
    value: &V,
) -> Verdict {
    for check in checks {
        // To begin a check is its own code as well.
        let checked = AssertUnwindSafe(async { Contained::new(check(value.to_owned())).await });
        match checked.catch_unwind().await {
            Ok(verdict) => verdict?,
            Err(panic) => {
                let reason = format!("its check panicked: {}", text_of(&panic));
                discard(panic);
                return Err(reason);
            }
        }
    }
    Ok(())
}

/// The error of a request whose question or answers were refused.
fn refused(what: &str, reason: &str) -> ModelError {
    let message = format!("a guardrail of the application refused {what}: {reason}");
    ModelError::new(ModelErrorKind::ContentFilter, message)
}

/// What answers cost that were refused.
#[derive(Default)]
struct Spent {
    usage: Option<Usage>,
    requests: u32,
    /// The reasons.
    refused: Vec<String>,
}

impl Spent {
    fn refuse(&mut self, response: ModelResponse, reason: &str) {
        self.requests = self.requests.saturating_add(response.requests);
        self.usage = sum(self.usage.take(), response.usage);
        self.refused.push(reason.to_owned());
    }

    fn add_to(self, mut response: ModelResponse) -> ModelResponse {
        response.requests = response.requests.saturating_add(self.requests);
        response.usage = sum(self.usage, response.usage);
        let warnings = self.refused.into_iter().map(|reason| {
            let message = format!("an answer was refused and asked for again: {reason}");
            Warning::new("answer_refused", message)
        });
        response.warnings.extend(warnings);
        response
    }

    /// Adds it to what an error holds, or to so many requests if that says nothing of them.
    fn add_to_error(self, mut error: ModelError, requests: u32) -> ModelError {
        if self.requests > 0 {
            let partial = error.partial.take();
            let partial = partial.map(|partial| *partial);
            let partial =
                partial.unwrap_or_else(|| ModelResponse::default().with_requests(requests));
            error.partial = Some(Box::new(self.add_to(partial)));
        }
        error
    }
}

fn sum(one: Option<Usage>, other: Option<Usage>) -> Option<Usage> {
    match (one, other) {
        (Some(mut one), Some(other)) => {
            one += &other;
            Some(one)
        }
        (one, other) => one.or(other),
    }
}

impl<M: ChatModel> ChatModel for Guarded<M> {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        if self.answer.is_empty() {
            let admitted = async move {
                match self.admit(request).await {
                    Ok(()) => self.model.stream(request),
                    Err(error) => Box::pin(stream::iter([Err(error)])),
                }
            };
            return Box::pin(stream::once(admitted).flatten());
        }
        let events = async move {
            match self.answer(request, true).await {
                Ok(response) => response.into_events().into_iter().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            }
        };
        Box::pin(stream::once(events).flat_map(stream::iter))
    }

    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(self.answer(request, false))
    }

    fn name(&self) -> Option<&str> {
        self.model.name()
    }

    fn capabilities(&self) -> ModelCapabilities {
        self.model.capabilities()
    }

    fn takes_answer_schema(&self, request: &ModelRequest) -> bool {
        self.model.takes_answer_schema(request)
    }
}

impl<M: fmt::Debug> fmt::Debug for Guarded<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guarded")
            .field("model", &self.model)
            .field("input_checks", &self.input.len())
            .field("answer_checks", &self.answer.len())
            .field("corrections", &self.corrections)
            .finish()
    }
}

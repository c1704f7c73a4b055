//! A model whose answers the application checks.

mod refusal;
mod spent;
mod withhold;

use std::{borrow::Cow, fmt, future::Future, pin::pin, sync::Arc, time::Duration};

use futures_util::{
    StreamExt,
    future::{Either, select},
};

use crate::{contained, dispatch::wait};
pub use refusal::AnswerRefusal;
use spent::RefusedResponses;
use toolwright_core::driver::{ANSWER, Caught, Emitter, checked_texts, emitted};
use toolwright_core::{
    Message,
    model::{
        ChatModel, ModelCapabilities, ModelError, ModelErrorKind, ModelRequest, ModelResponse,
        ModelStream, collect,
    },
    tool::BoxFuture,
};
use withhold::{unescaped, withhold};

type Verdict = Result<(), AnswerRefusal>;

/// How often the escapes of a text are read at most: each reading halves a row of backslashes, and texts that hold JSON in JSON
/// have a few.
const MOST_READINGS: usize = 16;

/// The longest time that the checks of one message or response may take.
pub(crate) const CHECK_TIME: Duration = Duration::from_secs(30);

type Check = Arc<dyn Fn(String) -> BoxFuture<'static, Verdict> + Send + Sync>;

/// A model with guardrails: the application checks responses before anybody reads them. Messages of the user are
/// checked by the runner: see [`RunnerBuilder::check_input`](crate::RunnerBuilder::check_input).
///
/// # What the model says
///
/// With a [check of answers](Self::check_answer), a response is passed on when it is complete and checked, even if it
/// is streamed. No unchecked part reaches a reader, a log, a store or another request:
///
/// | Of a response | |
/// | --- | --- |
/// | the text, beside calls as well; of a turn that was [paused](toolwright_core::FinishReason::Paused), with the text before | checked |
/// | the text of a refusal | checked |
/// | reasoning | checked |
/// | calls: their ids, names and arguments, and so typed answers, tasks of sub-agents and notes of hand-overs | checked |
/// | [activities](toolwright_core::message::ProviderActivity): tools of the provider with their input and output, citations, sources | checked |
/// | [opaque parts](toolwright_core::message::Opaque), as JSON; what is encrypted there only its provider can read | checked |
/// | the name of the model, the provider's reason of the end and its object of the usage, warnings, metadata | checked |
/// | images, documents, sound | withheld, with a warning `withheld` |
/// | numbers: usage, requests | handed on |
///
/// | Of an error | |
/// | --- | --- |
/// | the beginning of a response that broke off, because a check needs the whole | withheld |
/// | the beginning of what the provider sent ([`body`](ModelError::body)) | withheld |
/// | the message, the provider's code and type, the name of the model | checked |
/// | the message where it may quote the model: [`MalformedResponse`](ModelErrorKind::MalformedResponse), [`ToolChoiceUnmet`](ModelErrorKind::ToolChoiceUnmet), [`Panicked`](ModelErrorKind::Panicked) | withheld |
/// | kind, status, wait, usage, requests | handed on |
///
/// A check gets these texts one after the other: first the answer, then each other kind that there is, as one text.
/// Texts with escapes, such as `\u0041` in arguments, come once more as they are read. So a check can forbid text, but
/// cannot require it. If it refuses one text, the whole response is refused: the model gets the reason and answers
/// again, once by default ([`corrections`](Self::corrections)). The refused response is not sent back. After that the
/// request fails with [`ModelErrorKind::ContentFilter`] and the reason. A reason is read by the model and by the
/// application: do not quote refused text.
///
/// A response that took several requests has a [warning](ModelResponse::warnings) `answer_refused` for each one that was
/// refused, and the sum of their [usage](ModelResponse::usage).
///
/// # What is not checked
///
/// Calls and results of tools are not checked: use [middleware](toolwright_core::middleware) for them. The models of
/// [sub-agents](crate::runner::SubAgent), of other [agents](crate::runner::Agent) and of
/// [summaries](crate::RunnerBuilder::compact_with) are separate models: guard each of them. A wrapper inside of the
/// guarded model, such as a recording, has the unchecked response.
///
/// With emulated tools, put the guard around them: `Guarded::new(Emulated::new(model, mode))`. Then the checks see each
/// call as it runs. Inside of them (`Emulated::new(Guarded::new(model), mode)`) they see the text from which calls are
/// read, before reading it: `'sec' 'ret'` in a call of Python becomes an argument `secret` that no check has seen. The
/// guard around does not see a decision that could not be used; the model alone is sent it once more.
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
#[doc(alias("guardrail", "moderation"))]
#[derive(Clone)]
pub struct Guarded<M> {
    model: M,
    answer: Vec<Check>,
    corrections: u32,
}

impl<M: ChatModel> Guarded<M> {
    /// The default number of new requests after a refused answer.
    pub const CORRECTIONS: u32 = 1;

    /// The longest time that the checks of one response may take together.
    pub const CHECK_TIME: Duration = CHECK_TIME;

    /// Around a model. Nothing is checked yet.
    pub fn new(model: M) -> Self {
        Self {
            model,
            answer: Vec::new(),
            corrections: Self::CORRECTIONS,
        }
    }

    /// Adds a check of what the model says: of the answer, and of [all else](Self#what-the-model-says) in its response.
    /// Checks run in the order in which they were added, up to the first that refuses. One that panics refuses, and
    /// so do checks of one response that take longer than [`CHECK_TIME`](Self::CHECK_TIME) together.
    ///
    /// The model reads the reason of a refusal, and answers again. A reason is a string, or an [`AnswerRefusal`], which has
    /// a text for the user as well.
    #[must_use = "the model is changed by value"]
    pub fn check_answer<F, E>(mut self, check: impl Fn(String) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), E>> + Send + 'static,
        E: Into<AnswerRefusal>,
    {
        self.answer.push(check_of(check));
        self
    }

    /// Sets the number of new requests after a refused answer; 1 by default.
    #[must_use = "the model is changed by value"]
    pub fn corrections(mut self, corrections: u32) -> Self {
        self.corrections = corrections;
        self
    }

    /// The model inside.
    pub fn into_inner(self) -> M {
        self.model
    }

    /// Asks until a response may be given, or there were enough of them.
    async fn answer(
        &self,
        request: &ModelRequest,
        is_streamed: bool,
        emitter: &Emitter,
    ) -> Result<ModelResponse, ModelError> {
        let before = goes_on(request);
        let mut request = Cow::Borrowed(request);
        let mut spent = RefusedResponses::default();
        loop {
            let mut response = match self.ask(&request, is_streamed, &spent, emitter).await {
                Ok(response) => response,
                // The request that failed counts as well.
                Err(error) => {
                    let error = self.without_response(error).await;
                    return Err(spent.add_to_error(error, 1));
                }
            };
            let (what, refusal) = if withhold(&mut response) {
                (ANSWER, "no check of text can see it".into())
            } else {
                match in_time(self.check(&response, before.as_deref())).await {
                    Some(Ok(())) => return Ok(spent.add_to(response)),
                    Some(Err(refused)) => refused,
                    None => (ANSWER, "its check took too long".into()),
                }
            };
            let is_last = spent.refused() >= self.corrections;
            spent.refuse(&response, refusal.reason());
            if is_last {
                return Err(spent.add_to_error(refusal.into_error(what), 0));
            }
            spent
                .told()
                .into_iter()
                .for_each(|event| emitter.add(event));
            let reason = refusal.reason();
            request.to_mut().push_note(format!(
                "Note from the application: your last response was discarded, since {what} was refused: {reason}. \
                 Answer again, without that."
            ));
        }
    }

    /// The response to a request. What it has used so far is emitted, with that of earlier ones.
    async fn ask(
        &self,
        request: &ModelRequest,
        is_streamed: bool,
        spent: &RefusedResponses,
        emitter: &Emitter,
    ) -> Result<ModelResponse, ModelError> {
        let events = contained::stream(&self.model, request, is_streamed);
        let noted = events.inspect(|event| {
            if let Ok(event) = event {
                spent
                    .included(event)
                    .into_iter()
                    .for_each(|event| emitter.add(event));
            }
        });
        collect(Box::pin(noted)).await
    }

    /// The events of a response that may be given. Before that they are numbers.
    fn respond<'a>(&'a self, request: &'a ModelRequest, is_streamed: bool) -> ModelStream<'a> {
        emitted(move |emitter| async move {
            let response = self.answer(request, is_streamed, &emitter).await?;
            response
                .into_events()
                .into_iter()
                .for_each(|event| emitter.add(event));
            Ok(())
        })
    }

    /// Checks all that a model says in a response, and says what of it is refused, and why. `before` is the beginning of its
    /// turn.
    async fn check(
        &self,
        response: &ModelResponse,
        before: Option<&str>,
    ) -> Result<(), (&'static str, AnswerRefusal)> {
        for part in checked_texts(response) {
            let refused = |refusal| (part.what, refusal);
            self.check_text(&part.text).await.map_err(refused)?;
        }
        if let Some(before) = before {
            let checked = self.check_text(&(before.to_owned() + &response.text)).await;
            checked.map_err(|refusal| (ANSWER, refusal))?;
        }
        Ok(())
    }

    /// Checks a text, and each other way to read it.
    async fn check_text(&self, text: &str) -> Verdict {
        let mut text = Cow::Borrowed(text);
        for _ in 0..MOST_READINGS {
            verdict(&self.answer, &text).await?;
            match unescaped(&text) {
                Some(read) => text = read.into(),
                None => return Ok(()),
            }
        }
        Err("its text is hidden by nested escapes".into())
    }

    /// An error without what had come of the response, and without texts that a check refuses.
    async fn without_response(&self, error: ModelError) -> ModelError {
        let ModelError {
            kind,
            message,
            user_text,
            status,
            code,
            error_type,
            retry_after,
            retryable,
            partial,
            headers,
            ..
        } = error;
        let may_quote = matches!(
            kind,
            ModelErrorKind::MalformedResponse
                | ModelErrorKind::ToolChoiceUnmet
                | ModelErrorKind::Panicked
        );
        let withheld = "its message is withheld, since it may quote the response of the model";
        // They are of the server, not of the model.
        let mut without = ModelError::new(kind, withheld).with_headers(headers);
        (without.status, without.retry_after) = (status, retry_after);
        without.retryable = retryable;
        let (mut model, mut refused) = (None, false);
        if let Some(partial) = partial {
            without.partial = Some(Box::new(spent::only(&partial)));
            model = partial.model;
        }
        let texts = [
            Some(&message),
            user_text.as_ref(),
            code.as_ref(),
            error_type.as_ref(),
            model.as_ref(),
        ];
        let checks = async {
            for text in texts.into_iter().flatten() {
                refused |= self.check_text(text).await.is_err();
            }
        };
        refused |= in_time(checks).await.is_none();
        if refused {
            return without;
        }
        if !may_quote {
            (without.message, without.user_text) = (message, user_text);
        }
        (without.code, without.error_type) = (code, error_type);
        if let Some(partial) = &mut without.partial {
            partial.model = model;
        }
        without
    }
}

/// The text that a model wrote before its provider paused the turn, once or more often, which the response goes on with.
/// Whoever reads it has all of it.
fn goes_on(request: &ModelRequest) -> Option<String> {
    let turn = request
        .messages
        .iter()
        .rev()
        .map_while(|message| match message {
            Message::Assistant(before) if !before.parts.is_empty() => Some(before.text()),
            _ => None,
        });
    let mut pieces: Vec<_> = turn.collect();
    pieces.reverse();
    (!pieces.is_empty()).then(|| pieces.concat())
}

fn check_of<F, E>(check: impl Fn(String) -> F + Send + Sync + 'static) -> Check
where
    F: Future<Output = Result<(), E>> + Send + 'static,
    E: Into<AnswerRefusal>,
{
    Arc::new(move |value| {
        let checked = check(value);
        Box::pin(async move { checked.await.map_err(Into::into) })
    })
}

/// What checks say, unless they take too long.
async fn in_time<T>(checks: impl Future<Output = T>) -> Option<T> {
    match select(pin!(checks), pin!(wait(CHECK_TIME))).await {
        Either::Left((checked, _)) => Some(checked),
        Either::Right(_) => None,
    }
}

/// What the checks say, up to the first that refuses.
async fn verdict(checks: &[Check], text: &str) -> Verdict {
    for check in checks {
        // To begin a check is its own code as well.
        let checked = Caught::new(Box::pin(async { check(text.to_owned()).await }));
        // The message of a panic may quote what the check was given.
        let panicked = |_| Err("its check panicked".into());
        checked.await.unwrap_or_else(panicked)?;
    }
    Ok(())
}

impl<M: ChatModel> ChatModel for Guarded<M> {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        if self.answer.is_empty() {
            return self.model.stream(request);
        }
        self.respond(request, true)
    }

    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        if self.answer.is_empty() {
            return self.model.complete(request);
        }
        Box::pin(collect(self.respond(request, false)))
    }

    fn unstreamed<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        if self.answer.is_empty() {
            return self.model.unstreamed(request);
        }
        self.respond(request, false)
    }

    fn name(&self) -> Option<&str> {
        self.model.name()
    }

    fn provider(&self) -> Option<&str> {
        self.model.provider()
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
            .field("answer_checks", &self.answer.len())
            .field("corrections", &self.corrections)
            .finish()
    }
}

//! A model that asks again.

pub(crate) mod attempts;
#[cfg(test)]
mod tests;

use std::time::Duration;

use attempts::{Attempts, stream};

use crate::{contained, random};
use toolwright_core::{
    model::{
        ChatModel, ModelCapabilities, ModelError, ModelRequest, ModelResponse, ModelStream, collect,
    },
    run::Limits,
    tool::{Backoff, BoxFuture},
};

/// A model that sends a request again when the provider could not answer and says, or lets it be
/// understood, that it may answer later: [`ModelError::retryable`]. It is for those without a
/// [`Runner`](crate::Runner), which does the same and writes it into its log.
///
/// It waits as long as the provider asks, or by a [backoff](Backoff). A reader never sees two beginnings of one
/// response: once a piece of it has been passed on, there is no retry, and the error is passed on with the part that
/// had arrived. Events without a piece of the answer, such as the name of the model, are held back until then. Numbers
/// are not: the usage and the number of requests so far.
///
/// The [time limit](ModelRequest::time_limit) of a request is that of each attempt. One that takes longer has failed
/// for a reason that may pass.
///
/// An attempt that failed may have cost something. The [`usage`](ModelResponse::usage) of the response, or
/// of what an error [holds](ModelError::partial) of it, is the sum of all attempts.
///
/// ```
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// use toolwright::{
///     ChatModel, ModelError, ModelResponse, model::{ModelErrorKind, ModelRequest, Retry},
///     testing::{ScriptedModel, ScriptedResponse},
/// };
///
/// let busy = ModelError::new(ModelErrorKind::Overloaded, "try again later");
/// let answer = ModelResponse::from_text("Here I am.");
/// let model = Retry::new(ScriptedModel::new([ScriptedResponse::from(busy), answer.into()]));
/// let reply = model.complete(&ModelRequest::default()).await.unwrap();
/// assert_eq!(reply.text, "Here I am.");
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Retry<M> {
    model: M,
    retries: u32,
    backoff: Backoff,
}

impl<M: ChatModel> Retry<M> {
    /// The number of times that a request is sent again, unless set.
    pub const RETRIES: u32 = Limits::MODEL_RETRIES;

    /// The waits, unless set: [`Backoff::MODEL`].
    pub const BACKOFF: Backoff = Backoff::MODEL;

    /// Wraps a model: a request is sent up to 5 times.
    pub fn new(model: M) -> Self {
        Self {
            model,
            retries: Self::RETRIES,
            backoff: Self::BACKOFF,
        }
    }

    /// Sets how often a request is sent again after the first time; 4 by default, which take
    /// 7.5 to 15 seconds with the waits of [`Backoff::MODEL`].
    pub fn with_retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Sets how long it waits between two requests, where the provider does not say.
    pub fn with_backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// The model inside.
    pub fn into_inner(self) -> M {
        self.model
    }

    /// Returns the wait before the request is sent again, after so many attempts; `None` if it is not sent
    /// again. A provider that asks for a longer wait than [`Backoff::LONGEST_HINT`] is not waited for.
    fn wait(&self, error: &ModelError, attempts: u32) -> Option<Duration> {
        let again = error.may_pass() && attempts <= self.retries;
        again.then(|| {
            let hint = error.retry_after;
            self.backoff.wait(attempts, hint, random::fraction())
        })
    }
}

/// The attempts of one request.
struct Again<'a, M> {
    retry: &'a Retry<M>,
    request: &'a ModelRequest,
    is_streamed: bool,
    /// The number of this attempt, from 1.
    attempt: u32,
}

impl<'a, M: ChatModel> Attempts<'a> for Again<'a, M> {
    fn stream(&mut self) -> ModelStream<'a> {
        contained::stream(&self.retry.model, self.request, self.is_streamed)
    }

    fn next(&mut self, error: &ModelError) -> Option<Duration> {
        let wait = self.retry.wait(error, self.attempt)?;
        self.attempt += 1;
        Some(wait)
    }
}

impl<M: ChatModel> Retry<M> {
    fn attempts<'a>(&'a self, request: &'a ModelRequest, is_streamed: bool) -> Again<'a, M> {
        Again {
            retry: self,
            request,
            is_streamed,
            attempt: 1,
        }
    }
}

impl<M: ChatModel> ChatModel for Retry<M> {
    /// # Panics
    ///
    /// Outside of a tokio runtime that has its timer enabled, when it has to wait.
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        stream(self.attempts(request, true))
    }

    /// # Panics
    ///
    /// Outside of a tokio runtime that has its timer enabled, when it has to wait.
    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(collect(self.unstreamed(request)))
    }

    /// # Panics
    ///
    /// Outside of a tokio runtime that has its timer enabled, when it has to wait.
    fn unstreamed<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        stream(self.attempts(request, false))
    }

    fn name(&self) -> Option<&str> {
        self.model.name()
    }

    fn provider(&self) -> Option<&str> {
        self.model.provider()
    }

    fn capabilities(&self) -> ModelCapabilities {
        self.model.capabilities().with_limits_time(true)
    }

    fn takes_answer_schema(&self, request: &ModelRequest) -> bool {
        self.model.takes_answer_schema(request)
    }
}

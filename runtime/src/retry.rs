//! A model that asks again.

use std::{collections::VecDeque, time::Duration};

use futures_util::{StreamExt, stream};

use crate::{
    budget::Budget,
    dispatch,
    model::{
        ChatModel, ModelCapabilities, ModelError, ModelEvent, ModelRequest, ModelResponse,
        ModelStream, Usage,
    },
    random,
    run::Limits,
    tool::{Backoff, BoxFuture},
};

/// A model that sends a request again when the provider could not answer and says, or lets it be
/// understood, that it may answer later: [`ModelError::retryable`]. It is for those without a
/// [`Runner`](crate::Runner), which does the same and writes it into its log.
///
/// It waits as long as the provider asks, and else by a [backoff](Backoff). Nobody sees two beginnings
/// of one response: once a piece of it has been handed on, nothing is sent again, and the error is handed
/// on with what had come. Events that say nothing of the answer, such as the name of the model and the
/// tokens of the request, are held until then.
///
/// An attempt that failed may have cost something. The [`usage`](ModelResponse::usage) of the response, or
/// of what an error [holds](ModelError::partial) of it, is the sum of all attempts.
///
/// ```
/// # #[tokio::main(flavor = "current_thread", start_paused = true)] async fn main() {
/// use toolwright::{
///     ChatModel, ModelError, ModelResponse, model::{ModelErrorKind, ModelRequest, Retry},
///     testing::{ScriptedModel, ScriptedReply},
/// };
///
/// let busy = ModelError::new(ModelErrorKind::Overloaded, "try again later");
/// let answer = ModelResponse::from_text("Here I am.");
/// let model = Retry::new(ScriptedModel::new([ScriptedReply::from(busy), answer.into()]));
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

    /// Around a model: it asks up to 5 times.
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

impl<M: ChatModel> ChatModel for Retry<M> {
    /// # Panics
    ///
    /// Outside of a tokio runtime with time enabled, when it has to wait.
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let asking = Asking {
            retry: self,
            request,
            attempts: 1,
            stream: Some(self.model.stream(request)),
            again: None,
            told: VecDeque::new(),
            held: VecDeque::new(),
            answered: false,
            spent: None,
            failed: 0,
            usage: None,
            requests: 1,
            budget: Budget::new(),
        };
        Box::pin(stream::unfold(asking, async |mut asking| {
            asking.next().await.map(|event| (event, asking))
        }))
    }

    /// # Panics
    ///
    /// Outside of a tokio runtime with time enabled, when it has to wait.
    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            let mut attempts = 1;
            let (mut spent, mut failed) = (None, 0);
            loop {
                let error = match self.model.complete(request).await {
                    Ok(mut reply) => {
                        add(&mut reply.usage, spent.as_ref());
                        reply.requests = reply.requests.saturating_add(failed);
                        return Ok(reply);
                    }
                    Err(error) => error,
                };
                let Some(wait) = self.wait(&error, attempts) else {
                    return Err(with_spent(error, spent.as_ref(), failed));
                };
                add(&mut spent, usage_of(&error));
                failed = requests_of(&error).saturating_add(failed);
                dispatch::wait(wait).await;
                attempts += 1;
            }
        })
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

/// One request, as often as it is sent.
struct Asking<'a, M> {
    retry: &'a Retry<M>,
    request: &'a ModelRequest,
    attempts: u32,
    /// The stream of this attempt; `None` once it has ended.
    stream: Option<ModelStream<'a>>,
    /// The wait before the next attempt.
    again: Option<Duration>,
    /// What earlier attempts took, which is handed on at once: whoever asks may be cancelled before the next one ends.
    told: VecDeque<ModelEvent>,
    /// The events that wait to be handed on. Once a piece of the answer or the end has come, they are
    /// handed on at once.
    held: VecDeque<Result<ModelEvent, ModelError>>,
    /// A piece of the answer has come, or the end.
    answered: bool,
    /// The usage of earlier attempts.
    spent: Option<Usage>,
    /// The requests of earlier attempts.
    failed: u32,
    /// The usage of this attempt so far.
    usage: Option<Usage>,
    /// The requests of this attempt so far.
    requests: u32,
    /// A model that never waits must not keep others waiting.
    budget: Budget,
}

/// Adds what was used to a sum, if anything is known of it.
fn add(sum: &mut Option<Usage>, used: Option<&Usage>) {
    match (sum.as_mut(), used) {
        (Some(sum), Some(used)) => *sum += used,
        (None, Some(used)) => *sum = Some(used.clone()),
        (_, None) => {}
    }
}

/// Returns the usage of an attempt before it failed.
fn usage_of(error: &ModelError) -> Option<&Usage> {
    error.partial.as_ref()?.usage.as_ref()
}

/// Returns the number of requests of an attempt that failed.
fn requests_of(error: &ModelError) -> u32 {
    error.partial.as_ref().map_or(1, |partial| partial.requests)
}

/// The error of the last attempt, with what the ones before it used.
fn with_spent(mut error: ModelError, spent: Option<&Usage>, failed: u32) -> ModelError {
    if failed > 0 {
        let partial = error.partial.get_or_insert_default();
        add(&mut partial.usage, spent);
        partial.requests = partial.requests.saturating_add(failed);
    }
    error
}

/// The number of events without a part of the answer that are held. After so many they are handed on.
const HELD: usize = 1_000;

impl<M: ChatModel> Asking<'_, M> {
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        loop {
            if let Some(event) = self.told.pop_front() {
                return Some(Ok(event));
            }
            if let Some(wait) = self.again.take() {
                dispatch::wait(wait).await;
                self.attempts += 1;
                self.stream = Some(self.retry.model.stream(self.request));
            }
            if self.answered
                && let Some(event) = self.held.pop_front()
            {
                return Some(event);
            }
            self.budget.step().await;
            let came = self.stream.as_mut()?.next().await;
            match came {
                Some(Err(error)) if !self.answered => {
                    match self.retry.wait(&error, self.attempts) {
                        Some(wait) => {
                            // What said so closes its connection before the wait.
                            self.stream = None;
                            self.again = Some(wait);
                            self.held.clear();
                            let usage = self.usage.take();
                            add(&mut self.spent, usage_of(&error).or(usage.as_ref()));
                            self.told.extend(self.spent.clone().map(ModelEvent::from));
                            let requests =
                                std::mem::replace(&mut self.requests, 1).max(requests_of(&error));
                            self.failed = self.failed.saturating_add(requests);
                            let requests = self.failed.saturating_add(1);
                            self.told.push_back(ModelEvent::Requests(requests));
                        }
                        None => self.end(Some(Err(error))),
                    }
                }
                Some(Ok(mut event)) => {
                    if let ModelEvent::Usage(usage) = &mut event {
                        self.usage = Some(Usage::clone(usage));
                        // A reader keeps the last numbers that come.
                        if let Some(spent) = &self.spent {
                            **usage += spent;
                        }
                    }
                    if let ModelEvent::Requests(requests) = &mut event {
                        self.requests = *requests;
                        *requests = requests.saturating_add(self.failed);
                    }
                    self.answered |= !event.is_beside_the_answer() || self.held.len() >= HELD;
                    self.held.push_back(Ok(event));
                }
                end => self.end(end),
            }
        }
    }

    fn end(&mut self, last: Option<Result<ModelEvent, ModelError>>) {
        let last = last.map(|last| last.map_err(|error| self.told(error)));
        self.held.extend(last);
        self.answered = true;
        self.stream = None;
    }

    /// An error that is handed on. A reader of one that holds nothing of the response has been told by the
    /// events. The usage of a partial response takes precedence over that of the events, and so do more requests.
    fn told(&self, mut error: ModelError) -> ModelError {
        if let Some(partial) = &mut error.partial {
            partial.usage = partial.usage.take().or_else(|| self.usage.clone());
            add(&mut partial.usage, self.spent.as_ref());
            let requests = partial.requests.max(self.requests);
            partial.requests = requests.saturating_add(self.failed);
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::model::ModelErrorKind;

    type Events = Vec<Result<ModelEvent, ModelError>>;

    /// Streams these events, one list for each request.
    struct Streams(Mutex<VecDeque<Events>>);

    impl ChatModel for Streams {
        fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
            let events = self.0.lock().expect("is whole").pop_front();
            Box::pin(stream::iter(events.expect("is not asked more often")))
        }
    }

    /// An attempt tells its usage by an event, and then an error holds the partial response without it.
    #[tokio::test(start_paused = true)]
    async fn usage_that_the_last_attempt_told_before_its_error_is_counted() {
        let failed = |tokens| {
            let error = ModelError::new(ModelErrorKind::Overloaded, "busy");
            vec![
                Ok(ModelEvent::from(Usage::new(tokens, 0))),
                Err(error.with_partial(ModelResponse::default())),
            ]
        };
        let model = Retry::new(Streams(Mutex::new([failed(7), failed(4)].into())));
        let model = model.with_retries(1);
        let request = ModelRequest::default();
        let error = crate::model::collect(model.stream(&request)).await;
        let partial = error.expect_err("fails twice").partial.expect("is held");
        assert_eq!(partial.usage, Some(Usage::new(11, 0)));
        assert_eq!(partial.requests, 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_says_how_many_requests_it_took() {
        let busy = || ModelError::new(ModelErrorKind::Overloaded, "busy");
        let script = || {
            let answer = ModelResponse::from_text("Sunny.").with_requests(2);
            Streams(Mutex::new(
                [
                    vec![Err(busy())],
                    vec![Err(
                        busy().with_partial(ModelResponse::default().with_requests(3))
                    )],
                    answer.into_events().into_iter().map(Ok).collect(),
                ]
                .into(),
            ))
        };
        let request = ModelRequest::default();
        let streamed = Retry::new(script());
        let streamed = crate::model::collect(streamed.stream(&request)).await;
        let whole = Retry::new(script()).complete(&request).await;
        for response in [streamed, whole] {
            assert_eq!(response.expect("is the third").requests, 6);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn requests_that_an_attempt_told_before_its_error_are_counted() {
        let failed = |partial: Option<ModelResponse>| {
            let busy = ModelError::new(ModelErrorKind::Overloaded, "busy");
            let error = match partial {
                Some(partial) => busy.with_partial(partial),
                None => busy,
            };
            vec![Ok(ModelEvent::Requests(3)), Err(error)]
        };
        for partial in [None, Some(ModelResponse::default())] {
            let answer = ModelResponse::from_text("Sunny.").into_events();
            let answer = answer.into_iter().map(Ok).collect();
            let streams = [failed(partial.clone()), answer];
            let model = Retry::new(Streams(Mutex::new(streams.into())));
            let request = ModelRequest::default();
            let response = crate::model::collect(model.stream(&request)).await;
            assert_eq!(response.expect("is the second").requests, 4);

            let streams = [failed(partial.clone()), failed(partial)];
            let model = Retry::new(Streams(Mutex::new(streams.into()))).with_retries(1);
            let error = crate::model::collect(model.stream(&request)).await;
            let partial = error.expect_err("fails twice").partial;
            assert_eq!(partial.expect("is held").requests, 6);
        }
    }

    /// A model whose errors hold nothing.
    struct Busy;

    impl Busy {
        fn error() -> ModelError {
            ModelError::new(ModelErrorKind::Overloaded, "busy")
        }
    }

    impl ChatModel for Busy {
        fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
            Box::pin(stream::iter([Err(Self::error())]))
        }

        fn complete<'a>(
            &'a self,
            _: &'a ModelRequest,
        ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
            Box::pin(async { Err(Self::error()) })
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_error_says_how_many_requests_it_took() {
        let request = ModelRequest::default();
        let model = Retry::new(Busy).with_retries(2);
        let streamed = crate::model::collect(model.stream(&request)).await;
        for response in [streamed, model.complete(&request).await] {
            let partial = response.expect_err("fails three times").partial;
            assert_eq!(partial.expect("counts them").requests, 3);
        }
        let once = model.with_retries(0).complete(&request).await;
        assert_eq!(once, Err(Busy::error()));
    }

    /// The second attempt never answers, and may be cancelled.
    #[tokio::test(start_paused = true)]
    async fn what_an_attempt_used_is_told_before_the_next_one() {
        struct Once(Mutex<Option<Events>>);

        impl ChatModel for Once {
            fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
                match self.0.lock().expect("is whole").take() {
                    Some(events) => Box::pin(stream::iter(events)),
                    None => Box::pin(stream::pending()),
                }
            }
        }

        let used = || ModelEvent::from(Usage::new(7, 0));
        let model = ModelEvent::Model("first".into());
        let events = vec![Ok(model), Ok(used()), Err(Busy::error())];
        let model = Retry::new(Once(Mutex::new(Some(events))));
        let request = ModelRequest::default();
        let mut stream = model.stream(&request);
        let mut told = Vec::new();
        let read = async {
            while let Some(event) = stream.next().await {
                told.push(event);
            }
        };
        let waited = tokio::time::timeout(Duration::from_secs(60), read).await;
        assert!(waited.is_err(), "it has no end");
        assert_eq!(told, [Ok(used()), Ok(ModelEvent::Requests(2))]);
    }
}

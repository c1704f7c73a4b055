//! One request, in several attempts of which one is answered.

use std::{collections::VecDeque, time::Duration};

use futures_util::{StreamExt, stream};

use crate::{budget::Budget, dispatch};
use toolwright_core::model::{ModelError, ModelEvent, ModelStream, Usage};

/// Who is asked in each attempt, and whether another one follows.
pub(crate) trait Attempts<'a>: Send + 'a {
    /// Asks for a response.
    fn stream(&mut self) -> ModelStream<'a>;

    /// Moves to the next attempt after an error, and returns the wait before it; `None` if there is no
    /// further attempt.
    fn next(&mut self, error: &ModelError) -> Option<Duration>;

    /// Makes the error of the last attempt that of all.
    fn last(&mut self, error: ModelError) -> ModelError {
        error
    }
}

/// The events of the response of the attempt that is answered.
pub(crate) fn stream<'a>(mut attempts: impl Attempts<'a>) -> ModelStream<'a> {
    let asking = Asking {
        stream: Some(attempts.stream()),
        attempts,
        again: None,
        told: VecDeque::new(),
        held: VecDeque::new(),
        answered: false,
        spent: None,
        spent_requests: 0,
        usage: None,
        passed: None,
        requests: 1,
        budget: Budget::new(),
    };
    Box::pin(stream::unfold(asking, async |mut asking| {
        asking.next().await.map(|event| (event, asking))
    }))
}

/// One request, as often as it is sent.
struct Asking<'a, A> {
    attempts: A,
    /// The stream of this attempt; `None` once it has ended.
    stream: Option<ModelStream<'a>>,
    /// The wait before the next attempt.
    again: Option<Duration>,
    /// The usage of earlier attempts. It is passed on at once, because the caller may be cancelled before the next
    /// attempt ends.
    told: VecDeque<ModelEvent>,
    /// The events that wait to be handed on. Once a piece of the answer or the end has come, they are
    /// handed on at once.
    held: VecDeque<Result<ModelEvent, ModelError>>,
    /// A piece of the answer has come, or the end.
    answered: bool,
    /// The usage of earlier attempts.
    spent: Option<Usage>,
    /// The requests of earlier attempts.
    spent_requests: u32,
    /// The usage of this attempt so far.
    usage: Option<Usage>,
    /// The usage that was passed on last.
    passed: Option<Usage>,
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

/// The number of events without a part of the answer that are held. After so many they are handed on.
const HELD: usize = 1_000;

impl<'a, A: Attempts<'a>> Asking<'a, A> {
    async fn next(&mut self) -> Option<Result<ModelEvent, ModelError>> {
        loop {
            if let Some(event) = self.told.pop_front() {
                return Some(Ok(event));
            }
            if let Some(wait) = self.again.take() {
                dispatch::wait(wait).await;
                self.stream = Some(self.attempts.stream());
            }
            if self.answered
                && let Some(event) = self.held.pop_front()
            {
                return Some(event);
            }
            self.budget.step().await;
            let came = self.stream.as_mut()?.next().await;
            match came {
                Some(Err(error)) if !self.answered => self.failed(error),
                Some(Ok(mut event)) => {
                    // A reader keeps the last numbers that come. The caller may be cancelled before more comes.
                    if let ModelEvent::Usage(usage) = &mut event {
                        self.usage = Some(Usage::clone(usage));
                        if let Some(spent) = &self.spent {
                            **usage += spent;
                        }
                        self.passed = Some(Usage::clone(usage));
                        return Some(Ok(event));
                    }
                    if let ModelEvent::Requests(requests) = &mut event {
                        self.requests = *requests;
                        *requests = requests.saturating_add(self.spent_requests);
                        return Some(Ok(event));
                    }
                    self.answered |= !event.is_beside_the_answer() || self.held.len() >= HELD;
                    self.held.push_back(Ok(event));
                }
                end => self.end(end),
            }
        }
    }

    /// Goes on to the next attempt, or ends.
    fn failed(&mut self, error: ModelError) {
        let Some(wait) = self.attempts.next(&error) else {
            let error = self.attempts.last(error);
            return self.end(Some(Err(error)));
        };
        // The failed stream closes its connection before the wait.
        self.stream = None;
        self.again = Some(wait);
        self.held.clear();
        let usage = self.usage.take();
        add(&mut self.spent, usage_of(&error).or(usage.as_ref()));
        if self.spent != self.passed {
            self.told.extend(self.spent.clone().map(ModelEvent::from));
        }
        let requests = std::mem::replace(&mut self.requests, 1).max(requests_of(&error));
        self.spent_requests = self.spent_requests.saturating_add(requests);
        let requests = self.spent_requests.saturating_add(1);
        self.told.push_back(ModelEvent::Requests(requests));
    }

    fn end(&mut self, last: Option<Result<ModelEvent, ModelError>>) {
        let last = last.map(|last| last.map_err(|error| self.told(error)));
        self.held.extend(last);
        self.answered = true;
        self.stream = None;
    }

    /// An error that is passed on. If it has no partial response, the events had its usage already. The usage of
    /// a partial response takes precedence over that of the events, and so do more requests.
    fn told(&self, mut error: ModelError) -> ModelError {
        if let Some(partial) = &mut error.partial {
            partial.usage = partial.usage.take().or_else(|| self.usage.clone());
            add(&mut partial.usage, self.spent.as_ref());
            let requests = partial.requests.max(self.requests);
            partial.requests = requests.saturating_add(self.spent_requests);
        }
        error
    }
}

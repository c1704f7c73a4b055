//! The requests of one response, and what they used.

use toolwright_core::model::{ModelError, ModelEvent, ModelResponse, Usage};

/// The requests that have ended, for the response that is made.
#[derive(Debug, Default)]
pub(super) struct EarlierRequests {
    requests: u32,
    usage: Option<Usage>,
}

impl EarlierRequests {
    /// Counts a request that has ended.
    pub(super) fn add(&mut self, response: &ModelResponse) {
        self.requests = self.requests.saturating_add(response.requests.max(1));
        self.usage = self.with(response.usage.as_ref());
    }

    /// Counts a request that has failed.
    pub(super) fn add_failed(&mut self, error: &ModelError) {
        match &error.partial {
            Some(partial) => self.add(partial),
            None => self.requests = self.requests.saturating_add(1),
        }
    }

    /// The usage so far and that of one more request.
    fn with(&self, usage: Option<&Usage>) -> Option<Usage> {
        let mut sum = self.usage.clone();
        match (&mut sum, usage) {
            (Some(sum), Some(usage)) => *sum += usage,
            (None, usage) => sum = usage.cloned(),
            (_, None) => {}
        }
        sum
    }

    /// The number of requests that have ended.
    pub(super) fn requests(&self) -> u32 {
        self.requests
    }

    /// The usage of those.
    pub(super) fn usage(&self) -> Option<&Usage> {
        self.usage.as_ref()
    }

    /// An event of one more request, as one of the response.
    pub(super) fn included(&self, event: ModelEvent) -> ModelEvent {
        match event {
            ModelEvent::Usage(usage) => {
                let sum = self.with(Some(&usage));
                sum.map_or(ModelEvent::Usage(usage), ModelEvent::from)
            }
            ModelEvent::Requests(requests) => {
                ModelEvent::Requests(self.requests.saturating_add(requests))
            }
            event => event,
        }
    }

    /// An error after requests that have ended, with what they took. The text of a decision is not
    /// passed on.
    pub(super) fn ended(&self, error: ModelError) -> ModelError {
        let mut partial = ModelResponse::default();
        partial.usage.clone_from(&self.usage);
        partial.requests = self.requests;
        error.with_partial(partial)
    }

    /// The error of one more request, as that of the response.
    pub(super) fn error(&self, mut error: ModelError) -> ModelError {
        if self.requests > 0 {
            let partial = error.partial.get_or_insert_default();
            partial.usage = self.with(partial.usage.as_ref());
            partial.requests = partial.requests.saturating_add(self.requests);
        }
        error
    }
}

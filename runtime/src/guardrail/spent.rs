//! The cost of responses that were refused.

use toolwright_core::model::{ModelError, ModelEvent, ModelResponse, Usage, Warning};

/// The cost of refused responses.
#[derive(Default)]
pub(super) struct RefusedResponses {
    usage: Option<Usage>,
    requests: u32,
    /// Why each was refused.
    reasons: Vec<String>,
}

impl RefusedResponses {
    /// The number of responses.
    pub(super) fn refused(&self) -> u32 {
        u32::try_from(self.reasons.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn refuse(&mut self, response: &ModelResponse, reason: &str) {
        let response = only(response);
        self.requests = self.requests.saturating_add(response.requests);
        self.usage = sum(self.usage.take(), response.usage);
        self.reasons.push(reason.to_owned());
    }

    /// An event of one more request that has a number, as one of the response.
    pub(super) fn included(&self, event: &ModelEvent) -> Option<ModelEvent> {
        match event {
            ModelEvent::Usage(usage) => {
                let sum = sum(self.usage.clone(), Some(without_text(usage)));
                sum.map(ModelEvent::from)
            }
            ModelEvent::Requests(requests) => Some(ModelEvent::Requests(
                self.requests.saturating_add(*requests),
            )),
            _ => None,
        }
    }

    /// What the refused responses took, before one more request is sent.
    pub(super) fn told(&self) -> Vec<ModelEvent> {
        let requests = ModelEvent::Requests(self.requests.saturating_add(1));
        let usage = self.usage.clone().map(ModelEvent::from);
        usage.into_iter().chain([requests]).collect()
    }

    pub(super) fn add_to(self, mut response: ModelResponse) -> ModelResponse {
        response.requests = response.requests.saturating_add(self.requests);
        response.usage = sum(self.usage, response.usage);
        let warnings = self.reasons.into_iter().map(|reason| {
            let message = format!("an answer was refused and asked for again: {reason}");
            Warning::new("answer_refused", message)
        });
        response.warnings.extend(warnings);
        response
    }

    /// Adds it to what an error holds, or to so many requests if that says nothing of them.
    pub(super) fn add_to_error(self, mut error: ModelError, requests: u32) -> ModelError {
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

/// A response of which nothing is left but its cost.
pub(super) fn only(response: &ModelResponse) -> ModelResponse {
    let usage = response.usage.as_ref().map(without_text);
    let mut only = ModelResponse::default();
    (only.usage, only.requests) = (usage, response.requests);
    only
}

/// The numbers. The provider's own object is one of its texts.
fn without_text(usage: &Usage) -> Usage {
    let mut numbers = usage.clone();
    numbers.raw = serde_json::Value::Null;
    numbers
}

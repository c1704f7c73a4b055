//! The limits of a run. `outcome.rs` has `Limit`, which one was reached, and `spent.rs` finds that out.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Cost;

/// The limits of a run, and the reaction when one is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Limits {
    /// At most this many rounds of tool calls; 50 by default. `n` rounds allow `n + 1` model calls: the last one
    /// answers from the results so far. If it calls tools, these do not run, and the limit is reached.
    #[doc(alias("max_turns", "max_steps", "max_iterations"))]
    pub max_rounds: u32,
    /// At most this many tool calls in the run; no limit by default. If a response has more calls than are left, the
    /// first ones run, and the others get the result "not executed".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tool_calls: Option<u32>,
    /// At most this many calls of one response run; 128 by default. The others get the result "not executed", and the
    /// limit is reached.
    #[serde(default = "calls_per_response")]
    pub max_calls_per_response: u32,
    /// The number of rounds in a row with only invalid calls at which the limit is reached; 3 by default. A call is
    /// invalid if no tool has its name, or its arguments do not fit.
    #[serde(default = "invalid_rounds")]
    pub max_invalid_rounds: Option<u32>,
    /// The limit on input and output tokens of the run, as the provider counts them, with those that it had cached; none
    /// by default. It is reached when
    /// what is left is no more than [`answer_tokens`](Self::answer_tokens), so that it holds for the whole run if the
    /// answer takes no more than these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The tokens of [`max_tokens`](Self::max_tokens) that are reserved for the request of the answer; by default as
    /// many as the latest request took, because the last one sends about as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_tokens: Option<u64>,
    /// The cost at which the limit is reached, by the [prices](super::RunConfig::prices); none by default. The request
    /// for the answer comes after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_cost: Option<Cost>,
    /// The reaction at a limit; [`OnLimit::Summarize`] by default.
    pub on_limit: OnLimit,
    /// True if a model that repeats the same calls without progress is stopped; true by default. A model makes no
    /// progress when [`REPEATS`](Self::REPEATS) of the last [`WINDOW`](Self::WINDOW) rounds had the same calls, names
    /// and arguments byte for byte, with the same results. The first time, the next request warns the model. The second
    /// time, the limit is reached. A round with a call of a tool that [polls](crate::ToolPolicy::polls) does not count.
    #[serde(default = "yes")]
    pub no_progress: bool,
    /// The number of times that one request to the model is sent again after a failure that may pass
    /// ([`ModelError::retryable`](crate::ModelError::retryable)); 4 by default. With the waits of
    /// [`Backoff::MODEL`](crate::Backoff::MODEL) these are 7.5 to 15 seconds, which outlasts an outage of a few
    /// seconds.
    #[serde(default = "model_retries")]
    pub model_retries: u32,
    /// The time limit of the run, from its first step; one hour by default, 15 minutes for a [chat](Self::chat). Time in
    /// which nothing but people or the application is waited for does not count, here and in sub-agents: each of those
    /// waits has [its own limit](super::RunConfig::pending_time). The time of a process that has died counts up to
    /// what it has written last. At the limit no more calls start. Running calls are stopped as by a cancel, and so is
    /// the current request to the model. `None` is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_time: Option<Duration>,
    /// The time limit of the summary that follows [`max_time`](Self::max_time); 30 seconds by default.
    #[serde(default = "half_a_minute")]
    pub summary_time: Duration,
    /// The time limit of one request to the model until its whole response is there; 10 minutes by default, and `None` is
    /// no limit. A request that takes longer has failed for a reason that may pass, and is sent again up to
    /// [`model_retries`](Self::model_retries) times. A model that asks several times for one response has this limit
    /// for each time: see [`ModelRequest::time_limit`](crate::ModelRequest::time_limit).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_timeout: Option<Duration>,
}

fn calls_per_response() -> u32 {
    Limits::CALLS_PER_RESPONSE
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "serde asks for the type of the field"
)]
fn invalid_rounds() -> Option<u32> {
    Some(Limits::INVALID_ROUNDS)
}

fn half_a_minute() -> Duration {
    Limits::SUMMARY_TIME
}

fn model_retries() -> u32 {
    Limits::MODEL_RETRIES
}

fn yes() -> bool {
    true
}

impl Limits {
    /// The number of equal rounds that count as no progress.
    pub const REPEATS: usize = 3;
    /// The number of rounds that are compared, counted from the last.
    pub const WINDOW: usize = 5;
    /// The default number of times that a request to the model is sent again.
    pub const MODEL_RETRIES: u32 = 4;
    /// The default number of calls of one response that run.
    pub const CALLS_PER_RESPONSE: u32 = 128;
    /// The default number of rounds in a row with only invalid calls.
    pub const INVALID_ROUNDS: u32 = 3;
    /// The default time limit of a run.
    pub const MAX_TIME: Duration = Duration::from_secs(60 * 60);
    /// The default time limit of a run for a person who waits.
    pub const CHAT_TIME: Duration = Duration::from_secs(15 * 60);
    /// The default time limit of one request to the model.
    pub const MODEL_TIMEOUT: Duration = Duration::from_secs(10 * 60);
    /// The default time limit of the summary after the time limit of a run.
    pub const SUMMARY_TIME: Duration = Duration::from_secs(30);

    /// Returns the limits for a conversation with a person who waits: 5 rounds and 15 minutes.
    pub const fn chat() -> Self {
        Self::agent()
            .with_max_rounds(5)
            .with_max_time(Self::CHAT_TIME)
    }

    /// Returns the limits for a task that may take long: 50 rounds and one hour. This is the default.
    pub const fn agent() -> Self {
        Self {
            max_rounds: 50,
            max_tool_calls: None,
            max_calls_per_response: Self::CALLS_PER_RESPONSE,
            max_invalid_rounds: Some(Self::INVALID_ROUNDS),
            max_tokens: None,
            answer_tokens: None,
            max_cost: None,
            on_limit: OnLimit::Summarize,
            no_progress: true,
            model_retries: Self::MODEL_RETRIES,
            max_time: Some(Self::MAX_TIME),
            summary_time: Self::SUMMARY_TIME,
            model_timeout: Some(Self::MODEL_TIMEOUT),
        }
    }

    /// Sets the number of rounds.
    pub const fn with_max_rounds(mut self, rounds: u32) -> Self {
        self.max_rounds = rounds;
        self
    }

    /// Sets the number of tool calls of the run.
    pub const fn with_max_tool_calls(mut self, calls: u32) -> Self {
        self.max_tool_calls = Some(calls);
        self
    }

    /// Sets how many calls of one response run.
    pub const fn with_max_calls_per_response(mut self, calls: u32) -> Self {
        self.max_calls_per_response = calls;
        self
    }

    /// Sets after how many rounds in a row with only invalid calls the limit is reached; `None` for never.
    pub const fn with_max_invalid_rounds(mut self, rounds: Option<u32>) -> Self {
        self.max_invalid_rounds = rounds;
        self
    }

    /// Sets how many input and output tokens the run may take.
    pub const fn with_max_tokens(mut self, tokens: u64) -> Self {
        self.max_tokens = Some(tokens);
        self
    }

    /// Sets how many tokens are reserved for the answer.
    pub const fn with_answer_tokens(mut self, tokens: u64) -> Self {
        self.answer_tokens = Some(tokens);
        self
    }

    /// Sets the cost at which the limit is reached.
    pub const fn with_max_cost(mut self, cost: Cost) -> Self {
        self.max_cost = Some(cost);
        self
    }

    /// Sets whether a model that repeats itself without progress is stopped.
    pub const fn with_no_progress(mut self, stops: bool) -> Self {
        self.no_progress = stops;
        self
    }

    /// Sets how often one request to the model is sent again.
    pub const fn with_model_retries(mut self, retries: u32) -> Self {
        self.model_retries = retries;
        self
    }

    /// Sets how long the run may take.
    pub const fn with_max_time(mut self, time: Duration) -> Self {
        self.max_time = Some(time);
        self
    }

    /// Sets the time limit of the summary after the time limit of a run.
    pub const fn with_summary_time(mut self, time: Duration) -> Self {
        self.summary_time = time;
        self
    }

    /// Sets how long one request to the model may take.
    pub const fn with_model_timeout(mut self, time: Duration) -> Self {
        self.model_timeout = Some(time);
        self
    }

    /// Sets what happens at a limit.
    pub const fn with_on_limit(mut self, on_limit: OnLimit) -> Self {
        self.on_limit = on_limit;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::agent()
    }
}

/// The reaction when a limit of a run is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OnLimit {
    /// The model is asked for an answer from the results so far, with its tools locked.
    #[default]
    Summarize,
    /// The run ends without an answer. At a limit on rounds or tool calls, the last request is like the others and may
    /// be answered. At any other limit no request follows.
    Stop,
    /// Like [`Stop`](Self::Stop), but the run fails instead of ending.
    Error,
}

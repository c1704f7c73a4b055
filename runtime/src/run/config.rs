//! The settings of a run.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use crate::model::ToolChoice;

/// The settings of a run. They are data and are kept in its log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunConfig {
    /// The system text, for a conversation that has none of its own. It is sent and not kept in the
    /// conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// What bounds the run.
    pub limits: Limits,
    /// How many calls of a round run at once; 8 by default.
    pub concurrency: NonZeroUsize,
    /// Which tools the model may or must call. [`ToolChoice::Required`] and [`ToolChoice::Tool`]
    /// hold until the first round is over; then the model decides.
    pub tool_choice: ToolChoice,
}

impl RunConfig {
    /// How many calls of a round run at once, unless set.
    pub const CONCURRENCY: NonZeroUsize = NonZeroUsize::new(8).expect("8 is not 0");
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            system: None,
            limits: Limits::default(),
            concurrency: Self::CONCURRENCY,
            tool_choice: ToolChoice::Auto,
        }
    }
}

/// What bounds a run, and what happens at the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Limits {
    /// At most this many rounds of tool calls; 50 by default. `n` rounds allow `n + 1` model calls:
    /// the last one answers with what the rounds have found.
    pub max_rounds: u32,
    /// What happens when a bound is reached; [`OnLimit::Summarize`] by default.
    pub on_limit: OnLimit,
    /// Whether a model that goes round in circles is stopped; it is by default. It does so when
    /// [`REPEATS`](Self::REPEATS) of the last [`WINDOW`](Self::WINDOW) rounds had the same calls, names and
    /// arguments byte for byte, with the same results. The first time the next request tells the
    /// model so; then a bound is reached. A round with a call of a tool that
    /// [polls](crate::ToolPolicy::polls) does not count.
    #[serde(default = "yes")]
    pub no_progress: bool,
    /// How often one request to the model is sent again when it failed for a reason that may pass
    /// ([`ModelError::retryable`](crate::ModelError::retryable)); 2 by default.
    #[serde(default = "two")]
    pub model_retries: u32,
}

fn two() -> u32 {
    Limits::MODEL_RETRIES
}

fn yes() -> bool {
    true
}

impl Limits {
    /// How many rounds that are alike are no progress.
    pub const REPEATS: usize = 3;
    /// Of how many rounds, counted from the last.
    pub const WINDOW: usize = 5;
    /// How often a request to the model is sent again, unless set.
    pub const MODEL_RETRIES: u32 = 2;

    /// For a conversation with a person who waits: 5 rounds.
    pub const fn chat() -> Self {
        Self {
            max_rounds: 5,
            on_limit: OnLimit::Summarize,
            no_progress: true,
            model_retries: Self::MODEL_RETRIES,
        }
    }

    /// For a task that may take long: 50 rounds. This is the default.
    pub const fn agent() -> Self {
        Self {
            max_rounds: 50,
            on_limit: OnLimit::Summarize,
            no_progress: true,
            model_retries: Self::MODEL_RETRIES,
        }
    }

    /// Sets the number of rounds.
    pub const fn with_max_rounds(mut self, rounds: u32) -> Self {
        self.max_rounds = rounds;
        self
    }

    /// Sets whether a model that goes round in circles is stopped.
    pub const fn with_no_progress(mut self, stops: bool) -> Self {
        self.no_progress = stops;
        self
    }

    /// Sets how often one request to the model is sent again.
    pub const fn with_model_retries(mut self, retries: u32) -> Self {
        self.model_retries = retries;
        self
    }

    /// Sets what happens when a bound is reached.
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

/// What happens when a bound of a run is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OnLimit {
    /// The model is asked for an answer from what has been found, with its tools locked.
    #[default]
    Summarize,
    /// The run ends without an answer.
    Stop,
    /// The run fails.
    Error,
}

//! What the runs of sub-agents have spent that a call has started.

use serde::{Deserialize, Serialize};

use super::{Cost, RunOutcome};
use crate::model::Usage;

/// What the runs of sub-agents have spent that a call has started, with those below them. It
/// counts for the run of the call: in its outcome, and for its limits.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallSpent {
    /// Tokens of all requests.
    pub usage: Usage,
    /// The cost of these tokens, by the prices of each run.
    #[serde(default)]
    pub cost: Cost,
    /// The number of requests to models: see [`RunOutcome::model_calls`].
    #[serde(default)]
    pub model_calls: u32,
    /// The number of requests that these took: see [`RunOutcome::requests`].
    #[serde(default)]
    pub requests: u32,
    /// The number of tool calls that were allowed to run.
    #[serde(default)]
    pub tool_calls: u32,
}

impl CallSpent {
    /// What a run has spent, with those below it.
    pub fn of(outcome: &RunOutcome) -> Self {
        Self {
            usage: outcome.usage.clone(),
            cost: outcome.cost.unwrap_or_default(),
            model_calls: outcome.model_calls,
            requests: outcome.requests,
            tool_calls: outcome.tool_calls,
        }
    }

    /// The tokens that limits count.
    pub fn tokens(&self) -> u64 {
        self.usage.total_tokens()
    }

    /// Adds what another run has spent that the same call has started.
    pub fn add(&mut self, other: &Self) {
        self.usage += &other.usage;
        self.cost += other.cost;
        self.model_calls = self.model_calls.saturating_add(other.model_calls);
        self.requests = self.requests.saturating_add(other.requests);
        self.tool_calls = self.tool_calls.saturating_add(other.tool_calls);
    }
}

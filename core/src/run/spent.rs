//! What a run has used of its limits.

use super::{
    CallSpent, Cost, Limit, Limits, PriceTable,
    counted::counted,
    faults::{Fault, has},
};
use crate::{
    model::{ModelResponse, Usage},
    tool::ToolResult,
};

/// What a run has used of its limits.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Spent {
    /// The number of rounds that count.
    pub(super) rounds: u32,
    /// The calls that were allowed to run.
    pub(super) tool_calls: u32,
    /// The latest rounds in a row in which no call was valid.
    pub(super) invalid_rounds: u32,
    /// Tokens of all requests.
    pub(super) usage: Usage,
    /// The tokens of the latest request.
    pub(super) latest_tokens: u64,
    pub(super) cost: Cost,
}

/// What is not known of a response, although a limit counts it: the name of a warning, and its text.
pub(super) type Uncounted = (&'static str, &'static str);

impl Spent {
    /// Counts the tokens of a response. It says what cannot be counted.
    pub(super) fn add(
        &mut self,
        response: &ModelResponse,
        limits: &Limits,
        prices: &PriceTable,
    ) -> Option<Uncounted> {
        let cost = prices.cost_of(response);
        self.cost += cost.unwrap_or_default();
        let Some(usage) = &response.usage else {
            let counts = limits.max_tokens.is_some() || limits.max_cost.is_some();
            return counts.then_some((
                "usage_unknown",
                "a response came without its number of tokens, which the limits do not count",
            ));
        };
        self.usage += usage;
        self.latest_tokens = usage.total_tokens();
        (cost.is_none() && !prices.is_empty()).then_some((
            "price_unknown",
            "the model of a response has no price, so that its tokens are not in the cost",
        ))
    }

    /// Counts what the runs of sub-agents have spent that a call has started.
    pub(super) fn add_agents(&mut self, spent: &CallSpent) {
        if has(Fault::ForgetsAgents) {
            return;
        }
        self.usage += &spent.usage;
        self.cost += spent.cost;
        self.tool_calls = self.tool_calls.saturating_add(spent.tool_calls);
    }

    /// Counts a round that is over, with its results apart from those of answers.
    pub(super) fn add_round(&mut self, results: &[&ToolResult]) {
        self.rounds += 1;
        if results.is_empty() {
            return;
        }
        let is_invalid =
            |result: &&ToolResult| matches!(&result.outcome, Err(error) if error.is_invalid_call());
        self.invalid_rounds = if results.iter().all(is_invalid) {
            self.invalid_rounds + 1
        } else {
            0
        };
    }

    /// The number of calls that the next response may run.
    pub(super) fn calls_left(&self, limits: &Limits) -> u32 {
        let max = limits.max_tool_calls.unwrap_or(u32::MAX);
        max.saturating_sub(self.tool_calls)
    }

    /// The limit that one more call would be over, if that is so.
    pub(super) fn limit_of_calls(&self, limits: &Limits) -> Option<Limit> {
        let max = limits.max_rounds;
        if self.rounds >= max && !has(Fault::IgnoresRounds) {
            return Some(Limit::Rounds { max });
        }
        let max = limits
            .max_tool_calls
            .filter(|_| self.calls_left(limits) == 0)?;
        Some(Limit::ToolCalls { max })
    }

    /// The limit that one more request would be over, if that is so, apart from a last one for the answer.
    pub(super) fn limit_of_requests(&self, limits: &Limits) -> Option<Limit> {
        let reached = |max: Option<u32>, count| max.filter(|max| count >= *max);
        if let Some(max) = reached(limits.max_invalid_rounds, self.invalid_rounds) {
            return Some(Limit::InvalidCalls { max });
        }
        self.limit_of_spending(limits)
    }

    /// The limit of tokens or of cost that one more request would be over, if that is so.
    pub(super) fn limit_of_spending(&self, limits: &Limits) -> Option<Limit> {
        let reserve = limits.answer_tokens.unwrap_or(self.latest_tokens);
        if let Some(max) = limits.max_tokens
            && self.usage.total_tokens().saturating_add(reserve) >= max
        {
            return Some(Limit::Tokens { max });
        }
        let max = limits.max_cost.filter(|max| self.cost >= *max)?;
        Some(Limit::Cost { max })
    }

    /// What the model is told before it reaches a limit.
    pub(super) fn warning(&self, limits: &Limits) -> Option<String> {
        let mut notes = Vec::new();
        let (max, rounds) = (limits.max_rounds, self.rounds);
        if max > 1 && max - rounds.min(max) == 1 {
            notes.push("you can call tools once more, and then have to answer".to_owned());
        }
        if let Some(max) = limits.max_tool_calls {
            let left = self.calls_left(limits);
            if self.tool_calls > 0 && left <= max / 5 + 1 {
                let calls = counted(left, "more tool call");
                notes.push(format!("at most {calls} will run"));
            }
        }
        if let Some(max) = limits.max_invalid_rounds
            && max > 1
            && self.invalid_rounds + 1 == max
        {
            notes.push(
                "no call of your last rounds was valid: if those of the next are not either, no more will run"
                    .to_owned(),
            );
        }
        if let Some(max) = limits.max_tokens {
            let used = self.usage.total_tokens();
            if used >= max / 5 * 4 {
                let left = max.saturating_sub(used);
                let (tokens, are) = (counted(left, "token"), if left == 1 { "is" } else { "are" });
                notes.push(format!("{tokens} {are} left: come to an answer"));
            }
        }
        let text = notes.join("; ");
        (!text.is_empty()).then(|| format!("Note from the application: {text}."))
    }
}

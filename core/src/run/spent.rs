//! What a run has used of its limits, and the limit that it has reached.

use std::time::Duration;

use super::{
    CallSpent, Limit, Limits, PriceTable,
    counted::counted,
    faults::{Fault, has},
};
use crate::{
    model::{ModelResponse, Usage},
    tool::ToolResult,
};

/// What a run has used of its limits, and the limit that it has reached.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Spent {
    /// The number of rounds that count.
    rounds: u32,
    /// The latest rounds in a row in which no call was valid.
    invalid_rounds: u32,
    /// All that the run and the runs of its sub-agents have spent. Of its calls those count that were allowed to run.
    in_all: CallSpent,
    /// The tokens of the latest request.
    latest_tokens: u64,
    model_retries: u32,
    corrections: u32,
    pauses: u32,
    /// The time that the run has used, as far as the log says it.
    time: Duration,
    /// The limit that was reached.
    reached: Option<Limit>,
}

/// What is not known of a response, although a limit counts it: the name of a warning, and its text.
pub(super) type Uncounted = (&'static str, &'static str);

impl Spent {
    /// Counts a request to the model, which may have taken several.
    pub(super) fn add_request(&mut self, response: Option<&ModelResponse>) {
        let requests = response.map_or(1, |response| response.requests.max(1));
        self.in_all.model_calls += 1;
        self.in_all.requests = self.in_all.requests.saturating_add(requests);
    }

    /// Counts a request that is made again.
    pub(super) fn add_retry(&mut self) {
        self.model_retries += 1;
    }

    /// Counts a response that was none, or an answer that did not fit.
    pub(super) fn add_correction(&mut self) {
        self.corrections += 1;
    }

    /// Counts a pause of the provider.
    pub(super) fn add_pause(&mut self) {
        self.pauses += 1;
    }

    /// Counts calls that are allowed to run.
    pub(super) fn add_calls(&mut self, calls: u32) {
        self.in_all.tool_calls += calls;
    }

    /// Takes the time that the run has used in all.
    pub(super) fn set_time(&mut self, time: Duration) {
        self.time = time;
    }

    /// Counts the tokens of a response. It says what cannot be counted.
    pub(super) fn add_tokens(
        &mut self,
        response: &ModelResponse,
        limits: &Limits,
        prices: &PriceTable,
    ) -> Option<Uncounted> {
        let cost = prices.cost_of(response);
        self.in_all.cost += cost.unwrap_or_default();
        let Some(usage) = &response.usage else {
            let counts = limits.max_tokens.is_some() || limits.max_cost.is_some();
            return counts.then_some((
                "usage_unknown",
                "a response reported no token usage: the limits do not count its tokens",
            ));
        };
        self.in_all.usage += usage;
        self.latest_tokens = usage.total_tokens();
        (cost.is_none() && !prices.is_empty()).then_some((
            "price_unknown",
            "the model of a response has no price: the cost does not include its tokens",
        ))
    }

    /// Counts what the runs of sub-agents have spent that a call has started.
    pub(super) fn add_agents(&mut self, spent: &CallSpent) {
        if !has(Fault::ForgetsAgents) {
            self.in_all.add(spent);
        }
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
        max.saturating_sub(self.in_all.tool_calls)
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
            && self.in_all.tokens().saturating_add(reserve) >= max
        {
            return Some(Limit::Tokens { max });
        }
        let max = limits.max_cost.filter(|max| self.in_all.cost >= *max)?;
        Some(Limit::Cost { max })
    }

    /// The limit is reached.
    pub(super) fn reach(&mut self, limit: Limit) {
        self.reached = Some(limit);
    }

    /// The limit that was reached leaves the run as it was.
    pub(super) fn forget_limit(&mut self) {
        self.reached = None;
    }

    /// The limit that the run has reached.
    pub(super) fn reached(&self, limits: &Limits) -> Limit {
        let max = limits.max_rounds;
        self.reached.unwrap_or(Limit::Rounds { max })
    }

    /// The notes to the model before it reaches a limit.
    pub(super) fn warning(&self, limits: &Limits) -> Option<String> {
        let mut notes = Vec::new();
        let (max, rounds) = (limits.max_rounds, self.rounds);
        if max > 1 && max - rounds.min(max) == 1 {
            notes.push("you can call tools once more, and then have to answer".to_owned());
        }
        if let Some(max) = limits.max_tool_calls {
            let left = self.calls_left(limits);
            if self.in_all.tool_calls > 0 && left <= max / 5 + 1 {
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
            let used = self.in_all.tokens();
            if used >= max / 5 * 4 {
                let left = max.saturating_sub(used);
                let (tokens, are) = (counted(left, "token"), if left == 1 { "is" } else { "are" });
                notes.push(format!("{tokens} {are} left: come to an answer"));
            }
        }
        let text = notes.join("; ");
        (!text.is_empty()).then(|| format!("Note from the application: {text}."))
    }
    /// What the run has spent, with the sub-agents whose calls have their result.
    pub(super) fn in_all(&self) -> CallSpent {
        self.in_all.clone()
    }

    pub(super) fn rounds(&self) -> u32 {
        self.rounds
    }

    pub(super) fn usage(&self) -> &Usage {
        &self.in_all.usage
    }

    pub(super) fn latest_tokens(&self) -> u64 {
        self.latest_tokens
    }

    pub(super) fn model_retries(&self) -> u32 {
        self.model_retries
    }

    pub(super) fn corrections(&self) -> u32 {
        self.corrections
    }

    pub(super) fn pauses(&self) -> u32 {
        self.pauses
    }

    pub(super) fn time(&self) -> Duration {
        self.time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_of_several_requests_counts_as_one_call_of_the_model() {
        let mut spent = Spent::default();
        spent.add_request(Some(&ModelResponse::from_text("a").with_requests(3)));
        spent.add_request(Some(&ModelResponse::from_text("b").with_requests(0)));
        spent.add_request(None);
        let all = spent.in_all();
        assert_eq!((all.model_calls, all.requests), (3, 5));
    }

    #[test]
    fn what_agents_spend_counts_and_is_no_round() {
        let mut spent = Spent::default();
        let of_agents = CallSpent {
            usage: Usage::new(7, 0),
            model_calls: 2,
            requests: 3,
            tool_calls: 4,
            ..CallSpent::default()
        };
        spent.add_agents(&of_agents);
        assert_eq!((spent.in_all(), spent.rounds()), (of_agents, 0));
        let limits = Limits::default().with_max_tool_calls(4);
        assert_eq!(
            spent.limit_of_calls(&limits),
            Some(Limit::ToolCalls { max: 4 })
        );
    }

    #[test]
    fn a_limit_that_leaves_the_run_as_it_was_is_forgotten() {
        let (mut spent, limits) = (Spent::default(), Limits::default());
        let rounds = spent.reached(&limits);
        spent.reach(Limit::NoProgress);
        assert_eq!(spent.reached(&limits), Limit::NoProgress);
        spent.forget_limit();
        assert_eq!(spent.reached(&limits), rounds);
    }
}

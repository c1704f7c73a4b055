//! The steps to the next request, or to the end of a run.

use std::fmt::Display;

use super::State;
use crate::run::{
    Failure, Finish, Limit, ModelCall, OnLimit, RequestPlan, StopReason,
    correction::Correction,
    faults::{Fault, has},
    phase::Phase,
};

impl State {
    /// Comes to the next request, or to the bound that the rounds so far have reached.
    pub(super) fn ask(&mut self) {
        let limits = self.config.limits;
        let sums_up = limits.on_limit == OnLimit::Summarize;
        if self.stopping.is_cancelled() {
            self.phase = Phase::Model(ModelCall::Open);
        } else if self.stopping.is_after_round() {
            self.phase = Phase::Decided(Finish::Cancelled);
        } else if self.stopping.is_late() {
            self.reach(self.time_limit());
        } else if let Some(limit) = self.spent.limit_of_calls(&limits)
            && sums_up
        {
            // The last request is to sum up. Elsewhere it is one like the others.
            self.reach(limit);
        } else if let Some(limit) = self.spent.limit_of_requests(&limits) {
            self.reach(limit);
        } else if self.rounds.are_stuck() {
            self.reach(Limit::NoProgress);
        } else {
            self.pushed.read_into(&mut self.conversation);
            self.turn.plan_next(self.config.plans_requests);
            self.phase = Phase::Model(ModelCall::Open);
        }
    }

    /// The next request has its plan, or the run ends by it.
    pub(super) fn request_planned(&mut self, plan: &RequestPlan) {
        self.turn.set_plan(plan);
        if let Some(reason) = &plan.end {
            self.phase = Phase::Decided(Finish::Stopped(StopReason::Hook(reason.clone())));
        }
    }

    /// The agent that a call of the last round names takes over.
    pub(super) fn transferred(&mut self) {
        self.agent.take_over(self.spent.rounds());
        if let Some(agent) = self.agent.config(&self.config) {
            self.conversation.set_agent(&agent.name);
        }
    }

    /// Asks the model once more, since its response was none.
    pub(super) fn correct(&mut self, correction: Correction) {
        if let Some(limit) = self.limit_of_corrections() {
            return self.reach(limit);
        }
        self.spent.add_correction();
        self.turn.correct(correction);
        self.ask_again(ModelCall::Open);
    }

    /// Makes a request again that has had no answer, or ends the run if it was to end with that.
    pub(super) fn ask_again(&mut self, call: ModelCall) {
        if self.stopping.is_after_round() {
            self.phase = Phase::Decided(Finish::Cancelled);
            return;
        }
        self.pushed.read_into(&mut self.conversation);
        self.phase = Phase::Model(call);
    }

    /// The limit that one more request would be over, if that is so. A correction is no round.
    pub(super) fn limit_of_corrections(&self) -> Option<Limit> {
        if self.stopping.is_late() {
            return Some(self.time_limit());
        }
        self.spent
            .limit_of_requests(&self.config.limits)
            .filter(|_| !has(Fault::CorrectsBeyondLimits))
    }

    /// Ends the run, unless another message came meanwhile, which is answered first.
    pub(super) fn conclude(&mut self, finish: Finish) {
        let is_to_stop = self.stopping.is_cancelled() || self.stopping.is_after_round();
        if finish != Finish::Answered || self.pushed.unread().is_empty() || is_to_stop {
            self.phase = Phase::Decided(finish);
            return;
        }
        self.turn.over();
        self.ask();
        if matches!(self.phase, Phase::Decided(_)) {
            // At a limit, no request is left for the message. The answer stays one.
            self.spent.forget_limit();
            self.phase = Phase::Decided(finish);
        }
    }

    /// The time of the run is up: what it does is broken off, and at most a summary is made, which has a
    /// time of its own.
    pub(super) fn time_limit_reached(&mut self) {
        self.stop_summarizing();
        match self.phase.model_call() {
            Some(ModelCall::Open) => self.reach(self.time_limit()),
            Some(_) => self.no_summary("summary_failed", &"the final text did not come in time"),
            // Its calls are brought to an end first.
            None => {}
        }
    }

    /// A limit is reached that the run shares with the one around it.
    pub(super) fn shared_limit_reached(&mut self, limit: Limit) {
        if !has(Fault::IgnoresShared) {
            self.reach(limit);
        }
    }

    /// A bound is reached: the run ends, or sums up first.
    pub(super) fn reach(&mut self, limit: Limit) {
        self.spent.reach(limit);
        self.turn.request_over();
        if self.stopping.is_after_round() {
            self.phase = Phase::Decided(Finish::Cancelled);
            return;
        }
        if self.config.limits.on_limit == OnLimit::Summarize {
            self.pushed.read_into(&mut self.conversation);
        }
        self.phase = match self.config.limits.on_limit {
            OnLimit::Summarize if has(Fault::UnlocksLastRequest) => Phase::Model(ModelCall::Open),
            OnLimit::Summarize => Phase::Model(ModelCall::Locked),
            OnLimit::Stop => Phase::Decided(Finish::Limit {
                limit,
                summarized: false,
            }),
            OnLimit::Error => Phase::Decided(Finish::Failed(Failure::Limit(limit))),
        };
    }

    /// The model is asked for a summary once more, without tools.
    pub(super) fn flatten(&mut self, code: &str, why: &dyn Display) {
        self.warnings.add(code, why);
        self.phase = Phase::Model(ModelCall::Flattened);
    }

    /// The run ends at its bound without a summary.
    pub(super) fn no_summary(&mut self, code: &str, why: &dyn Display) {
        self.warnings.add(code, why);
        self.end_at_limit(false);
    }

    /// The run ends at its bound.
    pub(super) fn end_at_limit(&mut self, summarized: bool) {
        let limit = self.spent.reached(&self.config.limits);
        self.phase = Phase::Decided(Finish::Limit { limit, summarized });
    }

    fn time_limit(&self) -> Limit {
        let max = self.config.limits.max_time.unwrap_or_default();
        Limit::Time { max }
    }
}

//! Steps that end a run, or bring it to its last request.

use super::{Cancel, Phase, State};
use crate::{
    model::Warning,
    run::{
        Failure, Finish, Limit, ModelCall, OnLimit,
        correction::Correction,
        faults::{Fault, has},
        no_progress::LoopGuard,
        plan::Planned,
    },
};

impl State {
    /// Comes to the next request, or to the bound that the rounds so far have reached.
    pub(super) fn ask(&mut self) {
        let limits = self.config.limits;
        let sums_up = limits.on_limit == OnLimit::Summarize;
        if self.is_cancelled() {
            self.phase = Phase::Model(ModelCall::Open);
        } else if self.cancel == Cancel::AfterRound {
            self.phase = Phase::Decided(Finish::Cancelled);
        } else if self.late {
            self.reach(self.time_limit());
        } else if let Some(limit) = self.spent.limit_of_calls(&limits)
            && sums_up
        {
            // The last request is to sum up. Elsewhere it is one like the others.
            self.reach(limit);
        } else if let Some(limit) = self.spent.limit_of_requests(&limits) {
            self.reach(limit);
        } else if self.progress == LoopGuard::None {
            self.reach(Limit::NoProgress);
        } else {
            self.read_pushed();
            self.planned = if self.config.plans_requests {
                Planned::Wanted
            } else {
                Planned::Not
            };
            self.phase = Phase::Model(ModelCall::Open);
        }
    }

    /// Asks the model once more, since its response was none.
    pub(super) fn correct(&mut self, correction: Correction) {
        if let Some(limit) = self.limit_of_corrections() {
            return self.reach(limit);
        }
        self.corrected += 1;
        self.corrections.make(correction);
        if self.cancel == Cancel::AfterRound {
            self.phase = Phase::Decided(Finish::Cancelled);
            return;
        }
        self.read_pushed();
        self.phase = Phase::Model(ModelCall::Open);
    }

    /// The limit that one more request would be over, if that is so. A correction is no round.
    pub(super) fn limit_of_corrections(&self) -> Option<Limit> {
        if self.late {
            return Some(self.time_limit());
        }
        self.spent
            .limit_of_requests(&self.config.limits)
            .filter(|_| !has(Fault::CorrectsBeyondLimits))
    }

    /// The time of the run is up: what it does is broken off, and at most a summary is made, which has a
    /// time of its own.
    pub(super) fn time_limit_reached(&mut self) {
        self.late = true;
        self.stop_summarizing();
        match self.phase {
            Phase::Model(ModelCall::Open) | Phase::Waiting(ModelCall::Open, _) => {
                self.reach(self.time_limit());
            }
            Phase::Model(_) | Phase::Waiting(..) => {
                self.no_summary("summary_failed", &"the final text did not come in time");
            }
            // Its calls are brought to an end first.
            Phase::Tools(_) | Phase::Decided(_) | Phase::Finished(_) => {}
        }
    }

    /// A bound is reached: the run ends, or sums up first.
    pub(super) fn reach(&mut self, limit: Limit) {
        self.limit = Some(limit);
        self.attempts = 0;
        if self.cancel == Cancel::AfterRound {
            self.phase = Phase::Decided(Finish::Cancelled);
            return;
        }
        if self.config.limits.on_limit == OnLimit::Summarize {
            self.read_pushed();
        }
        self.phase = match self.config.limits.on_limit {
            OnLimit::Summarize if has(Fault::UnlocksLastRequest) => Phase::Model(ModelCall::Open),
            OnLimit::Summarize => Phase::Model(ModelCall::Locked),
            OnLimit::Stop | OnLimit::Error => Phase::Decided(self.end_at(limit)),
        };
    }

    /// Returns the end of a run that reaches a limit without a summary.
    pub(super) fn end_at(&self, limit: Limit) -> Finish {
        match self.config.limits.on_limit {
            OnLimit::Error => Finish::Failed(Failure::Limit(limit)),
            OnLimit::Summarize | OnLimit::Stop => Finish::Limit {
                limit,
                summarized: false,
            },
        }
    }

    /// The bound that the run has reached.
    pub(in crate::run) fn limit_reached(&self) -> Limit {
        let max = self.config.limits.max_rounds;
        self.limit.unwrap_or(Limit::Rounds { max })
    }

    /// The model is asked for a summary once more, without tools.
    pub(super) fn flatten(&mut self, code: &str, why: &dyn std::fmt::Display) {
        self.warn(code, why);
        self.phase = Phase::Model(ModelCall::Flattened);
    }

    /// The run ends at its bound without a summary.
    pub(super) fn no_summary(&mut self, code: &str, why: &dyn std::fmt::Display) {
        self.warn(code, why);
        let (limit, summarized) = (self.limit_reached(), false);
        self.phase = Phase::Decided(Finish::Limit { limit, summarized });
    }

    pub(super) fn warn(&mut self, code: &str, why: &dyn std::fmt::Display) {
        self.warnings.push(Warning::new(code, why.to_string()));
    }

    fn time_limit(&self) -> Limit {
        let max = self.config.limits.max_time.unwrap_or_default();
        Limit::Time { max }
    }
}

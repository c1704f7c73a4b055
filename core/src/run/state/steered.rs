//! Steps that somebody takes from outside while a run is under way: messages for the model, an end after the round, and
//! plans of requests.

use super::{Cancel, Phase, State};
use crate::run::{
    Finish, ModelCall, RequestPlan, StopReason,
    correction::Corrections,
    faults::{Fault, has},
    plan::Planned,
};

impl State {
    /// Puts the messages that wait into the conversation, where the next request has them.
    pub(super) fn read_pushed(&mut self) {
        for message in self.pushed.drain(..) {
            self.pushed_read += 1;
            if !has(Fault::LosesPushed) {
                self.conversation.push_user(message);
            }
        }
    }

    /// Ends the run, unless somebody has said more meanwhile: that is answered as well.
    pub(super) fn conclude(&mut self, finish: Finish) {
        if finish != Finish::Answered || self.pushed.is_empty() || self.cancel != Cancel::None {
            self.phase = Phase::Decided(finish);
            return;
        }
        self.pauses = 0;
        self.corrections = Corrections::default();
        self.ask();
        if matches!(self.phase, Phase::Decided(_)) {
            // A limit leaves no request for what was said. The answer stays one.
            self.limit = None;
            self.phase = Phase::Decided(finish);
        }
    }

    /// Returns true if the next request is to be planned first.
    pub(in crate::run) fn wants_plan(&self) -> bool {
        self.planned == Planned::Wanted && matches!(self.phase, Phase::Model(ModelCall::Open))
    }

    /// The plan of the request under way or of the next one, or of the request that the round answers. A request for a
    /// summary has none.
    pub(in crate::run) fn plan(&self) -> Option<&RequestPlan> {
        let has_plan = matches!(
            self.phase,
            Phase::Model(ModelCall::Open) | Phase::Waiting(ModelCall::Open, _) | Phase::Tools(_)
        );
        match &self.planned {
            Planned::Made(plan) if has_plan => Some(plan),
            _ => None,
        }
    }

    pub(super) fn request_planned(&mut self, plan: &RequestPlan) {
        if let Some(reason) = &plan.end {
            self.phase = Phase::Decided(Finish::Stopped(StopReason::Hook(reason.clone())));
        }
        self.planned = Planned::Made(Box::new(plan.clone()));
    }
}

//! The turn of the model that is under way: its requests up to the next round, or to the answer.

use super::{
    RequestPlan,
    correction::{Correction, Corrections},
};

/// The turn of the model that is under way: its requests up to the next round, or to the answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Turn {
    /// The number of failures of the current request.
    attempts: u32,
    /// The number of times that the provider has paused the turn.
    pauses: u32,
    corrections: Corrections,
    planned: Planned,
}

/// Whether the next request has its plan.
#[derive(Debug, Clone, PartialEq, Default)]
enum Planned {
    /// Nobody plans it.
    #[default]
    Not,
    /// The hook is to be asked.
    Wanted,
    Made(Box<RequestPlan>),
}

impl Turn {
    /// A request failed, and is made again.
    pub(super) fn request_failed(&mut self) {
        self.attempts += 1;
    }

    /// A request has come to its end: the next one is another.
    pub(super) fn request_over(&mut self) {
        self.attempts = 0;
    }

    /// The number of failures of the current request.
    pub(super) fn attempts(&self) -> u32 {
        self.attempts
    }

    /// A response has come: the next request says nothing of the correction that it followed, unless there is another one
    /// to make.
    pub(super) fn response_came(&mut self) {
        self.corrections.heard();
    }

    /// The provider has paused the turn.
    pub(super) fn paused(&mut self) {
        self.pauses += 1;
    }

    pub(super) fn pauses(&self) -> u32 {
        self.pauses
    }

    /// The next request makes a correction.
    pub(super) fn correct(&mut self, correction: Correction) {
        self.corrections.make(correction);
    }

    /// The corrections that were made.
    pub(super) fn corrections(&self) -> Corrections {
        self.corrections
    }

    /// The model begins its answer again: no pause belongs to it.
    pub(super) fn answer_again(&mut self) {
        self.pauses = 0;
    }

    /// The turn is over. The next one has its own corrections.
    pub(super) fn over(&mut self) {
        self.pauses = 0;
        self.corrections = Corrections::default();
    }

    /// The next request is another one, which the hook is to plan if there is one.
    pub(super) fn plan_next(&mut self, is_planned: bool) {
        self.planned = if is_planned {
            Planned::Wanted
        } else {
            Planned::Not
        };
    }

    pub(super) fn set_plan(&mut self, plan: &RequestPlan) {
        self.planned = Planned::Made(Box::new(plan.clone()));
    }

    /// Returns true if the request is to be planned before it is sent.
    pub(super) fn wants_plan(&self) -> bool {
        self.planned == Planned::Wanted
    }

    /// The plan of the request, if it has one.
    pub(super) fn plan(&self) -> Option<&RequestPlan> {
        match &self.planned {
            Planned::Made(plan) => Some(plan),
            Planned::Not | Planned::Wanted => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_again_is_of_the_same_turn() {
        let mut turn = Turn::default();
        turn.paused();
        turn.correct(Correction::Empty);
        turn.answer_again();
        assert_eq!(turn.pauses(), 0);
        assert!(turn.corrections().has(Correction::Empty));
        turn.over();
        assert!(!turn.corrections().has(Correction::Empty));
    }

    #[test]
    fn a_plan_holds_for_the_requests_that_repeat_the_first() {
        let mut turn = Turn::default();
        turn.plan_next(true);
        assert!(turn.wants_plan() && turn.plan().is_none());
        turn.set_plan(&RequestPlan::new());
        turn.request_failed();
        turn.correct(Correction::Empty);
        assert!(!turn.wants_plan() && turn.plan().is_some());
        assert_eq!(turn.attempts(), 1);
        turn.request_over();
        turn.plan_next(false);
        assert!(!turn.wants_plan() && turn.plan().is_none());
        assert_eq!(turn.attempts(), 0);
    }
}

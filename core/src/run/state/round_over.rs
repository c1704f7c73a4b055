//! Steps when a call has its result, and when a round has all of them.

use std::mem::{replace, take};

use super::{Phase, State, answering::Given};
use crate::{
    run::{CallId, CallSpent, Finish, no_progress, round::Then, stop},
    tool::ToolResult,
};

impl State {
    pub(super) fn call_finished(
        &mut self,
        call: CallId,
        result: ToolResult,
        spent: Option<&CallSpent>,
    ) {
        let Phase::Tools(round) = &mut self.phase else {
            return;
        };
        if let Some(spent) = spent {
            self.spent.add_agents(spent);
            self.model_calls = self.model_calls.saturating_add(spent.model_calls);
            self.requests = self.requests.saturating_add(spent.requests);
        }
        round.finish(call.index as usize, result);
        if !round.schedule.is_finished() {
            return;
        }
        let (calls, results) = (take(&mut round.calls), round.take_results());
        let polls = round.policies.iter().any(|policy| policy.polls);
        let answer = stop::answer_of(&round.policies, &results);
        let (number, counts) = (round.number, round.counts);
        let mut then = replace(&mut round.then, Then::Ask);
        let (answer, unfit) = match self.given(&calls, &results) {
            Some(Given::Answer(text)) => (Some(text), None),
            Some(Given::Unfit { text, reason }) if answer.is_none() => (None, Some((text, reason))),
            _ => (answer, None),
        };
        let mut stops = None;
        if matches!(then, Then::Ask | Then::Reach(_)) {
            if counts {
                let others = calls.iter().zip(&results);
                let others = others.filter(|(call, _)| !self.takes_answer(&call.name));
                let others: Vec<_> = others.map(|(_, result)| result).collect();
                self.spent.add_round(&others);
            }
            let conditions = &self.config.stop_when;
            let reason = stop::stop_after(conditions, self.spent.rounds, &calls);
            stops = reason.map(Finish::Stopped);
        }
        self.agent
            .round_over(&self.config, number, &calls, &results);
        let only_answers = calls.iter().all(|call| self.takes_answer(&call.name));
        self.past_calls.insert(number, calls);
        self.conversation
            .push_results(results)
            .expect("every call of the round has finished, in its own place");
        self.numbered += 1;
        if let Some(text) = answer.filter(|_| !self.is_cancelled()) {
            (self.text, self.broken_off) = (text, false);
            if stops.is_some() {
                self.phase = Phase::Decided(Finish::Answered);
                return;
            }
            return self.conclude(Finish::Answered);
        }
        if let Some((text, reason)) = unfit
            && !self.is_cancelled()
        {
            if let Some(finish) = self.call_unfit(text, reason) {
                self.phase = Phase::Decided(finish);
                return;
            }
            // No call was over a limit: the answer is asked for again, as one that came as text.
            if only_answers && matches!(then, Then::Reach(_)) {
                then = Then::Ask;
            }
        }
        match stops {
            Some(finish) if !self.is_cancelled() => self.phase = Phase::Decided(finish),
            _ => self.after_round(then, polls),
        }
    }

    /// Comes to what follows a round.
    fn after_round(&mut self, then: Then, polls: bool) {
        match then {
            Then::Ask => {
                if self.config.limits.no_progress {
                    let repeats = !polls && no_progress::repeats(&self.conversation, self.numbered);
                    self.progress = self.progress.after(repeats);
                }
                self.ask();
            }
            Then::Reach(limit) if self.is_cancelled() || self.late => {
                self.limit = Some(limit);
                self.ask();
            }
            Then::Reach(limit) => self.reach(limit),
            Then::Correct(correction) => self.correct(correction),
            Then::End(finish, said) => {
                if let Some(said) = said {
                    self.conversation.push_response(*said);
                }
                self.conclude(*finish);
            }
        }
    }
}

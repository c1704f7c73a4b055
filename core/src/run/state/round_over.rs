//! Steps when a call has its result, and when a round has all of them.

use super::{State, answered::Given};
use crate::{
    run::{CallId, CallSpent, Finish, phase::Phase, round::Then, stop},
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
        }
        round.finish(call.index as usize, result);
        if !round.is_finished() {
            return;
        }
        let polls = round.policies().any(|policy| policy.polls);
        let on_offer: Vec<_> = round.policies().map(|policy| !policy.unknown).collect();
        let (number, counts) = (round.number(), round.counts());
        let (calls, results, then) = round.take();
        let answer = stop::answer_of(round.policies(), &results);
        let (answer, unfit) = match self.given(&calls, &results) {
            Some(Given::Answer(text)) => (Some(text), None),
            Some(Given::Unfit { text, reason }) if answer.is_none() => (None, Some((text, reason))),
            _ => (answer, None),
        };
        let mut stops = None;
        if matches!(then, Then::Ask | Then::Reach(_)) {
            if counts {
                let others = calls.iter().zip(&results);
                let others = others.filter(|(call, _)| !self.config.takes_answer(&call.name));
                let others: Vec<_> = others.map(|(_, result)| result).collect();
                self.spent.add_round(&others);
            }
            let conditions = &self.config.stop_when;
            let reason = stop::stop_after(conditions, self.spent.rounds(), &calls);
            stops = reason.map(Finish::Stopped);
        }
        self.agent
            .round_over(&self.config, number, (&calls, &on_offer), &results);
        let mut names = calls.iter().map(|call| &call.name);
        let only_answers = names.all(|name| self.config.takes_answer(name));
        self.rounds.over(calls);
        self.conversation
            .push_results(results)
            .expect("every call of the round has finished, in its own place");
        let is_cancelled = self.stopping.is_cancelled();
        if let Some(text) = answer.filter(|_| !is_cancelled) {
            self.answering.give(text);
            if stops.is_some() {
                self.phase = Phase::Decided(Finish::Answered);
                return;
            }
            return self.conclude(Finish::Answered);
        }
        let mut then = then;
        if let Some((text, reason)) = unfit
            && !is_cancelled
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
            Some(finish) if !is_cancelled => self.phase = Phase::Decided(finish),
            _ => self.after_round(then, polls),
        }
    }

    /// Comes to what follows a round.
    fn after_round(&mut self, then: Then, polls: bool) {
        match then {
            Then::Ask => {
                if self.config.limits.no_progress {
                    self.rounds.compare(&self.conversation, polls);
                }
                self.ask();
            }
            Then::Reach(limit) if self.stopping.reason().is_some() => {
                self.spent.reach(limit);
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

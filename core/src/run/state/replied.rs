//! Effects of a response, or of its absence, on a run.

use std::{collections::BTreeMap, mem::take};

use super::{Phase, State};
use crate::{
    FinishReason, ToolError,
    conversation::{not_executed, why_none_ran},
    message::{Part, SharedVec},
    model::{ModelError, ModelResponse, ToolChoice, Warning},
    run::{
        Finish, Limit, ModelCall, RunConfig,
        agents::refuse_transfers,
        allowed, broken_off,
        correction::{Correction, Corrections},
        faults::{Fault, has},
        round::{Round, Then},
        verdict::{self, Asked, Verdict, answers, is_blank, is_refusal},
    },
    tool::{ToolCall, ToolPolicy},
};

impl State {
    pub(super) fn replied(
        &mut self,
        response: ModelResponse,
        policies: Vec<ToolPolicy>,
        unfit: Option<&str>,
    ) {
        let Phase::Model(call) = self.phase else {
            return;
        };
        self.count_request(Some(&response));
        self.attempts = 0;
        self.count(&response);
        self.measure(&response);
        // Some come with every response, such as one about the form of a tool.
        for warning in &response.warnings {
            if !self.known_warnings.contains(warning) {
                self.known_warnings.insert(warning.clone());
                self.warnings.push(warning.clone());
            }
        }
        // What was stored may have been changed by hand: the parts are the truth.
        let mut response = response.normalized();
        if is_refusal(&response) {
            // What cannot be seen is not what it says.
            let parts = response.parts.to_mut();
            parts.retain(|part| !matches!(part, Part::Text(_)));
            response = response.normalized();
        }
        let choice = match call {
            ModelCall::Open => self.tool_choice(),
            ModelCall::Locked | ModelCall::Flattened | ModelCall::Compact => ToolChoice::None,
        };
        if let Some(given) = self.given_as_text(&response) {
            response = given;
        } else {
            self.warn_of_forbidden(call, &choice, &response);
            if call != ModelCall::Open {
                response = without_calls(response);
            }
        }
        let asked = Asked {
            call,
            choice: &choice,
            pauses: self.pauses,
            has_spoken: self.pauses > 0 && !is_blank(&self.text),
            corrections: self.corrections,
            limit: self.spent.limit_of_calls(&self.config.limits),
            unfit: self.unfit(unfit, &response),
        };
        let verdict = verdict::of_reply(&asked, &response);
        self.corrections.heard();
        self.refused = None;
        self.hear(&mut response);
        if let Verdict::Refuse(reason) = verdict {
            return self.refuse_answer(call, response, reason);
        }
        self.follow(verdict, &choice, response, policies);
    }

    pub(super) fn model_failed(&mut self, error: &ModelError) {
        let Phase::Model(call) = self.phase else {
            return;
        };
        self.count_failed(error);
        self.attempts = 0;
        self.conversation.refuse(error);
        let partial = error.partial.as_deref();
        let has_text = partial.is_some_and(broken_off::has_seen);
        if self.shrinks_after(error, has_text) {
            return;
        }
        let verdict = verdict::of_error(call, error, has_text);
        if let (Some(partial), true) = (partial, verdict != Verdict::Flatten) {
            self.keep_seen(partial);
        }
        match verdict {
            Verdict::Flatten => self.flatten("refused_locked_request", error),
            Verdict::NoSummary(code, why) => self.no_summary(code, &why),
            Verdict::End(finish) => self.phase = Phase::Decided(finish),
            _ => unreachable!("an error has no calls, no pause and no text"),
        }
    }

    pub(super) fn model_delayed(&mut self, error: &ModelError) {
        let Phase::Model(call) = self.phase else {
            return;
        };
        self.count_failed(error);
        self.attempts += 1;
        self.phase = Phase::Waiting(call, error.clone());
    }

    pub(super) fn model_resumed(&mut self) {
        if let Phase::Waiting(call, _) = self.phase {
            self.model_retries += 1;
            self.phase = Phase::Model(call);
        }
    }

    /// Counts a failed request: it is a request too, and may have cost something.
    fn count_failed(&mut self, error: &ModelError) {
        let partial = error.partial.as_deref();
        self.count_request(partial);
        if let Some(partial) = partial.filter(|partial| partial.usage.is_some()) {
            self.count(partial);
        }
    }

    /// Counts a request to the model, which may have taken several.
    pub(super) fn count_request(&mut self, response: Option<&ModelResponse>) {
        self.model_calls += 1;
        let requests = response.map_or(1, |response| response.requests.max(1));
        self.requests = self.requests.saturating_add(requests);
    }

    /// Counts the tokens of a response, and warns once if they cannot be counted.
    pub(super) fn count(&mut self, response: &ModelResponse) {
        let RunConfig { limits, prices, .. } = &self.config;
        if let Some((code, why)) = self.spent.add(response, limits, prices)
            && self.known_warnings.insert(Warning::new(code, why))
        {
            self.warn(code, &why);
        }
    }

    /// Keeps what the model says. A paused turn may end without another word.
    /// The text of the response is moved: its parts say the same.
    fn hear(&mut self, response: &mut ModelResponse) {
        if !is_blank(response.said()) {
            self.text = match &response.refusal {
                Some(refusal) if response.text.is_empty() => refusal.clone(),
                _ => take(&mut response.text),
            };
            self.broken_off = false;
        } else if self.pauses == 0 {
            self.text.clear();
            self.broken_off = false;
        }
    }

    fn follow(
        &mut self,
        verdict: Verdict,
        choice: &ToolChoice,
        response: ModelResponse,
        policies: Vec<ToolPolicy>,
    ) {
        if let Verdict::Correct(correction) = verdict {
            self.warn(correction.code(), &correction.reason());
        }
        match verdict {
            Verdict::Refuse(_) => unreachable!("it does not come this far"),
            Verdict::Flatten => {
                let why = "the model did not answer with its tools locked";
                self.flatten("no_answer_when_locked", &why);
            }
            Verdict::GoOn => {
                self.pauses += 1;
                self.paused += 1;
                // Nothing that is blank is sent back.
                let mut parts = response.parts.iter();
                if parts.any(|part| !matches!(part, Part::Text(text) if is_blank(text))) {
                    self.conversation.push_response(response);
                }
            }
            Verdict::Summarized => {
                let (limit, summarized) = (self.limit_reached(), true);
                self.phase = Phase::Decided(Finish::Limit { limit, summarized });
                self.conversation.push_response(response);
            }
            Verdict::NoSummary(code, why) => {
                self.no_summary(code, &why);
                if says(&response) {
                    self.conversation.push_response(response);
                }
            }
            Verdict::RunCalls => {
                self.pauses = 0;
                self.corrections = Corrections::default();
                let mut vetoed = allowed::refusals(choice, &response.tool_calls);
                refuse_transfers(&self.config, &mut vetoed, &response.tool_calls, &policies);
                let over = self.admit_calls(&mut vetoed, &response.tool_calls);
                let then = over.map_or(Then::Ask, Then::Reach);
                self.begin(response, policies, vetoed, then);
            }
            Verdict::OverLimit(limit) => {
                let why = not_executed(&limit.to_string());
                let mut vetoed = allowed::refusals(choice, &response.tool_calls);
                // An answer is no call that a limit holds back.
                self.admit_answers(&mut vetoed, &response.tool_calls);
                for (index, call) in response.tool_calls.iter().enumerate() {
                    if !self.takes_answer(&call.name) || has(Fault::DropsAnswer) {
                        vetoed.entry(index).or_insert_with(|| why.clone());
                    }
                }
                self.begin(response, policies, vetoed, Then::Reach(limit));
                if let Phase::Tools(round) = &mut self.phase {
                    round.counts = false;
                }
            }
            // A response that is no answer is not part of the conversation, unless it has calls: these are
            // answered.
            Verdict::Correct(correction) if response.tool_calls.is_empty() => {
                self.correct(correction);
            }
            Verdict::Correct(correction) => {
                let refused = match correction {
                    Correction::Malformed => BTreeMap::new(),
                    _ => allowed::refusals(choice, &response.tool_calls),
                };
                let vetoed = none_run(refused, &response);
                self.begin(response, policies, vetoed, Then::Correct(correction));
            }
            Verdict::End(finish) => self.end(finish, choice, response, policies),
        }
    }

    /// Ends the run with a response. Its calls do not run.
    fn end(
        &mut self,
        finish: Finish,
        choice: &ToolChoice,
        mut response: ModelResponse,
        policies: Vec<ToolPolicy>,
    ) {
        let vetoed = allowed::refusals(choice, &response.tool_calls);
        let answered = finish == Finish::Answered;
        if finish == Finish::Empty {
            let why = "the model said nothing, also when it was asked once more";
            self.warn("empty_reply", &why);
        }
        let waiting = response.requires_tool_execution();
        if !waiting && (vetoed.is_empty() || !answered) {
            if finish != Finish::Empty {
                self.conversation.push_response(response);
            }
            self.conclude(finish);
            return;
        }
        let vetoed = none_run(vetoed, &response);
        // The calls are answered before the text that came beside them, which is the answer.
        let mut said = None;
        if answered {
            let text = without_calls(response.clone());
            said = answers(&text).then(|| Box::new(text));
            let parts = response.parts.to_mut();
            parts.retain(|part| matches!(part, Part::Call(_)));
        }
        self.begin(
            response,
            policies,
            vetoed,
            Then::End(Box::new(finish), said),
        );
    }

    /// Counts the calls of a response that may run, and answers those that are too many. It gives the limit that these
    /// are over.
    fn admit_calls(
        &mut self,
        vetoed: &mut BTreeMap<usize, ToolError>,
        calls: &[ToolCall],
    ) -> Option<Limit> {
        let mut over = self.admit_answers(vetoed, calls);
        let limits = &self.config.limits;
        let left = self.spent.calls_left(limits);
        let max = limits.max_calls_of_reply;
        let limit = match limits.max_tool_calls {
            Some(max_calls) if left < max => Limit::ToolCalls { max: max_calls },
            _ => Limit::CallsOfReply { max },
        };
        let mut admitted = 0;
        for (index, call) in calls.iter().enumerate() {
            let is_answer = self.takes_answer(&call.name) && !has(Fault::CountsAnswers);
            if is_answer || vetoed.contains_key(&index) {
                continue;
            }
            if admitted < left.min(max) || has(Fault::IgnoresToolCalls) {
                admitted += 1;
            } else {
                vetoed.insert(index, not_executed(&limit.to_string()));
                over = Some(limit);
            }
        }
        self.spent.tool_calls += admitted;
        over
    }

    /// Answers the calls with the answer that are too many for one response, and gives the limit that these are over. No
    /// other limit counts them.
    fn admit_answers(
        &self,
        vetoed: &mut BTreeMap<usize, ToolError>,
        calls: &[ToolCall],
    ) -> Option<Limit> {
        let max = self.config.limits.max_calls_of_reply;
        let limit = Limit::CallsOfReply { max };
        let answers = calls.iter().enumerate();
        let answers = answers
            .filter(|(index, call)| !vetoed.contains_key(index) && self.takes_answer(&call.name));
        let over: Vec<_> = answers.skip(max as usize).map(|(index, _)| index).collect();
        for index in &over {
            vetoed.insert(*index, not_executed(&limit.to_string()));
        }
        (!over.is_empty()).then_some(limit)
    }

    /// Comes to the calls of a response.
    fn begin(
        &mut self,
        mut response: ModelResponse,
        policies: Vec<ToolPolicy>,
        vetoed: BTreeMap<usize, ToolError>,
        then: Then,
    ) {
        let calls = take(&mut response.tool_calls);
        let round = Round::new(self.numbered, calls, policies, self.config.concurrency);
        self.phase = Phase::Tools(round.with_vetoed(vetoed).with_then(then));
        // The calls are answered one by one, whatever the response ended with.
        response.finish_reason = FinishReason::ToolCalls;
        self.conversation.push_response(response);
    }

    /// Says that there are calls that the choice forbids. Of a summary that is none something else is
    /// said.
    fn warn_of_forbidden(
        &mut self,
        call: ModelCall,
        choice: &ToolChoice,
        response: &ModelResponse,
    ) {
        if call != ModelCall::Open && !answers(response) {
            return;
        }
        if let Some(why) = allowed::warning(choice, response) {
            self.warn("call_not_allowed", &why);
        }
    }
}

/// Returns true if the parts of a response, or its refusal, have something that can be seen.
fn says(response: &ModelResponse) -> bool {
    let mut texts = response.parts.iter().filter_map(|part| match part {
        Part::Text(text) if !text.is_empty() => Some(text),
        _ => None,
    });
    match (texts.clone().next(), &response.refusal) {
        (None, Some(refusal)) => !is_blank(refusal),
        _ => !texts.all(|text| is_blank(text)),
    }
}

/// The errors of all calls of a response: this one for those that have none.
fn all_but(
    mut vetoed: BTreeMap<usize, ToolError>,
    response: &ModelResponse,
    error: &ToolError,
) -> BTreeMap<usize, ToolError> {
    for index in 0..response.tool_calls.len() {
        vetoed.entry(index).or_insert_with(|| error.clone());
    }
    vetoed
}

/// The errors of all calls of a response of which none runs, whatever the choice allows.
fn none_run(
    vetoed: BTreeMap<usize, ToolError>,
    response: &ModelResponse,
) -> BTreeMap<usize, ToolError> {
    let why = not_executed(why_none_ran(response.finish_reason));
    all_but(vetoed, response, &why)
}

/// A response to a locked request: calls that came all the same are not part of it, nor is what only
/// the provider can read, which may belong to them.
pub(super) fn without_calls(mut response: ModelResponse) -> ModelResponse {
    if !response.tool_calls.is_empty() {
        let parts = response.parts.to_mut();
        parts.retain(|part| !matches!(part, Part::Call(_) | Part::Opaque(_)));
        response.tool_calls = SharedVec::new();
    }
    response
}

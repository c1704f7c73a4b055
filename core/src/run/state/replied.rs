//! Effects of a response, or of its absence, on a run.

use std::{collections::BTreeMap, mem::take};

use super::State;
use crate::{
    FinishReason, ToolError,
    message::{Part, text_of},
    model::{ModelError, ModelResponse, ToolChoice, Warning, response::is_blank},
    run::{
        Finish, ModelCall, RunConfig, admitted, allowed,
        broken_off::{has_seen, seen},
        correction::Correction,
        phase::Phase,
        round::{Round, Then},
        verdict::{self, SentRequest, Verdict},
    },
    tool::ToolPolicy,
};

impl State {
    pub(super) fn replied(
        &mut self,
        mut response: ModelResponse,
        policies: Vec<ToolPolicy>,
        unfit: Option<&str>,
    ) {
        let Phase::Model(call) = self.phase else {
            return;
        };
        self.spent.add_request(Some(&response));
        self.turn.request_over();
        self.count_tokens(&response);
        self.compacting.measure(&response);
        // Some come with every response, such as one about the form of a tool.
        for warning in &response.warnings {
            self.warnings.add_once(warning);
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
        let asked = SentRequest {
            call,
            choice: &choice,
            pauses: self.turn.pauses(),
            has_spoken: self.turn.pauses() > 0 && !is_blank(self.answering.text()),
            corrections: self.turn.corrections(),
            limit: self.spent.limit_of_calls(&self.config.limits),
            unfit: self.unfit(unfit, &response),
        };
        let verdict = verdict::of_reply(&asked, &response);
        let is_paused = self.turn.pauses() > 0;
        self.turn.response_came();
        self.answering.hear(&mut response, is_paused);
        if let Verdict::Refuse(reason) = verdict {
            return self.refuse_answer(call, response, reason);
        }
        self.follow(verdict, &choice, response, policies);
    }

    pub(super) fn model_failed(&mut self, error: &ModelError) {
        let Phase::Model(call) = self.phase else {
            return;
        };
        self.count_partial(error.partial.as_deref());
        self.turn.request_over();
        let partial = error.partial.as_deref();
        let has_text = partial.is_some_and(has_seen);
        let is_shrunk = self
            .compacting
            .shrinks_after(error, has_text, &self.conversation);
        if is_shrunk {
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
        self.count_partial(error.partial.as_deref());
        self.turn.request_failed();
        self.phase = Phase::Waiting(call, error.clone());
    }

    pub(super) fn model_resumed(&mut self) {
        if let Phase::Waiting(call, _) = self.phase {
            self.spent.add_retry();
            self.phase = Phase::Model(call);
        }
    }

    /// Keeps what had come of a response before the run was interrupted.
    pub(super) fn response_broken_off(&mut self, partial: &ModelResponse) {
        self.count_partial(Some(partial));
        self.turn.request_over();
        if !self.phase.is_summarizing() {
            self.keep_seen(partial);
        }
    }

    /// Keeps what the user has seen of a response that broke off, in the outcome and in the conversation.
    fn keep_seen(&mut self, partial: &ModelResponse) {
        let parts = seen(partial);
        if !parts.is_empty() {
            self.answering.give_broken_off(text_of(&parts));
            self.conversation.push_response(ModelResponse::new(parts));
        }
    }

    /// Counts a request without a whole response: it is a request too, and may have cost something.
    fn count_partial(&mut self, partial: Option<&ModelResponse>) {
        self.spent.add_request(partial);
        if let Some(partial) = partial.filter(|partial| partial.usage.is_some()) {
            self.count_tokens(partial);
        }
    }

    /// Counts the tokens of a response, and warns once if they cannot be counted.
    pub(super) fn count_tokens(&mut self, response: &ModelResponse) {
        let RunConfig { limits, prices, .. } = &self.config;
        if let Some((code, why)) = self.spent.add_tokens(response, limits, prices) {
            self.warnings.add_once(&Warning::new(code, why));
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
            self.warnings.add(correction.code(), &correction.reason());
        }
        match verdict {
            Verdict::Refuse(_) => unreachable!("it does not come this far"),
            Verdict::Flatten => {
                let why = "the model did not answer with its tools locked";
                self.flatten("no_answer_when_locked", &why);
            }
            Verdict::GoOn => {
                self.turn.paused();
                self.spent.add_pause();
                // Nothing that is blank is sent back.
                let mut parts = response.parts.iter();
                if parts.any(|part| !matches!(part, Part::Text(text) if is_blank(text))) {
                    self.conversation.push_response(response);
                }
            }
            Verdict::Summarized => {
                self.end_at_limit(true);
                self.conversation.push_response(response);
            }
            Verdict::NoSummary(code, why) => {
                self.no_summary(code, &why);
                if says(&response) {
                    self.conversation.push_response(response);
                }
            }
            Verdict::RunCalls => {
                self.turn.over();
                let calls = &response.tool_calls;
                let admitted = admitted::admit(&self.config, &self.spent, choice, calls, &policies);
                self.spent.add_calls(admitted.counted);
                let then = admitted.over.map_or(Then::Ask, Then::Reach);
                self.begin(response, policies, admitted.refused, then);
            }
            Verdict::OverLimit(limit) => {
                let calls = &response.tool_calls;
                let refused = admitted::over_limit(&self.config, choice, calls, limit);
                self.begin(response, policies, refused, Then::Reach(limit));
                if let Phase::Tools(round) = &mut self.phase {
                    round.do_not_count();
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
                let refused = admitted::none(refused, &response);
                self.begin(response, policies, refused, Then::Correct(correction));
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
        let refused = allowed::refusals(choice, &response.tool_calls);
        let answered = finish == Finish::Answered;
        if finish == Finish::Empty {
            let why = "the model said nothing, also when it was asked once more";
            self.warnings.add("empty_response", &why);
        }
        let waiting = response.requires_tool_execution();
        if !waiting && (refused.is_empty() || !answered) {
            if finish != Finish::Empty {
                self.conversation.push_response(response);
            }
            self.conclude(finish);
            return;
        }
        let refused = admitted::none(refused, &response);
        // The calls are answered before the text that came beside them, which is the answer.
        let mut said = None;
        if answered {
            let text = without_calls(response.clone());
            said = text.answers().then(|| Box::new(text));
            let parts = response.parts.to_mut();
            parts.retain(|part| matches!(part, Part::Call(_)));
        }
        self.begin(
            response,
            policies,
            refused,
            Then::End(Box::new(finish), said),
        );
    }

    /// Comes to the calls of a response.
    fn begin(
        &mut self,
        mut response: ModelResponse,
        policies: Vec<ToolPolicy>,
        refused: BTreeMap<usize, ToolError>,
        then: Then,
    ) {
        let (number, calls) = (self.rounds.next(), take(&mut response.tool_calls));
        let round = Round::new(number, calls, policies, self.config.concurrency);
        self.phase = Phase::Tools(round.with_vetoed(refused).with_then(then));
        // The calls are answered one by one, whatever the response ended with.
        response.finish_reason = FinishReason::ToolCalls;
        self.conversation.push_response(response);
    }

    /// Says that there are calls that the choice forbids. A summary that failed gets another warning.
    fn warn_of_forbidden(
        &mut self,
        call: ModelCall,
        choice: &ToolChoice,
        response: &ModelResponse,
    ) {
        if call != ModelCall::Open && !response.answers() {
            return;
        }
        if let Some(why) = allowed::warning(choice, response) {
            self.warnings.add("call_not_allowed", &why);
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

/// A response to a locked request: calls that came all the same are not part of it, nor is what only
/// the provider can read, which may belong to them.
pub(super) fn without_calls(mut response: ModelResponse) -> ModelResponse {
    if !response.tool_calls.is_empty() {
        response.change_parts(|parts| {
            parts.retain(|part| !matches!(part, Part::Call(_) | Part::Opaque(_)));
        });
    }
    response
}

//! The state of a run: a fold over its log.

use std::collections::HashSet;

use super::{
    CallId, Failure, Finish, Limit, ModelCall, OnLimit, Record, RunConfig, RunId,
    circles::{self, Progress},
    round::Round,
    verdict::{self, Verdict},
};
use crate::{
    Conversation, UserMessage,
    message::Part,
    model::{ModelError, ModelResponse, ToolChoice, Usage, Warning},
    tool::{ToolPolicy, ToolResult},
};

#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    pub(super) id: RunId,
    pub(super) config: RunConfig,
    /// With every round that is over. The calls of the round under way wait in it.
    pub(super) conversation: Conversation,
    pub(super) phase: Phase,
    pub(super) cancelled: bool,
    pub(super) text: String,
    pub(super) rounds: u32,
    pub(super) model_calls: u32,
    pub(super) model_retries: u32,
    /// How often the request under way has failed.
    pub(super) attempts: u32,
    pub(super) pauses: u32,
    pub(super) progress: Progress,
    pub(super) usage: Usage,
    pub(super) warnings: Vec<Warning>,
    /// The warnings that replies came with, each once.
    known_warnings: HashSet<Warning>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Phase {
    /// The model is to be called, or is being called.
    Model(ModelCall),
    /// The model call has failed so, and is to be made again after a wait.
    Waiting(ModelCall, ModelError),
    /// Calls are to be run, or are running.
    Tools(Round),
    /// How the run ends is decided, and not yet recorded.
    Decided(Finish),
    /// The run is over.
    Finished(Finish),
}

impl State {
    /// The state after the first record.
    pub(super) fn new(
        id: &RunId,
        config: &RunConfig,
        conversation: &Conversation,
        input: &UserMessage,
    ) -> Self {
        let mut conversation = conversation.clone();
        conversation.push_user(input.clone());
        let mut state = Self {
            id: id.clone(),
            config: config.clone(),
            conversation,
            phase: Phase::Model(ModelCall::Open),
            cancelled: false,
            text: String::new(),
            rounds: 0,
            model_calls: 0,
            model_retries: 0,
            attempts: 0,
            pauses: 0,
            progress: Progress::default(),
            usage: Usage::default(),
            warnings: Vec::new(),
            known_warnings: HashSet::new(),
        };
        state.phase = state.next_model_call();
        state
    }

    /// Whether a record follows from the state.
    pub(super) fn accepts(&self, record: &Record) -> bool {
        match (record, &self.phase) {
            (Record::ModelDelayed { error }, _) => self.asks_again_after(error),
            (
                Record::CallStarted { call }
                | Record::CallPrepared { call, .. }
                | Record::CallDelayed { call, .. }
                | Record::CallResumed { call }
                | Record::CallDecided { call, .. }
                | Record::CallFinished { call, .. },
                Phase::Tools(round),
            ) => round.number == call.round && round.accepts(record, self.cancelled),
            (Record::Replied { .. } | Record::ModelFailed { .. }, Phase::Model(_))
            | (Record::ModelResumed, Phase::Waiting(..))
            | (Record::CancelRequested, Phase::Model(_) | Phase::Waiting(..) | Phase::Tools(_)) => {
                !self.cancelled
            }
            (Record::Finished { .. }, _) => matches!(self.due(), Some(Record::Finished { .. })),
            _ => false,
        }
    }

    /// The record that follows from the state alone, if one does.
    pub(super) fn due(&self) -> Option<Record> {
        let finish = match &self.phase {
            Phase::Decided(finish) => finish.clone(),
            Phase::Model(_) | Phase::Waiting(..) if self.cancelled => Finish::Cancelled,
            Phase::Model(ModelCall::Locked) => {
                let limit = self.limit_reached();
                match self.config.limits.on_limit {
                    OnLimit::Summarize => return None,
                    OnLimit::Stop => Finish::Limit {
                        limit,
                        summarized: false,
                    },
                    OnLimit::Error => Finish::Failed(Failure::Limit(limit)),
                }
            }
            Phase::Tools(round) => return round.due(self.cancelled),
            Phase::Model(_) | Phase::Waiting(..) | Phase::Finished(_) => return None,
        };
        Some(Record::Finished { finish })
    }

    /// Applies a record that the state [accepts](Self::accepts).
    pub(super) fn apply(&mut self, record: &Record) {
        match record {
            Record::Started { .. } => {}
            Record::Replied { response, policies } => self.replied(response, policies),
            Record::ModelFailed { error } => self.model_failed(error),
            Record::ModelDelayed { error } => self.model_delayed(error),
            Record::ModelResumed => self.model_resumed(),
            Record::CallStarted { .. }
            | Record::CallPrepared { .. }
            | Record::CallDelayed { .. }
            | Record::CallResumed { .. }
            | Record::CallDecided { .. } => {
                if let Phase::Tools(round) = &mut self.phase {
                    round.apply(record);
                }
            }
            Record::CallFinished { call, result } => self.call_finished(*call, result),
            Record::CancelRequested => self.cancelled = true,
            Record::Finished { finish } => self.phase = Phase::Finished(finish.clone()),
        }
    }

    /// Whether a model call that failed so is made again.
    pub(super) fn asks_again_after(&self, error: &ModelError) -> bool {
        matches!(self.phase, Phase::Model(_))
            && !self.cancelled
            && error.may_pass()
            && self.attempts < self.config.limits.model_retries
    }

    /// The bound that the run has reached.
    pub(super) fn limit_reached(&self) -> Limit {
        let max = self.config.limits.max_rounds;
        if self.progress == Progress::None && self.rounds < max {
            return Limit::NoProgress;
        }
        Limit::Rounds { max }
    }

    /// The tool choice of the next request. A forced choice holds for the first round: held longer,
    /// the model could never answer.
    pub(super) fn tool_choice(&self) -> ToolChoice {
        match &self.config.tool_choice {
            ToolChoice::Required | ToolChoice::Tool(_) if self.rounds > 0 => ToolChoice::Auto,
            choice => choice.clone(),
        }
    }

    /// The conversation with the calls of the round under way answered, as far as they are.
    pub(super) fn transcript(&self) -> Conversation {
        let mut conversation = self.conversation.clone();
        if let Phase::Tools(round) = &self.phase {
            conversation
                .push_results(round.results_so_far())
                .expect("there is one result for each call, in order");
        }
        conversation
    }

    fn replied(&mut self, response: &ModelResponse, policies: &[ToolPolicy]) {
        let Phase::Model(call) = self.phase else {
            return;
        };
        self.model_calls += 1;
        self.attempts = 0;
        if let Some(usage) = &response.usage {
            self.usage += usage;
        }
        // Some come with every reply, such as one about the form of a tool.
        for warning in &response.warnings {
            if !self.known_warnings.contains(warning) {
                self.known_warnings.insert(warning.clone());
                self.warnings.push(warning.clone());
            }
        }
        // What was stored may have been changed by hand: the parts are the truth.
        let mut response = response.clone().normalized();
        if call != ModelCall::Open {
            response = without_calls(response);
        }
        response.said().clone_into(&mut self.text);
        match verdict::of_reply(call, &response, self.pauses, self.limit_reached()) {
            Verdict::Flatten => {
                let why = "the model did not answer with its tools locked";
                self.flatten("no_answer_when_locked", &why);
                return;
            }
            Verdict::RunCalls => {
                let calls = response.tool_calls.clone();
                let round = Round::new(self.rounds, calls, policies, self.config.concurrency);
                self.phase = Phase::Tools(round);
            }
            Verdict::GoOn => self.pauses += 1,
            Verdict::End(finish) => {
                self.warn_of_unmet_choice(call, &finish);
                self.phase = Phase::Decided(finish);
            }
        }
        self.conversation.push_response(response);
    }

    fn model_failed(&mut self, error: &ModelError) {
        let Phase::Model(call) = self.phase else {
            return;
        };
        self.count_failed(error);
        self.attempts = 0;
        match verdict::of_error(call, error, self.limit_reached()) {
            Verdict::Flatten => self.flatten("refused_locked_request", error),
            Verdict::End(finish) => {
                if matches!(finish, Finish::Limit { .. }) {
                    self.warn("summary_failed", error);
                }
                self.phase = Phase::Decided(finish);
            }
            Verdict::RunCalls | Verdict::GoOn => unreachable!("an error has no calls and no pause"),
        }
    }

    fn model_delayed(&mut self, error: &ModelError) {
        let Phase::Model(call) = self.phase else {
            return;
        };
        self.count_failed(error);
        self.attempts += 1;
        self.phase = Phase::Waiting(call, error.clone());
    }

    fn model_resumed(&mut self) {
        if let Phase::Waiting(call, _) = self.phase {
            self.model_retries += 1;
            self.phase = Phase::Model(call);
        }
    }

    /// What failed is a request too, and may have cost something.
    fn count_failed(&mut self, error: &ModelError) {
        self.model_calls += 1;
        let partial = error.partial.as_ref();
        if let Some(usage) = partial.and_then(|partial| partial.usage.as_ref()) {
            self.usage += usage;
        }
    }

    fn call_finished(&mut self, call: CallId, result: &ToolResult) {
        let Phase::Tools(round) = &mut self.phase else {
            return;
        };
        round.finish(call.index as usize, result);
        if round.schedule.is_finished() {
            let polls = round.policies.iter().any(|policy| policy.polls);
            self.conversation
                .push_results(round.take_results())
                .expect("every call of the round has finished, in its own place");
            self.rounds += 1;
            if self.config.limits.no_progress {
                let circles = !polls && circles::repeats(&self.conversation, self.rounds);
                self.progress = self.progress.after(circles);
            }
            self.phase = self.next_model_call();
        }
    }

    fn next_model_call(&self) -> Phase {
        let locked =
            self.rounds >= self.config.limits.max_rounds || self.progress == Progress::None;
        Phase::Model(if locked {
            ModelCall::Locked
        } else {
            ModelCall::Open
        })
    }

    fn flatten(&mut self, code: &str, why: &dyn std::fmt::Display) {
        self.warn(code, why);
        self.phase = Phase::Model(ModelCall::Flattened);
    }

    fn warn_of_unmet_choice(&mut self, call: ModelCall, finish: &Finish) {
        let forced = matches!(
            self.tool_choice(),
            ToolChoice::Required | ToolChoice::Tool(_)
        );
        if call == ModelCall::Open && forced && *finish == Finish::Answered {
            let why = "the model had to call a tool and answered without";
            self.warn("tool_choice_unmet", &why);
        }
    }

    fn warn(&mut self, code: &str, why: &dyn std::fmt::Display) {
        self.warnings.push(Warning::new(code, why.to_string()));
    }
}

/// A reply to a locked request: calls that came all the same are not part of it, nor is what only
/// the provider can read, which may belong to them.
fn without_calls(mut response: ModelResponse) -> ModelResponse {
    if !response.tool_calls.is_empty() {
        response
            .parts
            .retain(|part| !matches!(part, Part::Call(_) | Part::Opaque(_)));
        response.tool_calls.clear();
    }
    response
}

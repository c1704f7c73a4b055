//! The state of a run: a fold over its log.

use super::{CallId, Finish, Limit, ModelCall, Record, RunConfig, RunId};
use crate::{
    Conversation,
    conversation::not_executed,
    message::Part,
    model::{ModelResponse, Usage, Warning},
    schedule::Schedule,
    tool::{ToolCall, ToolPolicy, ToolResult},
};

/// How often a provider may pause one run before that is an error.
pub(super) const MAX_PAUSES: u32 = 16;

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
    pub(super) pauses: u32,
    pub(super) usage: Usage,
    pub(super) warnings: Vec<Warning>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Phase {
    /// The model is to be called, or is being called.
    Model(ModelCall),
    /// Calls are to be run, or are running.
    Tools(Round),
    /// The run is over.
    Finished(Finish),
}

/// The round under way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Round {
    pub(super) number: u32,
    pub(super) calls: Vec<ToolCall>,
    pub(super) schedule: Schedule,
    results: Vec<Option<ToolResult>>,
}

impl Round {
    pub(super) fn id(&self, index: usize) -> CallId {
        let index = u32::try_from(index).expect("a reply holds fewer than 2^32 calls");
        CallId {
            round: self.number,
            index,
        }
    }
}

impl State {
    /// The state after the first record; `None` if it is not [`Record::Started`].
    pub(super) fn new(first: &Record) -> Option<Self> {
        let Record::Started {
            run_id,
            config,
            conversation,
            input,
        } = first
        else {
            return None;
        };
        let mut conversation = conversation.clone();
        conversation.push_user(input.clone());
        let mut state = Self {
            id: run_id.clone(),
            config: config.clone(),
            conversation,
            phase: Phase::Model(ModelCall::Open),
            cancelled: false,
            text: String::new(),
            rounds: 0,
            model_calls: 0,
            pauses: 0,
            usage: Usage::default(),
            warnings: Vec::new(),
        };
        state.phase = state.next_model_call();
        Some(state)
    }

    pub(super) fn apply(&mut self, record: &Record) {
        match record {
            Record::Started { .. } => {}
            Record::Replied { response, policies } => self.replied(response, policies),
            Record::ModelFailed { error } => {
                self.model_calls += 1;
                if let Some(usage) = error
                    .partial
                    .as_ref()
                    .and_then(|partial| partial.usage.as_ref())
                {
                    self.usage += usage;
                }
                match self.phase {
                    Phase::Model(ModelCall::Locked) => {
                        self.flatten("refused_locked_request", error);
                    }
                    Phase::Model(ModelCall::Flattened) => self.warn("summary_failed", error),
                    _ => {}
                }
            }
            Record::CallStarted { .. } => {
                // Calls start in the one order that the schedule gives.
                if let Phase::Tools(round) = &mut self.phase {
                    round.schedule.start();
                }
            }
            Record::CallFinished { call, result } => self.finished(*call, result),
            Record::CancelRequested => self.cancelled = true,
            Record::Finished { finish } => self.phase = Phase::Finished(finish.clone()),
        }
    }

    /// The bound that the run has reached.
    pub(super) fn limit_reached(&self) -> Limit {
        Limit::Rounds {
            max: self.config.limits.max_rounds,
        }
    }

    /// The conversation with the calls of the round under way answered, as far as they are.
    pub(super) fn transcript(&self) -> Conversation {
        let mut conversation = self.conversation.clone();
        if let Phase::Tools(round) = &self.phase {
            let results = round
                .calls
                .iter()
                .zip(&round.results)
                .map(|(call, result)| {
                    result.clone().unwrap_or_else(|| {
                        ToolResult::error(&call.id, not_executed("the run was interrupted"))
                    })
                });
            conversation
                .push_results(results)
                .expect("there is one result for each call, in order");
        }
        conversation
    }

    fn replied(&mut self, response: &ModelResponse, policies: &[ToolPolicy]) {
        self.model_calls += 1;
        if let Some(usage) = &response.usage {
            self.usage += usage;
        }
        self.warnings.extend(response.warnings.iter().cloned());
        let locked = !matches!(self.phase, Phase::Model(ModelCall::Open));
        let response = if locked {
            without_calls(response)
        } else {
            response.clone()
        };
        response.said().clone_into(&mut self.text);
        if locked && self.text.is_empty() {
            if matches!(self.phase, Phase::Model(ModelCall::Locked)) {
                self.flatten(
                    "no_answer_when_locked",
                    &"the model did not answer with its tools locked",
                );
            }
            return;
        }
        if response.requires_tool_execution() {
            self.phase = Phase::Tools(Round {
                number: self.rounds,
                calls: response.tool_calls.clone(),
                schedule: Schedule::new(
                    self.config.concurrency,
                    policies.iter().map(|policy| policy.sequential),
                ),
                results: vec![None; response.tool_calls.len()],
            });
        } else if response.finish_reason == crate::FinishReason::Paused {
            self.pauses += 1;
        }
        self.conversation.push_response(response);
    }

    fn finished(&mut self, call: CallId, result: &ToolResult) {
        let Phase::Tools(round) = &mut self.phase else {
            return;
        };
        let index = call.index as usize;
        let (Some(call), Some(slot)) = (round.calls.get(index), round.results.get_mut(index))
        else {
            return;
        };
        // The result stands for this call, whichever id the tool put into it.
        *slot = Some(ToolResult {
            call_id: call.id.clone(),
            outcome: result.outcome.clone(),
        });
        round.schedule.finish(index);
        if round.schedule.is_finished() {
            let results = std::mem::take(&mut round.results).into_iter().flatten();
            self.conversation
                .push_results(results)
                .expect("every call of the round has finished, in its own place");
            self.rounds += 1;
            self.phase = self.next_model_call();
        }
    }

    fn next_model_call(&self) -> Phase {
        let locked = self.rounds >= self.config.limits.max_rounds;
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

    fn warn(&mut self, code: &str, why: &dyn std::fmt::Display) {
        self.warnings.push(Warning::new(code, why.to_string()));
    }
}

/// A reply to a locked request: calls that came all the same are not part of it, nor is what only
/// the provider can read, which may belong to them.
fn without_calls(response: &ModelResponse) -> ModelResponse {
    if response.tool_calls.is_empty() {
        return response.clone();
    }
    let parts = response
        .parts
        .iter()
        .filter(|part| !matches!(part, Part::Call(_) | Part::Opaque(_)))
        .cloned()
        .collect();
    ModelResponse {
        parts,
        tool_calls: Vec::new(),
        ..response.clone()
    }
}

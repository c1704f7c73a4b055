//! What follows from a signal: records, which are applied at once.

use super::{
    CallId, CallSpent, Delay, Interruption, Record, Run, Signal, broken_off,
    faults::{Fault, has},
    phase::Phase,
};
use crate::{
    model::{ModelError, ModelResponse},
    tool::{Decision, ToolPolicy, ToolResult},
};

impl Run {
    /// Takes what happened and gives the records to append to the log, which are applied already. A
    /// signal that comes too late, or twice, gives none.
    pub fn handle(&mut self, signal: Signal) -> Vec<Record> {
        let mut records = Vec::new();
        self.follow(signal, Some(&mut records));
        records
    }

    /// Handles a signal without a log: the record is moved into the state.
    #[doc(hidden)]
    pub fn handle_unread(&mut self, signal: Signal) {
        self.follow(signal, None);
    }

    fn follow(&mut self, signal: Signal, mut log: Option<&mut Vec<Record>>) {
        if matches!(signal, Signal::Interrupted) {
            return self.interrupted(&mut log);
        }
        if let Some(record) = self.record_of(signal)
            && self.state.accepts(&record)
        {
            self.append(record, &mut log);
            self.settle(&mut log);
        }
    }

    /// The record of a signal, if it may be one.
    fn record_of(&mut self, signal: Signal) -> Option<Record> {
        let record = match signal {
            Signal::Replied {
                response,
                policies,
                unfit,
            } => return self.replied(response, policies, unfit),
            Signal::ModelFailed(error) if self.state.asks_again_after(&error) => {
                Record::ModelDelayed { error }
            }
            Signal::ModelFailed(error) | Signal::ModelBrokeOff(error) => {
                return self.model_failed(error);
            }
            Signal::ModelResumed => Record::ModelResumed,
            Signal::CallStarted(call) => Record::CallStarted {
                call,
                name: self.call(call)?.name.clone(),
            },
            Signal::CallPrepared {
                call,
                arguments,
                changes,
            } => Record::CallPrepared {
                call,
                arguments,
                changes,
            },
            // Whether a call that failed runs again follows from its policy, and what was interrupted has a record for
            // each call.
            Signal::CallDelayed(_, Delay::Retry { .. }) | Signal::Interrupted => return None,
            Signal::CallDelayed(call, why) => Record::CallDelayed { call, why },
            Signal::CallResumed(call) => Record::CallResumed { call },
            Signal::CallDecided {
                call,
                decision,
                tool,
            } => {
                if let Some(key) = self.question_key(call) {
                    Record::QuestionAnswered {
                        call,
                        key,
                        decision,
                    }
                } else {
                    let unfit = self.pending_call(call)?.check(&decision).err();
                    let (decision, tool) = match unfit {
                        Some(error) => (Decision::deny(error.message), None),
                        None => (decision, tool),
                    };
                    Record::CallDecided {
                        call,
                        decision,
                        tool,
                    }
                }
            }
            Signal::CallCheckpointed { call, state } => Record::CallCheckpointed { call, state },
            Signal::CallExpired(call) => Record::CallExpired { call },
            Signal::ApprovalRevoked(call) => Record::ApprovalRevoked { call },
            Signal::CallRefused(call, _) if self.is_running(call) => return None,
            Signal::CallRefused(call, error) => {
                let failed = self.failed(call).cloned();
                let error = failed.unwrap_or_else(|| self.refused(call, error));
                Record::CallFinished {
                    call,
                    result: self.with_changes(call, ToolResult::error("", error)),
                    spent: self.spent_by(call, None),
                }
            }
            Signal::CallAnswered(call, result) => Record::CallFinished {
                call,
                result: self.with_edits(call, result),
                spent: None,
            },
            Signal::CallFinished(call, _) | Signal::AgentFinished { call, .. }
                if !self.is_running(call) =>
            {
                return None;
            }
            Signal::CallFinished(call, result) => self.call_finished(call, result, None),
            Signal::AgentFinished {
                call,
                result,
                spent,
            } => self.call_finished(call, result, Some(spent)),
            Signal::SharedLimitReached(limit) => Record::SharedLimitReached { limit },
            Signal::RequestPlanned(plan) => Record::RequestPlanned { plan },
            Signal::MessagePushed(message) => Record::MessagePushed { message },
            Signal::RequestBegins => Record::MessagesRead,
            Signal::CancelAfterRound => Record::CancelAfterRound,
            Signal::Resumed { suspended } => Record::Resumed { suspended },
            Signal::Cancel => Record::CancelRequested,
            Signal::TimeUsed(time) => Record::TimeUsed { time },
            Signal::TimeLimitReached => Record::TimeLimitReached,
            Signal::ResponseBrokenOff { partial, by } => self.response_broken_off(partial, by),
        };
        Some(record)
    }

    fn replied(
        &mut self,
        response: ModelResponse,
        policies: Vec<ToolPolicy>,
        unfit: Option<String>,
    ) -> Option<Record> {
        if self.state.phase.is_summarizing() {
            return self.state.compacting.summarized(Ok(response));
        }
        let response = response.normalized();
        Some(Record::Replied {
            response,
            policies,
            unfit,
        })
    }

    /// The record of a model call that is not made again.
    fn model_failed(&mut self, error: ModelError) -> Option<Record> {
        if self.state.phase.is_summarizing() {
            return self.state.compacting.summarized(Err(error));
        }
        Some(Record::ModelFailed { error })
    }

    fn response_broken_off(&self, partial: ModelResponse, by: Interruption) -> Record {
        let comes = matches!(self.state.phase, Phase::Model(_));
        if comes && broken_off::is_kept(&partial) {
            Record::ResponseBrokenOff { partial, by }
        } else {
            by.record()
        }
    }

    /// The record of an attempt that has ended: the result of its call, or the wait for the next one.
    fn call_finished(
        &self,
        call: CallId,
        result: ToolResult,
        spent: Option<Box<CallSpent>>,
    ) -> Record {
        match (self.retries_after(call, &result), result) {
            (
                true,
                ToolResult {
                    outcome: Err(error),
                    ..
                },
            ) => Record::CallDelayed {
                call,
                why: Delay::Retry { error: *error },
            },
            (_, result) => Record::CallFinished {
                call,
                result: self.with_edits(call, result),
                spent: self.spent_by(call, spent),
            },
        }
    }

    /// What the runs below have spent that a call has started: as its attempt says, or as was known when they were
    /// suspended. A run that could not go on is not in the first.
    fn spent_by(&self, call: CallId, spent: Option<Box<CallSpent>>) -> Option<Box<CallSpent>> {
        let before = self.state.phase.round_of(call)?.spent_below_of(call);
        match (spent, before) {
            (spent, None) => spent,
            (Some(spent), Some(before)) if spent.tokens() >= before.tokens() => Some(spent),
            (_, Some(before)) => Some(Box::new(before.clone())),
        }
    }

    /// The key of the question that a call waits for.
    fn question_key(&self, call: CallId) -> Option<String> {
        let (key, _) = self.state.phase.round_of(call)?.question(call)?;
        Some(key.to_owned())
    }

    /// Decides what becomes of the calls, or of the request, whose program is gone.
    fn interrupted(&mut self, log: &mut Option<&mut Vec<Record>>) {
        let records: Vec<_> = match &self.state.phase {
            Phase::Tools(round) => round.after_interruption().collect(),
            // The response that was waited for does not come any more, and nothing is asked again.
            Phase::Model(_) | Phase::Waiting(..) if self.state.stopping.is_after_round() => {
                vec![Record::CancelRequested]
            }
            _ => return,
        };
        for record in records {
            self.append(record, log);
            self.settle(log);
        }
    }

    /// Returns true if a call with this result gets another attempt. A run that is to stop makes none.
    fn retries_after(&self, id: CallId, result: &ToolResult) -> bool {
        match (self.policy(id), &result.outcome) {
            (Some(policy), Err(error)) if self.state.stopping.reason().is_none() => {
                policy.retries_after(error, self.tries(id))
            }
            _ => false,
        }
    }

    /// A result, which says what was changed in the arguments of its call.
    fn with_changes(&self, id: CallId, mut result: ToolResult) -> ToolResult {
        if result.changes.is_empty()
            && let Some(round) = self.state.phase.round_of(id)
        {
            result.changes = round.changes(id).to_vec();
        }
        result
    }

    /// The result of a call that has run, which also tells the model if it ran with other arguments.
    fn with_edits(&self, id: CallId, result: ToolResult) -> ToolResult {
        match self.call(id) {
            Some(call) if self.is_edited(id) && !result.is_edited() => {
                result.with_edited(&call.arguments)
            }
            _ => self.with_changes(id, result),
        }
    }

    /// Appends what follows from the state alone.
    pub(super) fn settle(&mut self, log: &mut Option<&mut Vec<Record>>) {
        while let Some(record) = self.state.next_record() {
            debug_assert!(self.state.accepts(&record), "it follows: {record:?}");
            self.append(record, log);
        }
    }

    fn append(&mut self, record: Record, log: &mut Option<&mut Vec<Record>>) {
        match log {
            Some(log) => {
                self.state.apply(&record);
                if !has(Fault::StartsUnrecorded) || !matches!(record, Record::CallStarted { .. }) {
                    log.push(record);
                }
            }
            None => self.state.apply_owned(record),
        }
        self.sequence += 1;
    }
}

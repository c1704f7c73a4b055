//! The state of a run: a fold over its log.

mod agent;
mod answering;
mod broken_off;
mod compacting;
mod ends;
mod replied;
mod round_over;
mod steered;

use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

pub(super) use answering::Refused;

use super::{
    Finish, Interruption, Limit, ModelCall, Record, RunConfig, RunId,
    agents::CurrentAgent,
    broken_off::is_kept,
    context::Context,
    correction::Corrections,
    faults::{Fault, has},
    plan::Planned,
    round::Round,
    spent::Spent,
};
use crate::{
    Conversation, UserMessage,
    message::SharedVec,
    model::{ModelError, ToolChoice, Warning},
    run::no_progress::LoopGuard,
    tool::ToolCall,
};

/// The reason why calls do not start that had not when the time of the run was up.
pub const TIME_IS_UP: &str = "the time of the run is up";

#[derive(Debug, Clone, PartialEq)]
pub(super) struct State {
    pub(super) id: RunId,
    pub(super) config: RunConfig,
    /// With every round that is over. The calls of the round under way wait in it.
    pub(super) conversation: Conversation,
    pub(super) phase: Phase,
    /// The calls of the rounds that are over, with the arguments that they ran with.
    pub(super) past_calls: BTreeMap<u32, SharedVec<ToolCall>>,
    cancel: Cancel,
    /// The messages that the model receives with the next request.
    pub(super) pushed: Vec<UserMessage>,
    /// The number of pushed messages that are in the conversation.
    pub(super) pushed_read: u32,
    /// The cause that has just broken off a response: its own record comes next.
    pub(super) interrupted: Option<Interruption>,
    /// The time that the run has used, as far as the log says it.
    pub(super) time_used: Duration,
    /// True if the time of the run is up. At most the summary comes after that.
    pub(super) late: bool,
    /// The bound that was reached.
    pub(super) limit: Option<Limit>,
    pub(super) text: String,
    /// True if the text is that of a response that broke off.
    pub(super) broken_off: bool,
    pub(super) spent: Spent,
    /// The number of responses whose calls have ids in this run, even if they were not allowed to run.
    pub(super) numbered: u32,
    pub(super) model_calls: u32,
    /// The requests that these took: more than one each for a model that sends several for a response.
    pub(super) requests: u32,
    pub(super) model_retries: u32,
    pub(super) corrected: u32,
    pub(super) paused: u32,
    /// The number of failures of the current request.
    pub(super) attempts: u32,
    /// The number of times that the provider has paused the current turn.
    pub(super) pauses: u32,
    /// The corrections of the turn under way.
    pub(super) corrections: Corrections,
    /// The answers of the run that did not fit.
    unfit_answers: u32,
    /// The latest of them, if the next request asks for the answer again.
    pub(super) refused: Option<Refused>,
    pub(super) progress: LoopGuard,
    /// The plan of the request under way, or of the next one.
    planned: Planned,
    /// The agent of the request under way, of the next one, or of the round.
    agent: CurrentAgent,
    pub(super) warnings: Vec<Warning>,
    /// The warnings that responses came with, each once.
    known_warnings: HashSet<Warning>,
    /// What is sent of the conversation, if the model has a context window.
    pub(super) context: Option<Box<Context>>,
}

/// Whether a run was asked to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cancel {
    None,
    /// When its round is over.
    AfterRound,
    Now,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Phase {
    /// The model is to be called, or is being called.
    Model(ModelCall),
    /// The model call has failed so, and is to be made again after a wait.
    Waiting(ModelCall, ModelError),
    /// Calls are to be run, or are running.
    Tools(Round),
    /// The end of the run is decided, and not yet recorded.
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
        let agent = CurrentAgent::first(config, &conversation);
        if let Some(agent) = agent.config(config) {
            conversation.set_agent(&agent.name);
        }
        let context = Context::new(config, &conversation).map(Box::new);
        let mut state = Self {
            id: id.clone(),
            config: config.clone(),
            conversation,
            phase: Phase::Model(ModelCall::Open),
            past_calls: BTreeMap::new(),
            cancel: Cancel::None,
            pushed: Vec::new(),
            pushed_read: 0,
            interrupted: None,
            time_used: Duration::ZERO,
            late: false,
            limit: None,
            text: String::new(),
            broken_off: false,
            spent: Spent::default(),
            numbered: 0,
            model_calls: 0,
            requests: 0,
            model_retries: 0,
            corrected: 0,
            paused: 0,
            attempts: 0,
            pauses: 0,
            corrections: Corrections::default(),
            unfit_answers: 0,
            refused: None,
            progress: LoopGuard::default(),
            planned: Planned::Not,
            agent,
            warnings: Vec::new(),
            known_warnings: HashSet::new(),
            context,
        };
        state.ask();
        state
    }

    /// Returns true if a record may follow the state. A record that follows from the state alone comes before all
    /// others.
    pub(super) fn accepts(&self, record: &Record) -> bool {
        if let Some(due) = self.due() {
            return *record == due || self.due_before().as_ref() == Some(record);
        }
        if self.wants_plan() {
            match record {
                Record::RequestPlanned { .. } => return matches!(self.phase, Phase::Model(_)),
                Record::Replied { .. } | Record::ReplyBrokenOff { .. } => return false,
                _ => {}
            }
        }
        if self.compacts_before(record) {
            return false;
        }
        match (record, &self.phase) {
            (Record::CallExpired { .. }, _) if self.config.pending_time.is_none() => false,
            (Record::CompactionStarted { .. } | Record::ContextCompacted { .. }, _) => {
                self.accepts_compaction(record)
            }
            (Record::ModelDelayed { error }, _) => self.asks_again_after(error),
            (
                Record::CallStarted { call, .. }
                | Record::CallPrepared { call, .. }
                | Record::CallDelayed { call, .. }
                | Record::CallResumed { call }
                | Record::CallInterrupted { call }
                | Record::CallDecided { call, .. }
                | Record::ApprovalRevoked { call }
                | Record::CallExpired { call }
                | Record::CallFinished { call, .. },
                Phase::Tools(round),
            ) => round.number == call.round && round.accepts(record, self.stopping().is_some()),
            (Record::ReplyBrokenOff { partial, by }, Phase::Model(_)) => {
                let may_be = match by {
                    Interruption::Cancel => !self.is_cancelled(),
                    Interruption::TimeLimit => self.config.limits.max_time.is_some(),
                };
                may_be && is_kept(partial)
            }
            (Record::Replied { .. } | Record::ModelFailed { .. }, Phase::Model(_))
            | (Record::SharedLimitReached { .. }, Phase::Model(ModelCall::Open))
            | (Record::ModelResumed, Phase::Waiting(..))
            | (Record::Resumed { .. }, Phase::Model(_) | Phase::Waiting(..) | Phase::Tools(_)) => {
                true
            }
            (
                Record::MessagePushed { .. },
                Phase::Model(_) | Phase::Waiting(..) | Phase::Tools(_),
            ) => !self.is_cancelled(),
            (Record::CancelAfterRound, Phase::Model(_) | Phase::Waiting(..) | Phase::Tools(_)) => {
                self.cancel == Cancel::None
            }
            (Record::CancelRequested, Phase::Model(_) | Phase::Waiting(..) | Phase::Tools(_)) => {
                !self.is_cancelled()
            }
            (Record::TimeUsed { time }, Phase::Model(_) | Phase::Waiting(..) | Phase::Tools(_)) => {
                self.config.limits.max_time.is_some() && *time > self.time_used
            }
            (Record::TimeLimitReached, Phase::Model(_) | Phase::Waiting(..)) => {
                self.config.limits.max_time.is_some()
            }
            (Record::TimeLimitReached, Phase::Tools(_)) => {
                self.config.limits.max_time.is_some() && self.stopping().is_none()
            }
            _ => false,
        }
    }

    /// The record that follows from the state alone, if one does.
    pub(super) fn due(&self) -> Option<Record> {
        if let Some(by) = self.interrupted {
            return Some(by.record());
        }
        if let Some(transferred) = self.agent.due(&self.config) {
            return Some(transferred);
        }
        let finish = match &self.phase {
            Phase::Decided(finish) => finish.clone(),
            Phase::Model(_) | Phase::Waiting(..) if self.is_cancelled() => Finish::Cancelled,
            Phase::Tools(_) if has(Fault::LeavesCalls) && self.is_cancelled() => Finish::Cancelled,
            Phase::Tools(round) => return round.due(self.stopping()),
            Phase::Model(_) | Phase::Waiting(..) | Phase::Finished(_) => return None,
        };
        Some(Record::Finished { finish })
    }

    /// The result that follows from the state alone, in the form of older versions.
    fn due_before(&self) -> Option<Record> {
        match &self.phase {
            Phase::Tools(round) => round.due_before(self.stopping()),
            _ => None,
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancel == Cancel::Now
    }

    /// Returns true if the run ends when its round is over, or with the response that is coming.
    pub(super) fn ends_after_round(&self) -> bool {
        self.cancel == Cancel::AfterRound
    }

    /// Returns the reason why no call starts any more, if none does.
    pub(super) fn stopping(&self) -> Option<&'static str> {
        match (self.is_cancelled(), self.late) {
            (true, _) => Some("the run was cancelled"),
            (false, true) => Some(TIME_IS_UP),
            (false, false) => None,
        }
    }

    /// Applies a record that the state [accepts](Self::accepts).
    pub(super) fn apply(&mut self, record: &Record) {
        match record {
            Record::CompactionStarted { compaction } => self.compaction_started(compaction),
            Record::ContextCompacted {
                compaction,
                model,
                usage,
                error,
            } => {
                let model = model.as_deref();
                self.context_compacted(compaction, model, usage.as_ref(), error.as_ref());
            }
            Record::Started { .. } | Record::Resumed { .. } => {}
            Record::Replied {
                response,
                policies,
                unfit,
            } => self.replied(response.clone(), policies.clone(), unfit.as_deref()),
            Record::ModelFailed { error } => self.model_failed(error),
            Record::ModelDelayed { error } => self.model_delayed(error),
            Record::ModelResumed => self.model_resumed(),
            Record::CallStarted { .. }
            | Record::CallPrepared { .. }
            | Record::CallDelayed { .. }
            | Record::CallResumed { .. }
            | Record::CallInterrupted { .. }
            | Record::CallDecided { .. }
            | Record::ApprovalRevoked { .. }
            | Record::CallExpired { .. } => {
                if let Phase::Tools(round) = &mut self.phase {
                    round.apply(record);
                }
            }
            Record::CallFinished {
                call,
                result,
                spent,
            } => self.call_finished(*call, result.clone(), spent.as_deref()),
            Record::SharedLimitReached { limit } => {
                if !has(Fault::IgnoresShared) {
                    self.reach(*limit);
                }
            }
            Record::ReplyBrokenOff { partial, by } => self.reply_broken_off(partial, *by),
            Record::RequestPlanned { plan } => self.request_planned(plan),
            Record::Transferred { .. } => self.transferred(),
            Record::MessagePushed { message } => self.pushed.push(message.clone()),
            Record::CancelAfterRound => self.cancel = Cancel::AfterRound,
            Record::CancelRequested => {
                self.cancel = Cancel::Now;
                self.interrupted = None;
            }
            Record::TimeUsed { time } => self.time_used = *time,
            Record::TimeLimitReached => {
                self.interrupted = None;
                self.time_limit_reached();
            }
            Record::Finished { finish } => self.phase = Phase::Finished(finish.clone()),
        }
        self.follow_conversation();
    }

    /// Applies a record that nobody else gets: what it holds is moved.
    pub(super) fn apply_owned(&mut self, record: Record) {
        match record {
            Record::Replied {
                response,
                policies,
                unfit,
            } => self.replied(response, policies, unfit.as_deref()),
            Record::CallFinished {
                call,
                result,
                spent,
            } => self.call_finished(call, result, spent.as_deref()),
            record => return self.apply(&record),
        }
        self.follow_conversation();
    }

    /// Returns true if a model call that failed with this error is made again.
    pub(super) fn asks_again_after(&self, error: &ModelError) -> bool {
        matches!(self.phase, Phase::Model(_))
            && !self.is_cancelled()
            && error.may_pass()
            && self.attempts < self.config.limits.model_retries
    }

    /// The tool choice of the next request.
    pub(super) fn tool_choice(&self) -> ToolChoice {
        let planned = self.plan().and_then(|plan| plan.tool_choice.clone());
        planned.unwrap_or_else(|| self.scheduled_choice())
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
}

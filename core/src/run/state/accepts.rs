//! The records that may come next.

use super::State;
use crate::{
    model::ModelError,
    run::{
        Finish, ModelCall, Record,
        broken_off::is_kept,
        faults::{Fault, has},
        phase::Phase,
    },
};

impl State {
    /// Returns true if a record may follow the state. A record that follows from the state alone comes before all
    /// others.
    pub(in crate::run) fn accepts(&self, record: &Record) -> bool {
        if let Some(due) = self.due() {
            return *record == due;
        }
        if self.wants_plan() {
            match record {
                Record::RequestPlanned { .. } => return matches!(self.phase, Phase::Model(_)),
                Record::Replied { .. } | Record::ResponseBrokenOff { .. } => return false,
                _ => {}
            }
        }
        let is_summarizing = self.phase.is_summarizing();
        if self.compacting.comes_before(record, is_summarizing) {
            return false;
        }
        let has_time = self.config.limits.max_time.is_some();
        match (record, &self.phase) {
            (Record::CallExpired { .. }, _) if self.config.pending_time.is_none() => false,
            (
                Record::CompactionStarted { .. } | Record::ContextCompacted { .. },
                Phase::Model(call),
            ) => {
                let may_ask = !self.stopping.is_late();
                self.compacting
                    .accepts(record, *call, &self.conversation, may_ask)
            }
            (Record::ModelDelayed { error }, _) => self.asks_again_after(error),
            (
                Record::CallStarted { call, .. }
                | Record::CallPrepared { call, .. }
                | Record::CallDelayed { call, .. }
                | Record::CallResumed { call }
                | Record::CallCheckpointed { call, .. }
                | Record::CallInterrupted { call }
                | Record::CallDecided { call, .. }
                | Record::QuestionAnswered { call, .. }
                | Record::ApprovalRevoked { call }
                | Record::CallExpired { call }
                | Record::CallFinished { call, .. },
                Phase::Tools(round),
            ) => {
                let stopping = self.stopping.reason().is_some();
                round.number() == call.round && round.accepts(record, stopping)
            }
            (Record::ResponseBrokenOff { partial, .. }, Phase::Model(_)) => {
                self.stopping.accepts(record, has_time) && is_kept(partial)
            }
            (Record::Replied { response, .. }, Phase::Model(_)) => response.repeats_parts(),
            (Record::ModelFailed { .. }, Phase::Model(_))
            | (Record::SharedLimitReached { .. }, Phase::Model(ModelCall::Open))
            | (Record::ModelResumed, Phase::Waiting(..)) => true,
            (Record::Resumed { .. }, phase) => phase.is_under_way(),
            (Record::MessagePushed { .. }, phase) => {
                phase.is_under_way() && !self.stopping.is_cancelled()
            }
            (Record::MessagesRead, Phase::Model(call)) => {
                // A request for a summary shows no messages, and a turn that was paused goes on first.
                let goes_on = *call == ModelCall::Open && self.turn.pauses() > 0;
                *call != ModelCall::Compact && !goes_on && !self.pushed.unread().is_empty()
            }
            (Record::CancelAfterRound | Record::CancelRequested, phase) => {
                phase.is_under_way() && self.stopping.accepts(record, has_time)
            }
            (Record::TimeUsed { time }, phase) => {
                phase.is_under_way() && has_time && *time > self.spent.time()
            }
            (Record::TimeLimitReached, phase) => {
                let comes_too_late = phase.round().is_some() && self.stopping.reason().is_some();
                phase.is_under_way() && !comes_too_late && self.stopping.accepts(record, has_time)
            }
            _ => false,
        }
    }

    /// The record that comes next, whatever is signalled.
    pub(in crate::run) fn next_record(&self) -> Option<Record> {
        self.due().or_else(|| self.compaction_wanted())
    }

    /// The record that follows from the state alone, if one does.
    fn due(&self) -> Option<Record> {
        let due = self.stopping.due();
        if let Some(due) = due.or_else(|| self.agent.due(&self.config)) {
            return Some(due);
        }
        let is_cancelled = self.stopping.is_cancelled();
        let finish = match &self.phase {
            Phase::Decided(finish) => finish.clone(),
            Phase::Model(_) | Phase::Waiting(..) if is_cancelled => Finish::Cancelled,
            Phase::Tools(_) if has(Fault::LeavesCalls) && is_cancelled => Finish::Cancelled,
            Phase::Tools(round) => return round.due(self.stopping.reason()),
            Phase::Model(_) | Phase::Waiting(..) | Phase::Finished(_) => return None,
        };
        Some(Record::Finished { finish })
    }

    /// The record of a compaction that the next request needs.
    fn compaction_wanted(&self) -> Option<Record> {
        let is_next = matches!(self.phase, Phase::Model(call) if call != ModelCall::Compact);
        if !is_next || self.stopping.is_cancelled() || self.stopping.due().is_some() {
            return None;
        }
        let may_ask = !self.stopping.is_late();
        self.compacting.wanted(&self.conversation, may_ask)
    }

    /// Returns true if the next request is to be planned first.
    pub(in crate::run) fn wants_plan(&self) -> bool {
        self.turn.wants_plan() && matches!(self.phase, Phase::Model(ModelCall::Open))
    }

    /// Returns true if a model call that failed with this error is made again.
    pub(in crate::run) fn asks_again_after(&self, error: &ModelError) -> bool {
        matches!(self.phase, Phase::Model(_))
            && !self.stopping.is_cancelled()
            && error.may_pass()
            && self.turn.attempts() < self.config.limits.model_retries
    }
}

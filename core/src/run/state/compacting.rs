//! Steps that send less of a conversation than there is.

use super::{Phase, State};
use crate::{
    conversation::Compaction,
    message::{Message, SharedVec},
    model::{ModelError, ModelRequest, ModelResponse, Usage},
    run::{ModelCall, Record, context::is_too_long},
};

impl State {
    /// The messages that are sent, unless these are all.
    pub(in crate::run) fn view(&self) -> Option<&SharedVec<Message>> {
        self.context.as_ref()?.view()
    }

    /// The request for a summary, if that comes next.
    pub(in crate::run) fn summary_request(&self) -> Option<ModelRequest> {
        let context = self.context.as_ref().filter(|_| self.is_summarizing())?;
        context.summary_request(&self.conversation)
    }

    /// Returns true if a summary of what is left out comes next.
    pub(in crate::run) fn is_summarizing(&self) -> bool {
        matches!(
            self.phase,
            Phase::Model(ModelCall::Compact) | Phase::Waiting(ModelCall::Compact, _)
        )
    }

    /// The record of a compaction that the next request needs. It follows from an estimate, and not from the log alone:
    /// a log that goes on without it is one of a run as well.
    fn compaction_wanted(&self) -> Option<Record> {
        let context = self.context.as_ref()?;
        let is_next = matches!(self.phase, Phase::Model(call) if call != ModelCall::Compact);
        if !is_next || self.is_cancelled() || self.interrupted.is_some() {
            return None;
        }
        let compaction = context.wanted(&self.conversation)?;
        if !self.late && context.summarizes(&self.conversation, &compaction) {
            return Some(Record::CompactionStarted { compaction });
        }
        Some(Record::ContextCompacted {
            compaction,
            model: None,
            usage: None,
            error: None,
        })
    }

    /// The record of a compaction, with the summary in a response if there is one.
    pub(in crate::run) fn summarized(
        &self,
        response: Result<ModelResponse, ModelError>,
    ) -> Option<Record> {
        let context = self.context.as_ref()?;
        let (_, compaction) = context.summarizing()?;
        let mut compaction = compaction.clone();
        let summary = response.and_then(|response| context.summary_of(response));
        let (model, usage, error) = match summary {
            Ok((summary, response)) => {
                compaction.summarized = compaction.left_out;
                compaction.summary = Some(summary);
                (response.model, response.usage, None)
            }
            Err(mut error) => {
                let partial = error.partial.take().unwrap_or_default();
                (partial.model, partial.usage, Some(error))
            }
        };
        Some(Record::ContextCompacted {
            compaction,
            model,
            usage,
            error,
        })
    }

    /// Returns true if a record of a compaction may come next.
    pub(super) fn accepts_compaction(&self, record: &Record) -> bool {
        let Some(context) = &self.context else {
            return false;
        };
        match (record, &self.phase) {
            (Record::ContextCompacted { compaction, .. }, Phase::Model(ModelCall::Compact)) => {
                let planned = context.summarizing();
                planned.is_some_and(|(_, planned)| {
                    let mut planned = planned.clone();
                    planned.summary.clone_from(&compaction.summary);
                    planned.summarized = compaction.summarized;
                    planned == *compaction && compaction.summarized <= compaction.left_out
                })
            }
            (
                Record::ContextCompacted {
                    compaction,
                    model: None,
                    usage: None,
                    error: None,
                },
                Phase::Model(_),
            ) => self.follows(compaction),
            (Record::CompactionStarted { compaction }, Phase::Model(call)) => {
                *call != ModelCall::Compact
                    && !self.late
                    && context.summarizes(&self.conversation, compaction)
                    && self.follows(compaction)
            }
            _ => false,
        }
    }

    /// Returns true if a compaction without a summary of its own may come next.
    fn follows(&self, next: &Compaction) -> bool {
        let now = self.conversation.compaction();
        let summary = |one: &Compaction| (one.summary.clone(), one.summarized);
        let context = self.context.as_ref();
        now.map(summary).unwrap_or_default() == summary(next)
            && context.is_some_and(|context| context.accepts(&self.conversation, next))
    }

    /// Returns true if a compaction comes before a record of the model.
    pub(super) fn compacts_before(&self, record: &Record) -> bool {
        let is_due = self
            .context
            .as_ref()
            .is_some_and(|context| context.is_due());
        match record {
            Record::Replied { .. } | Record::ModelFailed { .. } => is_due || self.is_summarizing(),
            Record::ModelDelayed { .. } | Record::ReplyBrokenOff { .. } => {
                is_due && !self.is_summarizing()
            }
            _ => false,
        }
    }

    pub(super) fn compaction_started(&mut self, compaction: &Compaction) {
        let Phase::Model(call) = self.phase else {
            return;
        };
        if let Some(context) = &mut self.context {
            context.summarize(call, compaction.clone());
            self.attempts = 0;
            self.phase = Phase::Model(ModelCall::Compact);
        }
    }

    pub(super) fn context_compacted(
        &mut self,
        compaction: &Compaction,
        model: Option<&str>,
        usage: Option<&Usage>,
        error: Option<&ModelError>,
    ) {
        let asked = self.is_summarizing();
        if asked {
            self.count_request(None);
            if let Some(error) = error {
                self.warn("compaction_failed", error);
            }
            if usage.is_some() || error.is_none() {
                let mut response = ModelResponse::new(Vec::new());
                response.model = model.map(str::to_owned);
                response.usage = usage.cloned();
                self.count(&response);
            }
            self.stop_summarizing();
        }
        self.conversation.set_compaction(compaction.clone());
        if let Some(context) = &mut self.context {
            context.compacted(&self.conversation, asked);
        }
        // The summary has cost something as well.
        let limit = self.spent.limit_of_requests(&self.config.limits);
        if let (true, Phase::Model(ModelCall::Open), Some(limit)) = (asked, &self.phase, limit) {
            self.reach(limit);
        }
    }

    /// Takes the usage of the request for a response.
    pub(super) fn measure(&mut self, response: &ModelResponse) {
        if let Some(context) = &mut self.context {
            let sent = response.usage.as_ref().map(|usage| usage.input_tokens);
            context.heard(sent, response.requests);
        }
    }

    /// Adds what was said to what is sent.
    pub(super) fn follow_conversation(&mut self) {
        if let Some(context) = &mut self.context {
            context.follow(&self.conversation);
        }
    }

    /// The number of compactions of the run.
    pub(in crate::run) fn compactions(&self) -> u32 {
        self.context
            .as_ref()
            .map_or(0, |context| context.compactions)
    }

    /// The number of requests for summaries, and of those that were too long and sent again with less.
    #[cfg(test)]
    pub(in crate::run) fn compaction_requests(&self) -> u32 {
        self.context.as_ref().map_or(0, |context| context.requests)
    }

    /// The record that comes next, whatever is signalled.
    pub(in crate::run) fn next_record(&self) -> Option<Record> {
        self.due().or_else(|| self.compaction_wanted())
    }

    /// The run goes on without a summary of what is left out.
    pub(super) fn stop_summarizing(&mut self) {
        let call = self
            .context
            .as_mut()
            .and_then(|context| context.stop_summarizing());
        if let (Some(call), true) = (call, self.is_summarizing()) {
            self.attempts = 0;
            self.phase = Phase::Model(call);
        }
    }

    /// Takes that a request is too long, if less may be sent.
    pub(super) fn shrinks_after(&mut self, error: &ModelError, has_text: bool) -> bool {
        let context = self
            .context
            .as_mut()
            .filter(|_| is_too_long(error) && !has_text);
        context.is_some_and(|context| context.may_shrink(&self.conversation))
    }
}

//! Sends less of a conversation than there is, where the model has a context window.

use super::{
    ModelCall, Record, RunConfig,
    context::{Context, is_too_long},
};
use crate::{
    Conversation,
    conversation::Compaction,
    message::{Message, SharedVec},
    model::{ModelError, ModelRequest, ModelResponse, Usage},
};

/// The part of a conversation that a run sends, and the compaction under way. It is empty where the model has no context
/// window: then the whole conversation is sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Compacting(Option<Box<Context>>);

impl Compacting {
    /// Begins with the conversation of a run, in which its question is already.
    pub(super) fn new(config: &RunConfig, conversation: &Conversation) -> Self {
        Self(Context::new(config, conversation).map(Box::new))
    }

    /// The messages that are sent, unless these are all.
    pub(super) fn view(&self) -> Option<&SharedVec<Message>> {
        self.0.as_ref()?.view()
    }

    /// The request for the summary that is made.
    pub(super) fn summary_request(&self, conversation: &Conversation) -> Option<ModelRequest> {
        self.0.as_ref()?.summary_request(conversation)
    }

    /// The record of a compaction that the next request needs. It follows from an estimate, and not from the log alone:
    /// a log that goes on without it is one of a run as well. `may_ask` is true if a summary may be asked for.
    pub(super) fn wanted(&self, conversation: &Conversation, may_ask: bool) -> Option<Record> {
        let context = self.0.as_ref()?;
        let compaction = context.wanted(conversation)?;
        if may_ask && context.summarizes(conversation, &compaction) {
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
    pub(super) fn summarized(&self, response: Result<ModelResponse, ModelError>) -> Option<Record> {
        let context = self.0.as_ref()?;
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

    /// Returns true if a record of a compaction may come next, where this model call is to be made. `may_ask` is true if
    /// a summary may be asked for.
    pub(super) fn accepts(
        &self,
        record: &Record,
        call: ModelCall,
        conversation: &Conversation,
        may_ask: bool,
    ) -> bool {
        let Some(context) = &self.0 else {
            return false;
        };
        match (record, call) {
            (Record::ContextCompacted { compaction, .. }, ModelCall::Compact) => {
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
                _,
            ) => follows(context, conversation, compaction),
            (Record::CompactionStarted { compaction }, call) => {
                call != ModelCall::Compact
                    && may_ask
                    && context.summarizes(conversation, compaction)
                    && follows(context, conversation, compaction)
            }
            _ => false,
        }
    }

    /// Returns true if a compaction comes before a record of the model. `is_summarizing` is true if a summary is made.
    pub(super) fn comes_before(&self, record: &Record, is_summarizing: bool) -> bool {
        let is_due = self.0.as_ref().is_some_and(|context| context.is_due());
        match record {
            Record::Replied { .. } | Record::ModelFailed { .. } => is_due || is_summarizing,
            Record::ModelDelayed { .. } | Record::ResponseBrokenOff { .. } => {
                is_due && !is_summarizing
            }
            _ => false,
        }
    }

    /// A summary is to be made for a compaction, before this model call.
    pub(super) fn started(&mut self, call: ModelCall, compaction: &Compaction) {
        if let Some(context) = &mut self.0 {
            context.summarize(call, compaction.clone());
        }
    }

    /// No summary is made any more. Gives the model call that it was for.
    pub(super) fn stop_summarizing(&mut self) -> Option<ModelCall> {
        self.0.as_mut()?.stop_summarizing()
    }

    /// Sends less from now on. `asked` is true if a summary was asked for.
    pub(super) fn compacted(&mut self, conversation: &Conversation, asked: bool) {
        if let Some(context) = &mut self.0 {
            context.compacted(conversation, asked);
        }
    }

    /// Takes the usage of the request for a response.
    pub(super) fn measure(&mut self, response: &ModelResponse) {
        if let Some(context) = &mut self.0 {
            let sent = response.usage.as_ref().map(Usage::sent_tokens);
            context.heard(sent, response.requests);
        }
    }

    /// Takes that a request is too long, if less may be sent. `has_text` is true if the user has read text of its
    /// response.
    pub(super) fn shrinks_after(
        &mut self,
        error: &ModelError,
        has_text: bool,
        conversation: &Conversation,
    ) -> bool {
        let context = self.0.as_mut();
        let mut context = context.filter(|_| is_too_long(error) && !has_text);
        (context.as_mut()).is_some_and(|context| context.may_shrink(conversation))
    }

    /// Adds the messages to what is sent.
    pub(super) fn follow(&mut self, conversation: &Conversation) {
        if let Some(context) = &mut self.0 {
            context.follow(conversation);
        }
    }

    /// The number of compactions of the run.
    pub(super) fn compactions(&self) -> u32 {
        self.0.as_ref().map_or(0, |context| context.compactions())
    }

    /// The number of requests for summaries, and of those that were too long and sent again with less.
    #[cfg(test)]
    pub(super) fn requests(&self) -> u32 {
        self.0.as_ref().map_or(0, |context| context.requests())
    }

    /// Returns true if the model has a context window.
    #[cfg(test)]
    pub(super) fn has_window(&self) -> bool {
        self.0.is_some()
    }
}

/// Returns true if a compaction without a summary of its own may come next.
fn follows(context: &Context, conversation: &Conversation, next: &Compaction) -> bool {
    let now = conversation.compaction();
    let summary = |one: &Compaction| (one.summary.clone(), one.summarized);
    now.map(summary).unwrap_or_default() == summary(next) && context.accepts(conversation, next)
}

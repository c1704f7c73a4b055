//! Steps that send less of a conversation than there is.

use super::State;
use crate::{
    conversation::Compaction,
    model::{ModelError, ModelResponse, Usage},
    run::{ModelCall, phase::Phase},
};

impl State {
    /// A summary is made of what a compaction leaves out, before the model call that is next.
    pub(super) fn compaction_started(&mut self, compaction: &Compaction) {
        if let Phase::Model(call) = self.phase {
            self.compacting.started(call, compaction);
            self.summarize_or_ask(ModelCall::Compact);
        }
    }

    pub(super) fn context_compacted(
        &mut self,
        compaction: &Compaction,
        model: Option<&str>,
        usage: Option<&Usage>,
        error: Option<&ModelError>,
    ) {
        let asked = self.phase.is_summarizing();
        if asked {
            self.spent.add_request(None);
            if let Some(error) = error {
                self.warnings.add("compaction_failed", error);
            }
            if usage.is_some() || error.is_none() {
                let mut response = ModelResponse::new(Vec::new());
                response.model = model.map(str::to_owned);
                response.usage = usage.cloned();
                self.count_tokens(&response);
            }
            self.stop_summarizing();
        }
        self.conversation.set_compaction(compaction.clone());
        self.compacting.compacted(&self.conversation, asked);
        // The summary has cost something as well.
        let limit = self.spent.limit_of_requests(&self.config.limits);
        if let (true, Phase::Model(ModelCall::Open), Some(limit)) = (asked, &self.phase, limit) {
            self.reach(limit);
        }
    }

    /// The run goes on without a summary of what is left out.
    pub(super) fn stop_summarizing(&mut self) {
        let call = self.compacting.stop_summarizing();
        if let (Some(call), true) = (call, self.phase.is_summarizing()) {
            self.summarize_or_ask(call);
        }
    }

    fn summarize_or_ask(&mut self, call: ModelCall) {
        self.turn.request_over();
        self.phase = Phase::Model(call);
    }
}

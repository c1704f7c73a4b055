//! The context window of the runs of a runner.

use std::sync::Arc;

use super::{Inner, typed_answer::AnswerType};
use toolwright_core::{Toolset, driver::tokens_of, model::ChatModel, run::RunConfig};

impl Inner {
    /// The settings of the next run. The context window knows what the tools need of it.
    pub(super) fn run_config(&self, answer: Option<&AnswerType>) -> RunConfig {
        let mut config = self.config.clone();
        config.answer = answer.map(|answer| self.answer_form(answer));
        let names = self.config.tools.as_deref();
        if let Some(window) = &mut config.context_window
            && window.overhead.is_none()
        {
            // The conversation may be handed over to any of the agents.
            let tokens = |agent: &Self| tokens_of_tools(&agent.tools.allowed(names));
            window.overhead = self.of_agents().map(tokens).max();
        }
        config
    }

    /// The model that summarizes what is left out of a request.
    pub(super) fn summarizer(&self) -> &Arc<dyn ChatModel> {
        self.summarizer.as_ref().unwrap_or(&self.model)
    }
}

fn tokens_of_tools(tools: &Toolset) -> u64 {
    let definitions = tools.shared_definitions();
    *definitions.prepared("context_window", |all| {
        // Those that are looked up are counted when the provider has counted them.
        let shown: Vec<_> = all.iter().filter(|tool| !tool.deferred).cloned().collect();
        tokens_of(&shown)
    })
}

//! The context window of the runs of a runner.

use std::sync::Arc;

use super::{Inner, typed::AnswerType};
use crate::{
    model::ChatModel,
    panics::Contained,
    run::{RunConfig, tokens_of},
};

impl Inner {
    /// The settings of the next run. The context window knows what the tools need of it.
    pub(super) fn run_config(&self, answer: Option<&AnswerType>) -> RunConfig {
        let mut config = self.config.clone();
        config.answer = answer.map(|answer| self.answer_form(answer));
        if let Some(window) = &mut config.context_window
            && window.overhead.is_none()
        {
            let tools = self.tools.snapshot();
            let definitions = tools.shared_definitions();
            let tokens = definitions.prepared("context_window", |all| {
                // Those that are looked up are counted when the provider has counted them.
                let shown: Vec<_> = all.iter().filter(|tool| !tool.deferred).cloned().collect();
                tokens_of(&shown)
            });
            window.overhead = Some(*tokens);
        }
        config
    }

    /// The model that summarizes what is left out of a request.
    pub(super) fn summarizer(&self) -> &Contained<Arc<dyn ChatModel>> {
        self.summarizer.as_ref().unwrap_or(&self.model)
    }
}

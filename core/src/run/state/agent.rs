//! The agent that a run is with, and what its requests have of it.

use super::State;
use crate::{model::ToolChoice, run::AgentConfig};

impl State {
    /// The settings of the agent of the request under way or of the next one, if the run has agents.
    pub(in crate::run) fn agent_config(&self) -> Option<&AgentConfig> {
        self.agent.config(&self.config)
    }

    pub(in crate::run) fn is_with_first_agent(&self) -> bool {
        self.agent.is_first()
    }

    /// Puts the system text of the agent in the place of that of the conversation, which goes before that of the run.
    pub(in crate::run) fn put_system(&self, system: &mut Option<String>) {
        let own = self.agent_config().and_then(|agent| agent.system.as_ref());
        if own.is_some() {
            *system = own.cloned();
        } else if self.agent.is_first() && system.is_none() {
            system.clone_from(&self.config.system);
        }
    }

    /// The tool choice of the agent, unless a plan has another.
    pub(super) fn scheduled_choice(&self) -> ToolChoice {
        let rounds = self.spent.rounds;
        let own = self
            .agent_config()
            .and_then(|agent| agent.tool_choice.as_ref());
        match own {
            Some(choice) => choice.at(self.agent.rounds(rounds)),
            None => self.config.tool_choice.at(rounds),
        }
    }

    /// The agent that a call of the last round names takes over.
    pub(super) fn transferred(&mut self) {
        self.agent.take_over(self.spent.rounds);
        if let Some(agent) = self.agent.config(&self.config) {
            self.conversation.set_agent(&agent.name);
        }
    }
}

//! The agent that a run is with: what its requests are made with, and its calls.

use std::sync::Arc;

use super::Driver;
use crate::{Approver, runner::Inner};
use toolwright_core::{
    driver::Contained,
    model::{ModelError, ModelErrorKind},
    tool::ToolContext,
};

impl<'a> Driver<'a> {
    /// The settings of the agent that the run is with. One that is not there any more has no tools, and those of the run
    /// stand for its others.
    pub(super) fn agent(&self) -> &'a Inner {
        self.inner.agent_of(&self.run).unwrap_or(self.inner)
    }

    /// The error of a request of an agent that is not there any more.
    pub(super) fn no_agent(&self) -> Option<ModelError> {
        let name = self.run.other_agent()?;
        if self.inner.agent_of(&self.run).is_some() {
            return None;
        }
        let why = format!("the run is with the agent `{name}`, which the runner does not have");
        Some(ModelError::new(ModelErrorKind::InvalidRequest, why))
    }

    /// Who decides about the calls of the agent.
    pub(super) fn approver(&self) -> Option<&Contained<Arc<dyn Approver>>> {
        let own = self.agent().calls.approver.as_ref();
        own.or_else(|| self.node.approver())
    }

    /// The context that the contexts of the calls are made from. An agent has its own extensions, and those of the run that
    /// it does not set.
    pub(super) fn context_of_agent(&self) -> ToolContext {
        let name = self.run.other_agent();
        match name.and_then(|name| self.inner.agents.find(name)) {
            None => self.context.clone(),
            Some(agent) => {
                let own = agent.context.clone();
                let own = own.with_missing(&agent.inner.calls.extensions);
                self.context.clone().with_replaced(own.extensions())
            }
        }
    }
}

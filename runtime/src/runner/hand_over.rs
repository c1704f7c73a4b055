//! Agents that hand a conversation over to each other, within one run.
//!
//! Which agent a run is with follows from its log ([`Run::agent`](toolwright_core::Run::agent)). What a request of an agent is made
//! with, and what its calls run with, is that of its runner. All else is that of the runner of the run.

mod agent;
mod error;
mod team;
mod tool;

use std::{collections::BTreeMap, convert::Infallible, iter, sync::Arc};

pub use agent::Agent;
pub use error::AgentError;
pub(super) use team::Team;

use super::{Inner, tools::allowed};
use crate::Approver;
use toolwright_core::Fingerprint;
use toolwright_core::{
    Toolset, ToolsetError,
    model::ModelSettings,
    run::{AgentConfig, Run},
    tool::ToolContext,
};

/// The agents of a runner beside its own, by name.
#[derive(Clone, Default)]
pub(super) struct Agents(Arc<BTreeMap<String, AgentRunner>>);

/// The runner of an agent.
#[derive(Clone)]
pub(super) struct AgentRunner {
    pub(super) inner: Inner,
    pub(super) context: ToolContext,
}

impl Agents {
    /// The same agents with other settings.
    ///
    /// # Errors
    ///
    /// When the change fails.
    pub(super) fn changed<E>(
        &self,
        mut change: impl FnMut(&mut Inner) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut agents = BTreeMap::clone(&self.0);
        for agent in agents.values_mut() {
            change(&mut agent.inner)?;
        }
        Ok(Self(Arc::new(agents)))
    }

    pub(super) fn find(&self, name: &str) -> Option<&AgentRunner> {
        self.0.get(name)
    }
}

impl Inner {
    /// The settings of all agents, its own first.
    pub(super) fn of_agents(&self) -> impl Iterator<Item = &Self> {
        let others = self.agents.0.values().map(|agent| &agent.inner);
        iter::once(self).chain(others)
    }

    /// Sets how the responses of all agents are made.
    pub(super) fn set_settings(&mut self, settings: &ModelSettings) {
        self.settings.clone_from(settings);
        let change = |agent: &mut Self| {
            agent.settings.clone_from(settings);
            Ok::<_, Infallible>(())
        };
        let Ok(agents) = self.agents.changed(change);
        self.agents = agents;
    }

    /// Checks that a tool of some agent has each of these names. The tools that a registry will have are not
    /// known yet.
    ///
    /// # Errors
    ///
    /// When no tool of any agent has one of the names.
    pub(super) fn check_names(&self, names: &[String]) -> Result<(), ToolsetError> {
        let fixed: Option<Vec<_>> = self.of_agents().map(|agent| agent.tools.fixed()).collect();
        let has = |name: &&String| {
            let fixed = fixed.as_ref();
            fixed.is_none_or(|sets| sets.iter().any(|tools| tools.find(name).is_some()))
        };
        match names.iter().find(|name| !has(name)) {
            // The set of the own agent says which name was probably meant.
            Some(unknown) => self.tools.snapshot().only([unknown.as_str()]).map(drop),
            None => Ok(()),
        }
    }

    /// Returns true if a call of any agent may wait for the application to answer it.
    pub(super) fn may_suspend(&self) -> bool {
        self.of_agents().any(|agent| agent.tools.may_suspend())
    }

    /// The settings of the agent that a run is with; `None` if there is no such agent any more.
    pub(super) fn agent_of(&self, run: &Run) -> Option<&Self> {
        match run.other_agent() {
            None => Some(self),
            Some(name) => self.agents.find(name).map(|agent| &agent.inner),
        }
    }

    /// The settings of the agent that a run is with. One that is not there any more has no tools, and those of the run stand
    /// for its others.
    pub(super) fn settings_of(&self, run: &Run) -> &Self {
        self.agent_of(run).unwrap_or(self)
    }

    /// Who decides about the calls of the agent that a run is with, if that is known without the runs around it.
    pub(super) fn approver_of(&self, run: &Run) -> Option<&Arc<dyn Approver>> {
        let own = self
            .agent_of(run)
            .and_then(|agent| agent.calls.approver.as_ref());
        own.or(self.calls.approver.as_ref())
    }

    /// Returns true if an approver decides about the calls of any agent.
    pub(super) fn has_approver(&self) -> bool {
        self.of_agents().any(|agent| agent.calls.approver.is_some())
    }

    /// The tools of the agent that a run is with, as they are now; none if there is no such agent any more.
    pub(super) fn all_tools_of(&self, run: &Run) -> Toolset {
        let agent = self.agent_of(run);
        agent
            .map(|agent| agent.tools.snapshot())
            .unwrap_or_default()
    }

    /// Returns the tools of an agent that the settings of a run allow.
    pub(super) fn allowed_tools(&self, run: &Run, all: &Toolset) -> Toolset {
        let tools = allowed(all, run.config().tools.as_deref());
        // Whoever the run cannot be handed over to is no agent of it: it may have begun before there was one.
        let known = &run.config().agents;
        let is_known = |name: &str| known.iter().any(|agent| agent.name == name);
        let unknown = self
            .config
            .agents
            .iter()
            .filter(|agent| !is_known(&agent.name));
        let unknown: Vec<_> = unknown.map(AgentConfig::transfer_tool).collect();
        if unknown.is_empty() {
            return tools;
        }
        tools.filtered(|tool, _| !unknown.iter().any(|name| tool.name == *name))
    }

    /// The fingerprints of the tools of all agents, or of those of these names, by their keys.
    pub(super) fn fingerprints(&self, names: Option<&[String]>) -> BTreeMap<String, Fingerprint> {
        let own = super::keeper::fingerprints(&self.tools.allowed(names));
        let mut all = own.as_ref().clone();
        for (name, agent) in self.agents.0.iter() {
            for (tool, fingerprint) in
                &*super::keeper::fingerprints(&agent.inner.tools.allowed(names))
            {
                all.insert(key_of(Some(name), tool), *fingerprint);
            }
        }
        all
    }
}

/// The key of a tool among all agents: its name, with the name of its agent before it for every agent but the first.
pub(super) fn key_of(other_agent: Option<&str>, tool: &str) -> String {
    match other_agent {
        None => tool.to_owned(),
        Some(agent) => format!("{agent}.{tool}"),
    }
}

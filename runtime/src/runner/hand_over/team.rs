//! The agents of a runner, before it is built.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Agent, AgentError, AgentRunner, Agents,
    tool::{DESCRIPTION, NAME, transfer},
};
use crate::runner::{Inner, RunnerBuilder, builder::names, tools::ToolSource};
use toolwright_core::{
    Toolset,
    driver::caught,
    model::ChatModel,
    run::{AgentConfig, AnswerMeans},
};

/// The default name of the runner's own agent, and its description for the others.
const FIRST: (&str, &str) = ("main", "The agent that the conversation began with.");

/// The agents of a runner, before it is built.
#[derive(Debug, Default)]
pub(in crate::runner) struct Team {
    /// The name and the description of the runner's own agent.
    first: Option<(String, String)>,
    transfers_to: Option<Vec<String>>,
    others: Vec<Agent>,
}

impl RunnerBuilder {
    /// Adds an agent that a run may hand its conversation over to, beside the runner's own: see [`Agent`]. By default each
    /// may hand over to each other one, and back.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{ModelResponse, Runner, ToolCall, runner::Agent, testing::ScriptedModel};
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("Your refund is on its way.")]);
    /// let billing = Runner::builder(model).system("Answer questions about money.").build()?;
    ///
    /// let call = ToolCall::new("1", "transfer_to_billing", r#"{"reason": "a refund"}"#);
    /// let model = ScriptedModel::new([ModelResponse::from_calls([call])]);
    /// let runner = Runner::builder(model)
    ///     .system("Find out what the question is about.")
    ///     .agent(Agent::new("billing", "Knows invoices and refunds.", billing))
    ///     .build()?;
    /// let outcome = runner.run("Where is my refund?").await?;
    /// assert_eq!(outcome.text, "Your refund is on its way.");
    /// assert_eq!(outcome.agent.as_deref(), Some("billing"));
    /// # Ok(()) }
    /// ```
    pub fn agent(mut self, agent: Agent) -> Self {
        self.team.others.push(agent);
        self
    }

    /// Sets the name of the runner's own agent, `main` by default, and its description for the models of other agents.
    /// A conversation begins with this agent.
    pub fn agent_name(mut self, name: impl Into<String>, description: impl Into<String>) -> Self {
        self.team.first = Some((name.into(), description.into()));
        self
    }

    /// Sets the names of the agents that the runner's own agent may hand over to; all by default.
    pub fn transfers_to<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.team.transfers_to = Some(names.into_iter().map(Into::into).collect());
        self
    }
}

impl Team {
    /// The tools of the runner's own agent, with those by which it hands over.
    ///
    /// # Errors
    ///
    /// When the agents are none, or contradict each other.
    pub(in crate::runner) fn joined(&self, tools: &ToolSource) -> Result<ToolSource, AgentError> {
        self.check()?;
        self.with_transfers(tools, self.first().0, self.transfers_to.as_deref())
    }

    /// Joins the agents to the runner, whose own tools are [joined](Self::joined) by then.
    ///
    /// # Errors
    ///
    /// When an agent contradicts the runner.
    pub(in crate::runner) fn join(self, inner: &mut Inner) -> Result<(), AgentError> {
        if self.others.is_empty() {
            return Ok(());
        }
        let mut agents = BTreeMap::new();
        inner.config.agents = vec![AgentConfig::new(self.first().0)];
        for agent in &self.others {
            let mut own = Inner::clone(&agent.runner.inner);
            let transfers_to = agent.transfers_to.as_deref();
            own.tools = self.with_transfers(&own.tools, &agent.name, transfers_to)?;
            check_agent(agent, &own, inner)?;
            inner.config.agents.push(config_of(agent, &own));
            inner.config.plans_requests |= own.planner.is_some();
            let context = agent.runner.context.clone();
            let runner = AgentRunner {
                inner: own,
                context,
            };
            agents.insert(agent.name.clone(), runner);
        }
        inner.agents = Agents(Arc::new(agents));
        Ok(())
    }

    fn first(&self) -> (&str, &str) {
        let set = self.first.as_ref();
        set.map_or(FIRST, |(name, description)| (name, description))
    }

    /// The names and the descriptions of all agents.
    fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        let others = self.others.iter();
        let others = others.map(|agent| (agent.name.as_str(), agent.description.as_str()));
        std::iter::once(self.first()).chain(others)
    }

    /// Checks the names and the descriptions.
    fn check(&self) -> Result<(), AgentError> {
        for (place, (name, description)) in self.all().enumerate() {
            let chars = description.trim().chars().count();
            let name = name.to_owned();
            if !is_agent_name(&name) {
                return Err(AgentError::Name { name });
            }
            if !DESCRIPTION.contains(&chars) {
                return Err(AgentError::Description { name, chars });
            }
            if self.all().take(place).any(|(other, _)| other == name) {
                return Err(AgentError::Duplicate { name });
            }
        }
        let nested = |agent: &&Agent| !agent.runner.inner.config.agents.is_empty();
        match self.others.iter().find(nested) {
            Some(Agent { name, .. }) => Err(AgentError::Nested { name: name.clone() }),
            None => Ok(()),
        }
    }

    /// The tools of an agent, with those by which it hands over to the agents of these names, or to all others. No other
    /// tool has a name by which a run knows a hand-over.
    fn with_transfers(
        &self,
        tools: &ToolSource,
        from: &str,
        names: Option<&[String]>,
    ) -> Result<ToolSource, AgentError> {
        let is_other = |name: &str| name != from && self.all().any(|(other, _)| other == name);
        let unknown = names.into_iter().flatten().find(|name| !is_other(name));
        if let Some(to) = unknown {
            return Err(AgentError::Unknown {
                from: from.to_owned(),
                to: to.clone(),
            });
        }
        let is_chosen =
            |name: &str| names.is_none_or(|names| names.iter().any(|chosen| chosen == name));
        let others = self
            .all()
            .filter(|(name, _)| *name != from && is_chosen(name));
        let transfers =
            others.map(|(name, description)| transfer(&AgentConfig::new(name), description));
        let transfers = Toolset::from_checked(transfers.collect());
        let reserved = if self.others.is_empty() {
            Vec::new()
        } else {
            self.all()
                .map(|(name, _)| AgentConfig::new(name).transfer_tool())
                .collect()
        };
        tools
            .with(transfers, reserved)
            .map_err(|error| AgentError::Tools {
                name: from.to_owned(),
                error,
            })
    }
}

/// What the log keeps of an agent.
fn config_of(agent: &Agent, own: &Inner) -> AgentConfig {
    let mut config = AgentConfig::new(&agent.name).with_tool_choice(own.config.tool_choice.clone());
    let texts = [&own.config.system, &own.config.instructions];
    let texts: Vec<_> = texts.into_iter().flatten().map(String::as_str).collect();
    if !texts.is_empty() {
        config.system = Some(texts.join("\n\n"));
    }
    config
}

/// Checks an agent against the runner of the run.
fn check_agent(agent: &Agent, own: &Inner, of_run: &Inner) -> Result<(), AgentError> {
    let name = || agent.name.clone();
    let tools = own.tools.snapshot();
    let takes_tools = caught(|| own.model.capabilities())
        .ok()
        .unwrap_or_default()
        .tools;
    if !takes_tools && !tools.is_empty() {
        let (model, provider) = names(&*own.model);
        let name = name();
        return Err(AgentError::ToolsUnsupported {
            name,
            model,
            provider,
        });
    }
    let is_decided = [own, of_run].iter().any(|one| one.calls.approver.is_some());
    if !is_decided && of_run.suspend_after.is_none() {
        let asks = |tool: &&str| own.calls.approvals.asks(&tools.policy(tool));
        if let Some(tool) = tools.names().find(asks) {
            let tool = tool.to_owned();
            return Err(AgentError::NoApprover { name: name(), tool });
        }
    }
    let comes = |of: &_| of_run.calls.extensions.has(*of) || of_run.request_extensions.contains(of);
    let mut missing = agent.runner.missing_extensions().into_iter();
    if let Some(missing) = missing.find(|of| !comes(of)) {
        let extension = missing.name();
        return Err(AgentError::NoExtension {
            name: name(),
            extension,
        });
    }
    match &of_run.answer_means {
        Some(AnswerMeans::Tool(answer)) if tools.find(answer).is_some() => {
            let error = toolwright_core::ToolsetError::Duplicate {
                name: answer.clone(),
            };
            Err(AgentError::Tools {
                name: name(),
                error,
            })
        }
        _ => Ok(()),
    }
}

fn is_agent_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    name.len() <= NAME
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(is_part)
}

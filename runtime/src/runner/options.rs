//! Settings of some runs of a runner.

use super::{AgentError, BuildError, Inner, builder::check_choice};
use toolwright_core::{
    model::ModelSettings,
    run::{Limits, RunConfig, StopWhen, ToolChoiceSchedule},
};

/// The settings of a run that differ from those of the runner: see [`RunRequest::with`](crate::RunRequest::with).
///
/// Instructions, limits, tool choice, conditions and the names of the tools are stored with the run: a resumed run
/// never gets a tool that they leave out, and a tool that its runner does not have is not offered. The settings of the
/// model and the tools themselves come from the runner that resumes it.
#[derive(Debug, Clone, Default)]
#[must_use = "options do nothing by themselves"]
pub struct RunOptions {
    instructions: Option<String>,
    limits: Option<Limits>,
    tool_choice: Option<ToolChoiceSchedule>,
    settings: Option<ModelSettings>,
    stop_when: Option<Vec<StopWhen>>,
    tools: Option<Vec<String>>,
    agent: Option<String>,
}

impl RunOptions {
    /// Options that change nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets instructions, which are sent after the system text of the conversation or of the runner. They are not
    /// stored in the conversation.
    pub fn with_instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// Sets the limits, which replace all limits of the runner.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Sets which tools the model may or must call, whichever agent the run is with.
    pub fn with_tool_choice(mut self, choice: impl Into<ToolChoiceSchedule>) -> Self {
        self.tool_choice = Some(choice.into());
        self
    }

    /// Sets the settings of the model, which replace all those of the runner.
    pub fn with_settings(mut self, settings: ModelSettings) -> Self {
        self.settings = Some(settings);
        self
    }

    /// Sets the conditions that end the run when a round is over. They replace those of the runner.
    pub fn with_stop_when(mut self, conditions: impl IntoIterator<Item = StopWhen>) -> Self {
        self.stop_when = Some(conditions.into_iter().collect());
        self
    }

    /// Sets the names of the tools on offer: an allow list of those that the runner and its agents have. The tools that hand
    /// over to an agent are among those that it allows or not.
    pub fn with_tools<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.tools = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the name of the [agent](super::RunnerBuilder::agent) that the run begins with, instead of the current agent
    /// of the conversation.
    pub fn with_agent(mut self, name: impl Into<String>) -> Self {
        self.agent = Some(name.into());
        self
    }

    /// These options, with those of others where they are set there.
    pub(super) fn overridden_by(self, last: Self) -> Self {
        Self {
            instructions: last.instructions.or(self.instructions),
            limits: last.limits.or(self.limits),
            tool_choice: last.tool_choice.or(self.tool_choice),
            settings: last.settings.or(self.settings),
            stop_when: last.stop_when.or(self.stop_when),
            tools: last.tools.or(self.tools),
            agent: last.agent.or(self.agent),
        }
    }

    fn apply(self, config: &mut RunConfig) {
        if self.instructions.is_some() {
            config.instructions = self.instructions;
        }
        config.limits = self.limits.unwrap_or(config.limits);
        if let Some(choice) = self.tool_choice {
            config.tool_choice = choice;
            // It is that of the run, whichever agent that is with.
            config
                .agents
                .iter_mut()
                .for_each(|agent| agent.tool_choice = None);
        }
        config.tools = self.tools;
        if self.agent.is_some() {
            config.agent = self.agent;
        }
        if let Some(conditions) = self.stop_when {
            config.stop_when = conditions;
        }
    }
}

impl Inner {
    /// The same with other settings. Both share the model, the tools and the rate limits.
    ///
    /// # Errors
    ///
    /// When the options contradict the runner.
    pub(super) fn with(&self, mut options: RunOptions) -> Result<Self, BuildError> {
        let mut inner = self.clone();
        if let Some(settings) = options.settings.take() {
            inner.set_settings(&settings);
        }
        if let Some(names) = &options.tools {
            inner.check_names(names)?;
        }
        let known = |name: &String| inner.config.agents.iter().any(|agent| agent.name == *name);
        if let Some(name) = options.agent.as_ref().filter(|name| !known(name)) {
            let name = name.clone();
            return Err(BuildError::Agents(AgentError::NoSuchAgent { name }));
        }
        let is_chosen = options.tool_choice.is_some();
        options.apply(&mut inner.config);
        if inner.config.limits.max_cost.is_some() && inner.config.prices.is_empty() {
            return Err(BuildError::NoPrices);
        }
        // Whichever agent the run is with has to meet the choice of the run.
        let agents = if is_chosen { usize::MAX } else { 1 };
        let names = inner.config.tools.as_deref();
        for agent in inner.of_agents().take(agents) {
            if agent.tools.fixed().is_some() {
                check_choice(&inner.config.tool_choice, &agent.tools.allowed(names))?;
            }
        }
        Ok(inner)
    }
}

//! Checks the settings, and makes the runner of them.

use std::sync::Arc;

use super::{
    BuildError, RunnerBuilder,
    checks::{check_approver, check_choice, check_extensions, check_final_tool, check_granted},
};
use crate::runner::{
    Inner, Runner,
    on_demand::SEARCH_TOOLS,
    tools::{Selection, ToolSource},
};
use toolwright_core::{
    Toolset, driver::caught, model::ToolChoice, run::AnswerMeans, tool::ToolContext,
};

impl RunnerBuilder {
    /// Checks the settings and makes the runner.
    ///
    /// # Errors
    ///
    /// When the settings contradict each other: see [`BuildError`].
    pub fn build(self) -> Result<Runner, BuildError> {
        let mut config = self.config;
        config.concurrency = self.calls.concurrency;
        if self.summarizer.is_some() {
            let window = config.context_window.as_mut();
            window.ok_or(BuildError::NoContextWindow)?.summarize = true;
        }
        if config.limits.max_cost.is_some() && config.prices.is_empty() {
            return Err(BuildError::NoPrices);
        }
        let is_offered = !self.tools.is_empty();
        let mut sets = self.tools.into_iter();
        let first = sets.next().unwrap_or_default();
        let tools = sets.try_fold(first, Toolset::merge)?;
        let granted = self.calls.granted.unwrap_or_default();
        let tools = match self.registry {
            Some(_) if is_offered => return Err(BuildError::ToolsAndRegistry),
            // Its contents at the start of a run are not known yet.
            Some(registry) => {
                let tools = registry.snapshot();
                check_granted(self.calls.granted, &tools)?;
                check_extensions(&self.calls, &self.request_extensions, &tools)?;
                ToolSource::Registry(registry, Selection::granted(granted))
            }
            None => {
                check_granted(self.calls.granted, &tools)?;
                let tools = tools.granted(granted);
                check_extensions(&self.calls, &self.request_extensions, &tools)?;
                if tools.has_deferred() && tools.find(SEARCH_TOOLS).is_some() {
                    return Err(BuildError::SearchToolsTaken);
                }
                ToolSource::Fixed(tools)
            }
        };
        let tools = self.team.joined(&tools)?;
        if let Some(tools) = tools.fixed() {
            if self.suspend_after.is_none() {
                check_approver(&self.calls, tools)?;
            }
            check_choice(&config.tool_choice, tools)?;
            #[cfg(feature = "tracing")]
            crate::runner::trace::warn_of_many_tools(tools);
        }
        let may_have_tools = match &tools {
            ToolSource::Fixed(tools) => !tools.is_empty(),
            ToolSource::Registry(..) => true,
        };
        // A model that panics here does so in its first request as well, where a run fails by it.
        let capabilities = caught(|| self.model.capabilities()).unwrap_or_default();
        if may_have_tools && !capabilities.tools {
            return Err(BuildError::tools_unsupported(&*self.model));
        }
        if let Some(AnswerMeans::Tool(name)) = &self.answer_means {
            check_final_tool(name, &tools.snapshot())?;
            if !capabilities.tools {
                return Err(BuildError::tools_unsupported(&*self.model));
            }
            if config.tool_choice.at(0) == ToolChoice::None {
                return Err(BuildError::NoAnswerTool);
            }
        }
        let mut inner = Inner {
            model: self.model,
            models: self.models,
            planner: self.planner,
            input_checks: self.input_checks,
            summarizer: self.summarizer,
            tools,
            looked_up: crate::runner::on_demand::LastPrepared::default(),
            agents: crate::runner::hand_over::Agents::default(),
            config,
            settings: self.settings,
            streaming: self.streaming,
            answer_corrections: self.answer_corrections,
            answer_means: self.answer_means,
            model_backoff: self.model_backoff,
            suspend_after: self.suspend_after,
            own_approver: None,
            rate_limiter: self.calls.rate_limiter.clone().unwrap_or_default(),
            calls: self.calls,
            request_extensions: self.request_extensions,
            kept: self.place.map(|place| place.kept(self.keeping)),
            live: crate::runner::live::LiveRuns::default(),
        };
        self.team.join(&mut inner)?;
        Ok(Runner {
            inner: Arc::new(inner),
            context: ToolContext::default(),
            kept_for: crate::runner::keeper::KeptFor::default(),
            answer_types: Vec::new(),
        })
    }
}

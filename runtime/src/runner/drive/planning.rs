//! Asks the hook before a request.

use std::{panic::AssertUnwindSafe, pin::pin};

use futures_util::{
    FutureExt,
    future::{Either, select},
};

use super::{Driver, asking::interrupted};
use crate::runner::{on_demand::Offered, planning::NextRequest};
use toolwright_core::{
    ToolsetError,
    driver::{Contained, discard, guarded, text_of},
    model::{ChatModel, ModelCapabilities, ModelError, ModelErrorKind, ToolChoice},
    run::{RequestPlan, Signal},
};

impl Driver<'_> {
    /// Asks the hook what the next request is to be.
    pub(super) async fn plan_request(&mut self) {
        let agent = self.agent();
        let Some(planner) = &agent.planner else {
            // The run began with another runner, or it is another agent that has a hook.
            return self.signal(Signal::RequestPlanned(RequestPlan::new()));
        };
        let next = NextRequest::of(&self.run, &self.context_of_agent());
        // To ask is the hook's code as well.
        let plan = AssertUnwindSafe(async { Contained::new((planner.0)(next)).await });
        let decided = {
            let interrupted = pin!(interrupted(self.cancellation, &mut self.time));
            match select(pin!(plan.catch_unwind()), interrupted).await {
                Either::Left((plan, _)) => Ok(plan),
                Either::Right((signal, _)) => Err(signal),
            }
        };
        match decided {
            Ok(Ok(plan)) => self.signal(Signal::RequestPlanned(plan)),
            Ok(Err(panic)) => {
                let why = format!("the hook before the request panicked: {}", text_of(&panic));
                discard(panic);
                let error = ModelError::new(ModelErrorKind::Panicked, why);
                self.signal(Signal::ModelFailed(error));
            }
            Err(signal) => self.stop(signal),
        }
    }

    /// The tools that the next request offers.
    ///
    /// # Errors
    ///
    /// When the tool that takes the answer, or the one that searches for tools, cannot be among them.
    pub(super) fn offered(&mut self) -> Result<Offered, ToolsetError> {
        let all = self.inner.tools_of(&self.run);
        let plan = self.run.plan().filter(|plan| plan.tools.is_some());
        let tools = match plan {
            Some(plan) => all.filtered(|tool, _| plan.offers(&tool.name)),
            None => all.clone(),
        };
        let final_tool = self.final_tool.as_ref();
        let finish = |tools| match final_tool {
            Some(tool) => tool.among(tools),
            None => Ok(tools),
        };
        if !tools.has_deferred() {
            let mut offered = finish(tools).map(Offered::all)?;
            // The list stays as it is, if somebody else can say which of it may be called.
            if plan.is_some() && !all.has_deferred() && self.capabilities().allowed_tools {
                let names = offered.tools.names().map(str::to_owned).collect();
                offered.definitions = finish(all)?.shared_definitions().clone();
                offered.allowed = Some(names);
            }
            return Ok(offered);
        }
        let chosen = match self.run.tool_choice() {
            ToolChoice::Tool(name) => Some(name),
            _ => None,
        };
        // A provider with a search of its own is sent all of them, and says itself what the model reads.
        if self.capabilities().tool_search {
            let tools = tools.deferred_but(chosen.as_deref());
            return finish(tools).map(Offered::all);
        }
        let messages = self.run.messages();
        self.on_demand
            .offered(tools, messages, chosen.as_deref(), finish)
    }

    /// The capabilities of the model of the next request.
    fn capabilities(&self) -> ModelCapabilities {
        let model = self.model().ok();
        // It is somebody else's code.
        let capabilities = model.and_then(|model| guarded(|| model.capabilities()));
        capabilities.unwrap_or_default()
    }

    /// The model that the next request is sent to.
    pub(super) fn model(&self) -> Result<&Contained<std::sync::Arc<dyn ChatModel>>, ModelError> {
        let Some(name) = self.run.plan().and_then(|plan| plan.model.as_deref()) else {
            return Ok(&self.agent().model);
        };
        let models = &self.agent().models;
        models.get(name).ok_or_else(|| {
            let known: Vec<_> = models.keys().map(String::as_str).collect();
            let known = known.join(", ");
            let why = format!("the plan names the model `{name}`, and the runner has: {known}");
            ModelError::new(ModelErrorKind::InvalidRequest, why)
        })
    }
}

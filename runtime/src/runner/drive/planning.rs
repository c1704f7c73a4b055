//! Asks the hook before a request.

use std::{panic::AssertUnwindSafe, pin::pin};

use futures_util::{
    FutureExt,
    future::{Either, select},
};

use super::{Driver, asking::interrupted};
use crate::{
    Toolset, ToolsetError,
    model::{ChatModel, ModelError, ModelErrorKind},
    panics::{Contained, discard, text_of},
    run::{RequestPlan, Signal},
    runner::planning::NextRequest,
};

impl Driver<'_> {
    /// Asks the hook what the next request is to be.
    pub(super) async fn plan_request(&mut self) {
        let Some(planner) = &self.inner.planner else {
            // The run began with another runner.
            return self.signal(Signal::RequestPlanned(RequestPlan::new()));
        };
        let next = NextRequest::of(&self.run, &self.context);
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
    /// When the tool that takes the answer cannot be among them.
    pub(super) fn offered(&self) -> Result<Toolset, ToolsetError> {
        let tools = self.inner.tools.snapshot();
        let tools = match self.run.plan() {
            Some(plan) if plan.tools.is_some() => tools.filtered(|tool, _| plan.offers(&tool.name)),
            _ => tools,
        };
        match &self.final_tool {
            Some(tool) => tool.among(tools),
            None => Ok(tools),
        }
    }

    /// The model that the next request is sent to.
    pub(super) fn model(&self) -> Result<&Contained<std::sync::Arc<dyn ChatModel>>, ModelError> {
        let Some(name) = self.run.plan().and_then(|plan| plan.model.as_deref()) else {
            return Ok(&self.inner.model);
        };
        self.inner.models.get(name).ok_or_else(|| {
            let known: Vec<_> = self.inner.models.keys().map(String::as_str).collect();
            let known = known.join(", ");
            let why = format!("the plan names the model `{name}`, and the runner has: {known}");
            ModelError::new(ModelErrorKind::InvalidRequest, why)
        })
    }
}

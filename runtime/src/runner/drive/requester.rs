//! Asks models: makes a request, with its tools and its plan, and takes the response as it comes.

mod response;

use std::{mem::take, sync::Arc, time::Duration};

use crate::{
    random,
    runner::{
        Inner,
        on_demand::{Offered, OnDemand, SEARCH_TOOLS},
        planning::NextRequest,
        typed_answer::{AnswerCheck, AnswerType, FinalTool},
    },
};
pub(super) use response::Heard;
use toolwright_core::{
    Toolset, ToolsetError,
    driver::{Caught, caught, text_of},
    model::{
        ChatModel, ModelCapabilities, ModelError, ModelErrorKind, ModelRequest, ModelResponse,
        ToolChoice,
    },
    run::{ModelCall, RequestPlan, Run},
    tool::ToolContext,
};

/// The part of a driver that asks models.
pub(super) struct Requester<'a> {
    inner: &'a Inner,
    /// What the answer is checked by, if it has a form.
    answer: Option<AnswerCheck>,
    /// The tool that takes the answer, if it is asked for by one.
    final_tool: Option<FinalTool>,
    /// The tools of an agent that were there last, and those of them that the run may have: their definitions are rendered
    /// once.
    allowed: Option<(Toolset, Toolset)>,
    /// The tools that are looked up.
    on_demand: OnDemand,
    /// So long a run that goes on has waited for its model before.
    waited: Duration,
}

impl<'a> Requester<'a> {
    pub(super) fn new(inner: &'a Inner, run: &Run, answer: Option<AnswerType>) -> Self {
        let form = run.config().answer.as_ref();
        let answer = AnswerCheck::of(answer, form);
        Self {
            inner,
            final_tool: form.and_then(|form| FinalTool::of(form, answer.clone())),
            answer,
            allowed: None,
            on_demand: OnDemand::default(),
            waited: Duration::ZERO,
        }
    }

    /// Counts a wait for the model before the run was stored.
    pub(super) fn resume(&mut self, waited: Duration) {
        self.waited = waited;
    }

    /// Returns true if the tool of this name takes the answer.
    pub(super) fn takes_answer(&self, name: &str) -> bool {
        let tool = self.final_tool.as_ref();
        tool.is_some_and(|tool| tool.is_called(name))
    }

    /// The wait before the request is sent again; the provider may have set it.
    pub(super) fn wait(&mut self, run: &Run, hint: Option<Duration>) -> Duration {
        let backoff = self.inner.model_backoff;
        let wait = backoff.wait(run.model_attempts(), hint, random::fraction());
        wait.saturating_sub(take(&mut self.waited))
    }

    /// Asks the hook what the next request is to be.
    pub(super) async fn plan(
        &self,
        run: &Run,
        context: &ToolContext,
    ) -> Result<RequestPlan, ModelError> {
        let Some(planner) = &self.inner.settings_of(run).planner else {
            // The run began with another runner, or it is another agent that has a hook.
            return Ok(RequestPlan::new());
        };
        let next = NextRequest::of(run, context);
        // To ask is the hook's code as well.
        let plan = Caught::new(Box::pin(async { (planner.0)(next).await }));
        plan.await.map_err(|panic| {
            let why = format!("the hook before the request panicked: {}", text_of(&panic));
            ModelError::new(ModelErrorKind::Panicked, why)
        })
    }

    /// The next request, and the tools that its calls run with if it offers any.
    ///
    /// # Errors
    ///
    /// When the agent of the run is not there any more, or when its tools cannot be offered.
    pub(super) fn request(
        &mut self,
        run: &Run,
        call: ModelCall,
    ) -> Result<(ModelRequest, Option<Toolset>), ModelError> {
        if let Some(name) = run.other_agent()
            && self.inner.agent_of(run).is_none()
        {
            let why = format!("the run is with the agent `{name}`, which is unknown to the runner");
            return Err(ModelError::new(ModelErrorKind::InvalidRequest, why));
        }
        let mut request = run.request();
        if call != ModelCall::Compact {
            let planned = run.plan().and_then(|plan| plan.settings.as_ref());
            let settings = planned.unwrap_or(&self.inner.settings_of(run).settings);
            request.settings.clone_from(settings);
        }
        if !matches!(call, ModelCall::Open | ModelCall::Locked) {
            return Ok((request, None));
        }
        let offered = self.offered(run).map_err(|error| {
            let which = match &error {
                ToolsetError::Duplicate { name } if name == SEARCH_TOOLS => "searches for tools",
                _ => "takes the answer",
            };
            let why = format!("the tool that {which} cannot be offered: {error}");
            ModelError::new(ModelErrorKind::InvalidRequest, why)
        })?;
        request.tools = offered.definitions;
        request.allowed_tools = offered.allowed;
        Ok((request, Some(offered.tools)))
    }

    /// The tools that the request of a round has offered that goes on. The error of the next request is reported
    /// then.
    pub(super) fn offered_before(&mut self, run: &Run) -> Toolset {
        let offered = self.offered(run).map(|offered| offered.tools);
        offered.unwrap_or_else(|_| self.allowed_tools(run))
    }

    /// The tools that the run may have, of the agent that it is with.
    fn allowed_tools(&mut self, run: &Run) -> Toolset {
        let all = self.inner.all_tools_of(run);
        match &self.allowed {
            Some((seen, allowed)) if seen.is_same(&all) => allowed.clone(),
            _ => {
                let allowed = self.inner.allowed_tools(run, &all);
                self.allowed = Some((all, allowed.clone()));
                allowed
            }
        }
    }

    /// The tools that the next request offers.
    ///
    /// # Errors
    ///
    /// When the tool that takes the answer, or the one that searches for tools, cannot be among them.
    fn offered(&mut self, run: &Run) -> Result<Offered, ToolsetError> {
        let all = self.allowed_tools(run);
        let plan = run.plan().filter(|plan| plan.tools.is_some());
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
            // The list stays as it is, if the request can name the allowed tools separately.
            if plan.is_some() && !all.has_deferred() && self.capabilities(run).allowed_tools {
                let names = offered.tools.names().map(str::to_owned).collect();
                offered.definitions = finish(all)?.shared_definitions().clone();
                offered.allowed = Some(names);
            }
            return Ok(offered);
        }
        let chosen = match run.tool_choice() {
            ToolChoice::Tool(name) => Some(name),
            _ => None,
        };
        // A provider with a search of its own is sent all of them, and says itself what the model reads, unless the
        // program has one.
        if self.capabilities(run).tool_search && tools.own_search().is_none() {
            let tools = tools.deferred_but(chosen.as_deref());
            return finish(tools).map(Offered::all);
        }
        let prepared = &self.inner.settings_of(run).looked_up;
        (self.on_demand).offered(prepared, tools, run.messages(), chosen.as_deref(), finish)
    }

    /// The capabilities of the model of the next request.
    fn capabilities(&self, run: &Run) -> ModelCapabilities {
        let model = self.model(run).ok();
        // It is user code, which may panic.
        let capabilities = model.and_then(|model| caught(|| model.capabilities()).ok());
        capabilities.unwrap_or_default()
    }

    /// The model that the next request is sent to.
    fn model(&self, run: &Run) -> Result<&'a Arc<dyn ChatModel>, ModelError> {
        let agent = self.inner.settings_of(run);
        let Some(name) = run.plan().and_then(|plan| plan.model.as_deref()) else {
            return Ok(&agent.model);
        };
        agent.models.get(name).ok_or_else(|| {
            let known: Vec<_> = agent.models.keys().map(String::as_str).collect();
            let known = known.join(", ");
            let why = format!("unknown model `{name}` in the plan: the runner has {known}");
            ModelError::new(ModelErrorKind::InvalidRequest, why)
        })
    }

    /// The reason why a response is no answer of the type that is asked for, if it may be the answer and is none. Of several
    /// calls that may each be the answer, the first that fits is put before the others.
    pub(super) fn unfit(
        &self,
        run: &Run,
        call: ModelCall,
        may_call: bool,
        response: &mut ModelResponse,
    ) -> Option<String> {
        let answer = self.answer.as_ref()?;
        if call == ModelCall::Compact || may_call && response.requires_tool_execution() {
            return None;
        }
        let unfit = answer.unfit(run.answer_text(response))?;
        let places = {
            let mut given = run.answers_given(response);
            let first = given.next();
            let fits = given.find(|(_, arguments)| answer.unfit(arguments).is_none());
            first.zip(fits).map(|((first, _), (fits, _))| (first, fits))
        };
        let Some((first, fits)) = places else {
            return Some(unfit);
        };
        response.change_parts(|parts| parts.swap(first, fits));
        None
    }
}

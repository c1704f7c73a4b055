//! What answers for a prompt or a resource: a closure of the application.

use std::{fmt, future::Future, ops::ControlFlow, sync::Arc};

use futures_util::future::BoxFuture;
use rmcp::{ErrorData, RoleServer, model::InputRequiredResult, service::RequestContext};
use toolwright_core::{
    ErrorCategory, ToolCall, ToolContext, ToolError, ToolOutput,
    tool::{ApprovalPolicy, IntoToolOutput},
};
use toolwright_runtime::dispatch_fn;

use super::{
    Served,
    asking::{self, Asking},
    fields::{self, Fields},
};

type Made = BoxFuture<'static, Result<ToolOutput, ToolError>>;

/// The closure, which reads its fields by itself.
#[derive(Clone)]
pub(crate) struct Answer(Arc<dyn Fn(ToolCall, ToolContext) -> Made + Send + Sync>);

impl Answer {
    pub(crate) fn new<T, R, F>(answer: impl Fn(T, ToolContext) -> F + Send + Sync + 'static) -> Self
    where
        T: Fields,
        R: IntoToolOutput,
        F: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        Self(Arc::new(move |call, cx| {
            let made = fields::read(call).map(|fields| answer(fields, cx));
            Box::pin(async move { made?.await?.into_tool_output() })
        }))
    }

    /// Runs it as a call: with its time limit, its redactions, and the extensions of the service. Its output is never cut.
    /// It breaks off where it asks the person at the client.
    pub(crate) async fn run(
        &self,
        served: &Served,
        name: &str,
        arguments: &str,
        request: &asking::Request<'_>,
        context: &RequestContext<RoleServer>,
    ) -> Result<ControlFlow<InputRequiredResult, ToolOutput>, ErrorData> {
        let asking = Asking::new(served, request, context)?;
        let mut options = served.options_of(&asking, context);
        let calls = options.calls.with_approvals(ApprovalPolicy::default());
        options.calls = calls.with_max_output(None);
        let call = [ToolCall::new(context.id.to_string(), name, arguments)];
        let run = |call: &ToolCall, cx| (self.0)(call.clone(), cx);
        let results = tokio::select! {
            biased;
            () = context.ct.cancelled() => Vec::new(),
            asked = asking.asked() => return Ok(ControlFlow::Break(asked)),
            results = dispatch_fn(&call, &options, run) => results,
        };
        let Some(result) = results.into_iter().next() else {
            return Err(ErrorData::internal_error("the request was cancelled", None));
        };
        let failed = result.outcome.as_ref().err();
        if let Some(refusal) = failed.and_then(|error| asking.refusal(error)) {
            return Err(refusal);
        }
        let text = result.to_model_text().into_owned();
        let output = result.outcome.map_err(|error| match error.category {
            ErrorCategory::InvalidArguments => ErrorData::invalid_params(text, None),
            ErrorCategory::ResourceNotFound => ErrorData::resource_not_found(text, None),
            _ => ErrorData::internal_error(text, None),
        });
        output.map(ControlFlow::Continue)
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer").finish_non_exhaustive()
    }
}

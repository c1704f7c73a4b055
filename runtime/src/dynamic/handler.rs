//! What runs the calls of a dynamic tool.

use std::{future::Future, sync::Arc};

use crate::{
    ToolError,
    tool::{BoxFuture, Call, IntoToolOutput, ToolCall, ToolContext, ToolOutput},
};

type Outcome = Result<ToolOutput, ToolError>;
type Waiting = dyn Fn(ToolCall, ToolContext) -> BoxFuture<'static, Outcome> + Send + Sync;
type Blocking = dyn Fn(&ToolCall, &ToolContext) -> Outcome + Send + Sync;

/// A closure that runs a call.
#[derive(Clone)]
pub(super) enum Handler {
    Waiting(Arc<Waiting>),
    Blocking(Arc<Blocking>),
}

impl Handler {
    pub(super) fn waiting<T, F>(
        run: impl Fn(ToolCall, ToolContext) -> F + Send + Sync + 'static,
    ) -> Self
    where
        T: IntoToolOutput,
        F: Future<Output = Result<T, ToolError>> + Send + 'static,
    {
        Self::Waiting(Arc::new(move |call, cx| {
            let work = run(call, cx);
            Box::pin(async move { work.await?.into_tool_output() })
        }))
    }

    pub(super) fn blocking<T: IntoToolOutput>(
        run: impl Fn(&ToolCall, &ToolContext) -> Result<T, ToolError> + Send + Sync + 'static,
    ) -> Self {
        Self::Blocking(Arc::new(move |call, cx| run(call, cx)?.into_tool_output()))
    }

    pub(super) fn start(&self, call: ToolCall, cx: &ToolContext) -> Call<'static> {
        match self {
            Self::Waiting(run) => Call::Async(run(call, cx.clone())),
            Self::Blocking(run) => {
                let run = Arc::clone(run);
                Call::blocking(&call, cx, move |call, cx| run(call, cx))
            }
        }
    }
}

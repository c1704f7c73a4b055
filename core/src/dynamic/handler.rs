//! The handler, which runs the calls of a dynamic tool.

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

    /// The handler of a tool whose calls the application answers.
    pub(super) fn external() -> Self {
        Self::blocking(|_, _| Err::<(), _>(ToolError::answered_elsewhere()))
    }

    /// As [`start`](Self::start), for a tool that the model knows by another name than the closure:
    /// an error that names the tool says the one that the model knows.
    pub(super) fn start_renamed(
        &self,
        call: ToolCall,
        cx: &ToolContext,
        shown: String,
    ) -> Call<'static> {
        let original = call.name.clone();
        let told = move |outcome: Outcome| {
            outcome.map_err(|mut error| {
                if let Some(name) = error.details.get_mut("tool")
                    && *name == original
                {
                    shown.clone_into(name);
                }
                error
            })
        };
        match self.start(call, cx) {
            Call::Async(work) => Call::future(async move { told(work.await) }),
            Call::Blocking(work) => Call::Blocking(Box::new(move || told(work()))),
            // What runs a closure has no middleware around it.
            Call::Layered(call) => Call::Layered(call),
        }
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

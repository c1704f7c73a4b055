//! A tool with middleware around it.

use std::{fmt, sync::Arc};

use super::{AnyMiddleware, Layers, Middleware, Next, Outcome};
use crate::ToolError;
use crate::tool::{
    BoxFuture, Call, ExtensionType, Tool, ToolCall, ToolContext, ToolDefinition, ToolPolicy,
};

/// A tool with middleware around it. It goes where the tool goes: into other sets and registries.
#[derive(Clone)]
pub struct Layered {
    tool: Arc<dyn Tool>,
    /// The outermost first.
    layers: Layers,
}

/// Puts a middleware around one tool, inside of what is around it already.
///
/// [`Toolset::layer`](crate::Toolset::layer) and [`layer_for`](crate::Toolset::layer_for) do so with
/// the tools of a set.
///
/// ```
/// use toolwright::{ToolCall, ToolError, dynamic::DynamicTool, middleware, toolset::ToolRegistry};
///
/// let ping = DynamicTool::builder("ping", "Answers with pong.")
///     .build(async |_: ToolCall, _cx| Ok::<_, ToolError>("pong"))?;
/// let closed = middleware::before(async |_, _| Err(ToolError::invalid_arguments("not now")));
/// let registry = ToolRegistry::new();
/// registry.insert(middleware::layered(ping, closed))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn layered(tool: impl Tool, middleware: impl Middleware) -> Layered {
    let tool: Arc<dyn Tool> = Arc::new(tool);
    Layered::new(&tool, &Shared::new(middleware))
}

/// A middleware that is put around several tools.
pub(crate) struct Shared(Arc<dyn AnyMiddleware>);

impl Shared {
    pub(crate) fn new(middleware: impl Middleware) -> Self {
        Self(Arc::new(middleware))
    }
}

impl Layered {
    pub(crate) fn new(tool: &Arc<dyn Tool>, middleware: &Shared) -> Self {
        let added = middleware.0.clone();
        match tool.layers() {
            None => Self {
                tool: Arc::clone(tool),
                layers: Arc::new([added]),
            },
            Some(outer) => Self {
                tool: outer.tool.clone(),
                layers: outer.layers.iter().cloned().chain([added]).collect(),
            },
        }
    }

    /// The same middleware around another tool, made of the one it is around.
    pub(crate) fn around(&self, tool: impl FnOnce(&Arc<dyn Tool>) -> Arc<dyn Tool>) -> Self {
        Self {
            tool: tool(&self.tool),
            layers: Arc::clone(&self.layers),
        }
    }
}

impl Layered {
    /// What the middleware says of a call that somebody is to approve.
    #[doc(hidden)]
    pub fn check_first(
        &self,
        call: ToolCall,
        cx: ToolContext,
    ) -> BoxFuture<'static, Result<(), ToolError>> {
        let layers = Arc::clone(&self.layers);
        Box::pin(async move {
            for layer in layers.iter() {
                layer.check(&call, &cx).await?;
                // Those further inside see another call, perhaps.
                if !layer.keeps_call() {
                    break;
                }
            }
            Ok(())
        })
    }
}

impl Tool for Layered {
    fn definition(&self) -> &ToolDefinition {
        self.tool.definition()
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        Call::Layered(LayeredCall {
            layered: self.clone(),
            attempt: Box::new((call.clone(), cx.clone())),
        })
    }

    fn policy(&self) -> ToolPolicy {
        self.tool.policy()
    }

    fn check(&self, call: &ToolCall) -> Result<(), ToolError> {
        self.tool.check(call)
    }

    fn extensions(&self) -> Vec<ExtensionType> {
        self.tool.extensions()
    }

    fn layers(&self) -> Option<&Layered> {
        Some(self)
    }
}

impl fmt::Debug for Layered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layered")
            .field("tool", &self.tool)
            .field("layers", &self.layers.len())
            .finish()
    }
}

/// One call of a tool with middleware around it, for the program that runs it.
#[derive(Debug)]
#[must_use = "a call that is not run does nothing"]
pub struct LayeredCall {
    layered: Layered,
    attempt: Box<(ToolCall, ToolContext)>,
}

impl LayeredCall {
    /// Sets when the middleware has to be done. What runs the tool knows when the tool has.
    #[doc(hidden)]
    pub fn with_deadline(mut self, deadline: Option<std::time::Instant>) -> Self {
        let cx = std::mem::take(&mut self.attempt.1);
        self.attempt.1 = cx.with_deadline(deadline);
        self
    }

    /// Runs the call through the middleware, and inside of it what runs the tool: at most once, and
    /// with the call and the context that the middleware hands on.
    ///
    /// # Errors
    ///
    /// What the call ended with.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the middleware and the tool where they wait.
    pub async fn run<F>(self, perform: F) -> Outcome
    where
        F: FnOnce(Arc<dyn Tool>, ToolCall, ToolContext) -> BoxFuture<'static, Outcome>
            + Send
            + 'static,
    {
        let Layered { tool, layers } = self.layered;
        let (call, cx) = *self.attempt;
        let next = Next {
            layers,
            place: 0,
            named: (call.id.clone(), call.name.clone()),
            perform: Box::new(move |call, cx| perform(tool, call, cx)),
        };
        next.run(call, cx).await
    }
}

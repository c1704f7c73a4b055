//! Tools, their calls and their results.

mod approval;
mod call;
mod cancel;
mod capabilities;
mod change;
pub(crate) mod context;
pub(crate) mod decision;
mod definition;
mod definitions;
pub(crate) mod execute;
pub(crate) mod extension;
mod extension_type;
mod fingerprint;
pub(crate) mod method;
pub mod middleware;
pub(crate) mod output;
pub(crate) mod parameter;
mod policy;
mod progress;
mod question;
mod rate_limit;
mod result;
mod retry;
pub(crate) mod sent;
mod strict;
mod text_input;

use std::{fmt, future::Future, pin::Pin, sync::Arc};

pub use approval::{ApprovalPolicy, ApprovalRequest};
pub use call::ToolCall;
pub use cancel::{CancellationToken, Cancelled};
pub use capabilities::Capabilities;
pub use change::{ArgumentChange, ChangeKind};
pub use context::{FromContext, ToolContext};
pub use decision::Decision;
pub use definition::{ToolDefinition, ToolHints};
pub use definitions::ToolDefinitions;
pub use execute::Execute;
pub use extension::{Extension, ExtensionRef};
pub use extension_type::ExtensionType;
pub use fingerprint::{Fingerprint, FingerprintError};
pub use method::Shared;
pub(crate) use middleware::SharedLayer;
pub use middleware::{Layered, LayeredCall, Middleware, Next};
pub(crate) use output::yield_once;
pub use output::{Deliver, IntoToolOutput, Json, OutputPart, ToolOutput, Updates};
pub use policy::{Effects, ToolPolicy};
pub use progress::{CallUpdate, Progress, ProgressReport};
pub use question::{Question, QuestionWay, Unasked};
pub use rate_limit::{OnExcess, RateLimit};
pub use result::ToolResult;
pub(crate) use result::is_edited;
pub use retry::{Backoff, Jitter};
pub use strict::Strict;
pub use text_input::{Grammar, TextInput};

use crate::{
    ToolError,
    schema::{Link, Node},
};

/// A future that may be moved between threads and borrows for `'a`.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A function that a language model may call.
///
/// `#[tool]` writes this trait for a Rust function. Write it by hand for a tool that needs full
/// control, or that is a proxy for something else.
///
/// It has no `NAME`, `Args`, `Output` and `Error`, as the trait of rig has: a method that is marked in a
/// `#[tools]` block takes typed arguments and returns any type or error, and needs no `impl Tool`.
///
/// Implementors may assume nothing about the arguments: they are the model's own text, and
/// [`ToolCall::decode`] turns them into a type with an error that names the place. A panic in a
/// tool becomes the result of its call when it runs through a
/// [`Toolset`](crate::Toolset).
///
/// ```
/// use toolwright::{
///     Tool, ToolCall, ToolContext, ToolDefinition, ToolOutput, schema::Schema, tool::Call,
/// };
///
/// struct Echo(ToolDefinition);
///
/// impl Tool for Echo {
///     fn definition(&self) -> &ToolDefinition {
///         &self.0
///     }
///
///     fn call<'a>(&'a self, call: &'a ToolCall, _: &'a ToolContext) -> Call<'a> {
///         Call::ready(Ok(ToolOutput::text(&call.arguments)))
///     }
/// }
///
/// let schema = Schema::from_text(r#"{"type":"object"}"#)?;
/// let echo = Echo(ToolDefinition::new("echo", "Says its arguments again.", schema));
/// assert_eq!(echo.definition().name, "echo");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub trait Tool: Send + Sync + 'static {
    /// Returns the definition of this tool, as the model receives it. It does not change while the tool
    /// exists.
    fn definition(&self) -> &ToolDefinition;

    /// Starts one call.
    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a>;

    /// Returns the settings for the program that runs this tool. By default the tool may write, runs beside
    /// others and has the time limit of the program that runs it.
    fn policy(&self) -> ToolPolicy {
        ToolPolicy::default()
    }

    /// Checks the arguments of a call without running it, before an approval is requested. By default
    /// a schema that was made from types is checked by, and any other arguments pass; the call itself
    /// checks them again.
    ///
    /// # Errors
    ///
    /// What the call would fail with.
    fn check(&self, call: &ToolCall) -> Result<(), ToolError> {
        call.fits(&self.definition().input_schema)
    }

    /// Returns the types of the extensions without which its calls fail. [`RunnerBuilder::build`] checks that they are
    /// set. By default there are none.
    ///
    /// [`RunnerBuilder::build`]: https://docs.rs/toolwright/latest/toolwright/runner/struct.RunnerBuilder.html#method.build
    fn extensions(&self) -> Vec<ExtensionType> {
        Vec::new()
    }

    /// The middleware around this tool, where it has any.
    #[doc(hidden)]
    fn layers(&self) -> Option<&Layered> {
        None
    }
}

impl<T: Tool + ?Sized> Tool for Arc<T> {
    fn definition(&self) -> &ToolDefinition {
        (**self).definition()
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        (**self).call(call, cx)
    }

    fn policy(&self) -> ToolPolicy {
        (**self).policy()
    }

    fn check(&self, call: &ToolCall) -> Result<(), ToolError> {
        (**self).check(call)
    }

    fn extensions(&self) -> Vec<ExtensionType> {
        (**self).extensions()
    }

    fn layers(&self) -> Option<&Layered> {
        (**self).layers()
    }
}

impl fmt::Debug for dyn Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.definition().name)
            .finish_non_exhaustive()
    }
}

/// A tool that is known when the program is compiled. The macros implement it and
/// [`toolset!`](https://docs.rs/toolwright) takes it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a declared tool",
    label = "`toolset!` takes what `#[tool]` and `#[derive(Tool)]` declare",
    note = "mark a function `#[tool]`, derive `Tool` for a struct, or add a tool that is a value with `Toolset::with`",
    note = "the tools of an `impl` that is marked `#[tools]` come from its value: write `value.into_tools()`, and add them with `Toolset::merge`"
)]
pub trait StaticTool: 'static {
    /// The name that the model calls.
    const NAME: &'static str;
    /// The description of the tool that the model receives.
    const DESCRIPTION: &'static str;
    /// A name for people.
    const TITLE: Option<&'static str> = None;
    /// Hints about the behaviour of the tool.
    const HINTS: ToolHints = ToolHints::NONE;
    /// The rules by which providers are to enforce the schema; `None` if they are not to enforce it.
    const STRICT: Option<Strict> = None;
    /// True if a model reads the definition only when it has looked for it.
    const DEFERRED: bool = false;
    /// The settings for the program that runs the tool; by default those that follow from the hints.
    const POLICY: ToolPolicy = ToolPolicy::of(Self::HINTS);
    /// The schema tree of what it returns, if that is known.
    const OUTPUT: Option<Link> = None;

    /// The schema tree of the arguments object.
    fn input() -> &'static Node;

    /// Makes the tool.
    fn tool() -> Arc<dyn Tool>;
}

/// The bound of `toolset!`: [`StaticTool`], with an error message that does not list all tools.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a declared tool",
    label = "`toolset!` takes what `#[tool]` and `#[derive(Tool)]` declare",
    note = "mark a function `#[tool]`, derive `Tool` for a struct, or add a tool that is a value with `Toolset::with`",
    note = "the tools of an `impl` that is marked `#[tools]` come from its value: write `value.into_tools()`, and add them with `Toolset::merge`"
)]
pub trait Declared {
    /// The name that the model calls.
    const NAME: &'static str;

    /// Makes the tool.
    fn tool() -> Arc<dyn Tool>;
}

#[diagnostic::do_not_recommend]
impl<T: StaticTool> Declared for T {
    const NAME: &'static str = T::NAME;

    fn tool() -> Arc<dyn Tool> {
        T::tool()
    }
}

/// The work of one call, for the program that runs it.
///
/// A tool that waits is a future. A tool that blocks is a closure, so that the layers below the
/// executor need no thread pool: [`Toolset`](crate::Toolset) runs it on tokio's blocking pool,
/// where it cannot be stopped once it has started, only abandoned.
pub enum Call<'a> {
    /// Work that is polled.
    Async(BoxFuture<'a, Result<ToolOutput, ToolError>>),
    /// Work that blocks its thread.
    Blocking(Box<dyn FnOnce() -> Result<ToolOutput, ToolError> + Send + 'static>),
    /// Work with [middleware] around it, which runs the work inside by what it is given.
    Layered(LayeredCall),
}

impl<'a> Call<'a> {
    /// Work that is a future.
    pub fn future(future: impl Future<Output = Result<ToolOutput, ToolError>> + Send + 'a) -> Self {
        Self::Async(Box::pin(future))
    }

    /// Work that is already done.
    pub fn ready(result: Result<ToolOutput, ToolError>) -> Self {
        Self::Async(Box::pin(std::future::ready(result)))
    }

    /// Work that blocks its thread. It gets copies of the call and the context, because it may
    /// outlive the caller.
    pub fn blocking(
        call: &ToolCall,
        cx: &ToolContext,
        work: impl FnOnce(&ToolCall, &ToolContext) -> Result<ToolOutput, ToolError> + Send + 'static,
    ) -> Self {
        let (call, cx) = (call.clone(), cx.clone());
        Self::Blocking(Box::new(move || work(&call, &cx)))
    }
}

impl fmt::Debug for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Async(_) => "Call::Async",
            Self::Blocking(_) => "Call::Blocking",
            Self::Layered(_) => "Call::Layered",
        })
    }
}

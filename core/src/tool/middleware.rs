//! Middleware: code around the calls of tools. It may change a call, refuse it, and change its outcome.
//!
//! [`Toolset::layer`](crate::Toolset::layer) puts a [`Middleware`] around every tool of a set,
//! [`Toolset::layer_for`](crate::Toolset::layer_for) around one. Closures become middleware by
//! [`before`], [`check`], [`after`] and [`around`]; what has state of its own implements the trait.
//!
//! # Order
//!
//! The first that was put around a tool is the outermost. It sees a call first and its outcome last:
//!
//! ```text
//! toolset.layer(a).layer(b)      a ─▶ b ─▶ tool ─▶ b ─▶ a
//! ```
//!
//! So what runs before a call runs in the order in which it was registered, and what runs after it in
//! the reverse order. A call that `b` refuses never reaches the tool, and `a` sees the refusal.
//!
//! # What it sees
//!
//! Every attempt passes through, so that a call that is tried again passes through again. The time
//! limit of a tool and the catching of its panics are inside: both are outcomes that a middleware
//! sees. The limit begins where the tool does and counts no time that a middleware takes, which has to
//! bound itself what it waits for: the [deadline](ToolContext::deadline) that it sees is that of the
//! batch. A middleware that panics makes the call fail, as a tool that panics does. One that still waits
//! at the deadline of its batch, or when the grace of a cancel is over, is dropped there. A tool that it
//! has moved into a task of its own is stopped then as well.
//!
//! A call of a tool that does not exist has no tool to stand around, and passes through nothing. Nor does
//! one that needs an approval and is not approved, or whose arguments do not fit the schema, so that no
//! approval is requested for it. Before an approval is requested, each [`check`](Middleware::check) looks at the
//! call as well: what one of them refuses waits for nobody.
//!
//! # Where it goes
//!
//! Middleware belongs to a tool and goes where that goes: into other sets, into a registry, out of it.
//! A tool that joins later has none of it. One that goes into a registry is put into [`layered`] before.

mod closures;
mod layered;

use std::{fmt, future::Future, sync::Arc};

pub use closures::{after, around, before, check};
pub(crate) use layered::Shared as SharedLayer;
pub use layered::{Layered, LayeredCall, layered};

use super::{BoxFuture, ToolCall, ToolContext, ToolOutput};
use crate::ToolError;

type Outcome = Result<ToolOutput, ToolError>;

type Layers = Arc<[Arc<dyn AnyMiddleware>]>;

/// The function that runs the innermost work of a call.
type Perform = Box<dyn FnOnce(ToolCall, ToolContext) -> BoxFuture<'static, Outcome> + Send>;

/// Code around the calls of tools: see [the module](self) for the order and for what it sees.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
/// use toolwright::{ToolCall, ToolContext, ToolError, ToolOutput, middleware::{Middleware, Next}};
///
/// #[derive(Default)]
/// struct CountFailures(AtomicU64);
///
/// impl Middleware for CountFailures {
///     async fn handle(
///         &self,
///         call: ToolCall,
///         cx: ToolContext,
///         next: Next,
///     ) -> Result<ToolOutput, ToolError> {
///         let outcome = next.run(call, cx).await;
///         if outcome.is_err() {
///             self.0.fetch_add(1, Relaxed);
///         }
///         outcome
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no middleware",
    label = "this cannot stand around a tool",
    note = "make one of a closure with `middleware::before`, `check`, `after` or `around`, or implement `Middleware`"
)]
#[doc(alias("middleware", "hook", "interceptor", "guardrail"))]
pub trait Middleware: Send + Sync + 'static {
    /// Checks a call before somebody is asked to approve it. What it refuses waits for no approval: the model reads the
    /// error. By default every call passes.
    ///
    /// The middleware around the tool is asked, from the outside to the inside, about the arguments that the person is to
    /// see, as far as one that may change the call: [`before`], [`around`] or a type of yours. Checks further inside see what
    /// that makes of the call, when it runs. [`handle`](Self::handle) has to check the call again, since the person may have
    /// changed the arguments. A check that panics lets the call pass to that, and one that takes longer than the time limit
    /// of the call refuses it.
    ///
    /// # Errors
    ///
    /// The outcome of the call, as the model reads it.
    ///
    /// # Cancel safety
    ///
    /// The future is dropped when the call is cancelled.
    fn check(
        &self,
        call: &ToolCall,
        cx: &ToolContext,
    ) -> impl Future<Output = Result<(), ToolError>> + Send {
        let _ = (call, cx);
        std::future::ready(Ok(()))
    }

    /// Returns true if every call is handed on with its own arguments and context.
    #[doc(hidden)]
    fn keeps_call(&self) -> bool {
        false
    }

    /// Handles an attempt of a call: [`Next::run`] hands it on, and gives what it ended with. Not
    /// to hand it on is to answer in the tool's place.
    ///
    /// Of the call only the arguments can be changed. Which tool runs and which call the result
    /// answers is decided by then: whatever is in its id and its name, [`Next::run`] hands on the call's
    /// own.
    ///
    /// # Errors
    ///
    /// The outcome of the call, as the model reads it.
    ///
    /// # Cancel safety
    ///
    /// The future is dropped when the call is cancelled: nothing after `next.run(…)` may be relied
    /// upon.
    fn handle(
        &self,
        call: ToolCall,
        cx: ToolContext,
        next: Next,
    ) -> impl Future<Output = Result<ToolOutput, ToolError>> + Send;
}

/// [`Middleware`] of any type.
trait AnyMiddleware: Send + Sync {
    fn check<'a>(
        &'a self,
        call: &'a ToolCall,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, Result<(), ToolError>>;

    fn keeps_call(&self) -> bool;

    fn handle(&self, call: ToolCall, cx: ToolContext, next: Next) -> BoxFuture<'_, Outcome>;
}

impl<M: Middleware> AnyMiddleware for M {
    fn check<'a>(
        &'a self,
        call: &'a ToolCall,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, Result<(), ToolError>> {
        Box::pin(Middleware::check(self, call, cx))
    }

    fn keeps_call(&self) -> bool {
        Middleware::keeps_call(self)
    }

    fn handle(&self, call: ToolCall, cx: ToolContext, next: Next) -> BoxFuture<'_, Outcome> {
        Box::pin(Middleware::handle(self, call, cx, next))
    }
}

/// The rest of the way of a call: the middleware further inside, and the tool.
#[must_use = "a call that is not handed on does not run"]
pub struct Next {
    layers: Layers,
    /// The first of the layers that has not seen the call.
    place: usize,
    /// The id and the name of the call.
    named: (String, String),
    perform: Perform,
}

impl Next {
    /// Hands the call on, and gives what it ended with. It can be done once: no tool runs twice
    /// behind the back of who counts the attempts.
    ///
    /// # Errors
    ///
    /// What the call failed with, be it in the tool, in its time limit or in a middleware.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the work where it waits.
    pub async fn run(
        mut self,
        mut call: ToolCall,
        cx: ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let (id, name) = &self.named;
        call.id.clone_from(id);
        call.name.clone_from(name);
        match self.layers.get(self.place).cloned() {
            Some(layer) => {
                self.place += 1;
                layer.handle(call, cx, self).await
            }
            None => (self.perform)(call, cx).await,
        }
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = self.layers.len() - self.place;
        f.debug_struct("Next")
            .field("layers_left", &left)
            .finish_non_exhaustive()
    }
}

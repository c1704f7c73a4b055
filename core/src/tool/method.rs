//! The tools of an `impl` block: methods of one shared value.

use std::sync::{Arc, LazyLock};

use super::{Call, ExtensionType, Tool, ToolCall, ToolContext, ToolDefinition, ToolPolicy};

/// The bound on the value that the tools of an `impl` block share.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shared by tools",
    label = "calls run side by side, on any thread, for as long as the tools are there",
    note = "`{Self}` has to be `Send + Sync + 'static`: use `Arc` for `Rc`, `Mutex` for `RefCell`, and bounds for generics"
)]
pub trait Shared: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<S: Send + Sync + 'static> Shared for S {}

/// Shares a value between its tools: the one place that asks anything of its type.
pub fn shared_state<S: Shared>(state: S) -> SharedState<S> {
    SharedState(Arc::new(state))
}

/// A value that tools share.
#[derive(Debug)]
pub struct SharedState<S>(Arc<S>);

impl<S: Shared> SharedState<S> {
    /// The tool of a method.
    pub fn method<C>(
        &self,
        definition: &'static LazyLock<ToolDefinition>,
        policy: ToolPolicy,
        extensions: fn() -> Vec<ExtensionType>,
        call: C,
    ) -> Arc<dyn Tool>
    where
        C: for<'a> Fn(&'a Arc<S>, &'a ToolCall, &'a ToolContext) -> Call<'a>
            + Send
            + Sync
            + 'static,
    {
        let state = Arc::clone(&self.0);
        Arc::new(Method {
            definition,
            policy,
            extensions,
            state,
            call,
        })
    }
}

/// Found for every value that cannot be shared, which [`shared_state`] reports.
pub trait NotShared {
    /// The value.
    type State;

    /// The tool of a method.
    fn method<C>(
        &self,
        definition: &'static LazyLock<ToolDefinition>,
        policy: ToolPolicy,
        extensions: fn() -> Vec<ExtensionType>,
        call: C,
    ) -> Arc<dyn Tool>
    where
        C: for<'a> Fn(&'a Arc<Self::State>, &'a ToolCall, &'a ToolContext) -> Call<'a>;
}

impl<S> NotShared for SharedState<S> {
    type State = S;

    fn method<C>(
        &self,
        _: &'static LazyLock<ToolDefinition>,
        _: ToolPolicy,
        _: fn() -> Vec<ExtensionType>,
        _: C,
    ) -> Arc<dyn Tool>
    where
        C: for<'a> Fn(&'a Arc<S>, &'a ToolCall, &'a ToolContext) -> Call<'a>,
    {
        unreachable!("`shared_state` does not compile for this type")
    }
}

/// The receiver of a method, when the tools share a value of the type `S`.
#[diagnostic::on_unimplemented(
    message = "calls run side by side and share the value: take `&self`, and put what changes into a `Mutex`",
    label = "this is no shared reference to the value"
)]
pub trait Receiver<'s, S> {
    /// The value, as the method takes it.
    fn of(state: &'s Arc<S>) -> Self;
}

#[diagnostic::do_not_recommend]
impl<'s, S> Receiver<'s, S> for &'s S {
    fn of(state: &'s Arc<S>) -> Self {
        state
    }
}

#[diagnostic::do_not_recommend]
impl<'s, S> Receiver<'s, S> for &'s Arc<S> {
    fn of(state: &'s Arc<S>) -> Self {
        state
    }
}

/// Gives a method its receiver, where the type of `self` is written out.
pub fn received<'s, R: Receiver<'s, S>, S>(state: &'s Arc<S>) -> R {
    R::of(state)
}

struct Method<S, C> {
    definition: &'static LazyLock<ToolDefinition>,
    policy: ToolPolicy,
    extensions: fn() -> Vec<ExtensionType>,
    state: Arc<S>,
    call: C,
}

impl<S, C> Tool for Method<S, C>
where
    S: Shared,
    C: for<'a> Fn(&'a Arc<S>, &'a ToolCall, &'a ToolContext) -> Call<'a> + Send + Sync + 'static,
{
    fn definition(&self) -> &ToolDefinition {
        self.definition
    }

    fn policy(&self) -> ToolPolicy {
        self.policy
    }

    fn extensions(&self) -> Vec<ExtensionType> {
        (self.extensions)()
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        (self.call)(&self.state, call, cx)
    }
}

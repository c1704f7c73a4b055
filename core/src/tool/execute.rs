//! Tools that are structs.

use std::{
    future::Future,
    marker::PhantomData,
    sync::{Arc, LazyLock},
};

use serde::de::DeserializeOwned;

use super::{
    Call, Deliver, ExtensionType, StaticTool, Tool, ToolCall, ToolContext, ToolDefinition,
    ToolPolicy,
};
use crate::ToolError;

/// The work of a struct that derives `Tool`, when it is called. The struct is the arguments.
///
/// It holds no state: what it needs comes from the context, or is a method of a value whose `impl`
/// is marked `#[tools]`.
///
/// ```
/// use toolwright::{Execute, ToolContext, ToolError};
///
/// struct Add {
///     a: i64,
///     b: i64,
/// }
///
/// impl Execute for Add {
///     type Output = i64;
///
///     async fn execute(self, _: &ToolContext) -> Result<i64, ToolError> {
///         let sum = self.a.checked_add(self.b);
///         sum.ok_or_else(|| ToolError::invalid_arguments("the sum is too large"))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` derives `Tool`, and nothing says what it does",
    label = "`Execute` is not implemented for `{Self}`",
    note = "write `impl Execute for {Self} {{ type Output = …; async fn execute(self, cx: &ToolContext) -> Result<Self::Output, ToolError> {{ … }} }}`"
)]
pub trait Execute: Sized {
    /// The type of the output that the model is sent.
    type Output: Deliver;

    /// Returns the types of the extensions that it requires of the context: `vec![ExtensionType::of::<T>()]`. A runner
    /// with this tool cannot be built unless they are set. By default there are none, and nothing is checked.
    fn extensions() -> Vec<ExtensionType> {
        Vec::new()
    }

    /// Runs the tool.
    ///
    /// # Errors
    ///
    /// Returns the failure of the tool, with the message for the model.
    ///
    /// # Cancel safety
    ///
    /// The future is dropped when the call is cancelled or its time is over: what it has done by
    /// then stays done.
    fn execute(
        self,
        cx: &ToolContext,
    ) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;
}

/// A bound for [`Execute`] with an error message that does not list all structs that implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` derives `Tool`, and nothing says what it does",
    label = "`Execute` is not implemented for `{Self}`",
    note = "write `impl Execute for {Self} {{ type Output = …; async fn execute(self, cx: &ToolContext) -> Result<Self::Output, ToolError> {{ … }} }}`"
)]
pub trait Executed: Execute {}

#[diagnostic::do_not_recommend]
impl<T: Execute> Executed for T {}

/// A bound for the decoding of a struct that derives `Tool`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` derives `Tool`, and nothing says how it is decoded",
    label = "`serde::Deserialize` is not implemented for `{Self}`",
    note = "write `#[derive(serde::Deserialize, Tool)]`"
)]
pub trait Decoded: DeserializeOwned {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> Decoded for T {}

/// The tool of a struct: the one place that asks anything of it.
pub fn derived_tool<T: StaticTool + Executed + Decoded>(
    definition: &'static LazyLock<ToolDefinition>,
) -> Arc<dyn Tool> {
    Arc::new(Derived::<T> {
        definition,
        arguments: PhantomData,
    })
}

struct Derived<T> {
    definition: &'static LazyLock<ToolDefinition>,
    arguments: PhantomData<fn() -> T>,
}

impl<T: StaticTool + Execute + Decoded> Tool for Derived<T> {
    fn definition(&self) -> &ToolDefinition {
        self.definition
    }

    fn policy(&self) -> ToolPolicy {
        T::POLICY
    }

    fn extensions(&self) -> Vec<ExtensionType> {
        T::extensions()
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        Call::future(async move {
            let arguments: T = call.decode_as(T::input)?;
            let delivery = arguments.execute(cx).await?.deliver(cx);
            delivery.await
        })
    }
}

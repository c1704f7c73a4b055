//! Conversion of returned values in generated code: a `Result`, under whatever name, is split into its
//! success and its error; any other value is an output.
//!
//! Which of the two it is, is decided by methods of one name. An inherent method wins over a
//! trait's, so that `Returned<Result<T, E>>` has its own and every other type has the trait's. The
//! same choice is made a second time for the error.

use std::{borrow::Cow, convert::Infallible, error::Error, future::Future};

use super::{Deliver, IntoToolOutput, ToolOutput};
use crate::{ToolError, tool::ToolContext};

/// The return value of a tool function.
#[derive(Debug)]
pub struct Returned<T>(pub T);

/// A `Result` whose error is still of any type.
#[derive(Debug)]
pub struct Outcome<T, E>(Result<T, E>);

impl<T, E> Returned<Result<T, E>> {
    /// Takes a `Result` as it is.
    pub fn outcome(self) -> Outcome<T, E> {
        Outcome(self.0)
    }
}

/// Found for every type that is not a `Result`.
pub trait NotAResult {
    /// The type of the returned value.
    type Value;

    /// Takes a value as a success.
    fn outcome(self) -> Outcome<Self::Value, Infallible>;
}

impl<T> NotAResult for Returned<T> {
    type Value = T;

    fn outcome(self) -> Outcome<T, Infallible> {
        Outcome(Ok(self.0))
    }
}

impl<T, E: ErrorForModel> Outcome<T, E> {
    /// An error that knows what it is as a `ToolError` keeps its category.
    ///
    /// # Errors
    ///
    /// The error of the function.
    pub fn classified(self) -> Result<T, ToolError> {
        self.0.map_err(ErrorForModel::into_tool_error)
    }
}

/// An error that decides what the model reads: one with `Into<ToolError>`, or a text, whose words are
/// the author's own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what a model reads of it",
    label = "an error in a stream is `Into<ToolError>`, or a text",
    note = "implement `From<{Self}> for ToolError`, or map it with `ToolError::internal` to keep it for the log"
)]
pub trait ErrorForModel {
    /// The error of the call.
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> ErrorForModel for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

macro_rules! texts {
    ($($text:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl ErrorForModel for $text {
            fn into_tool_error(self) -> ToolError {
                ToolError::from_text(self.into())
            }
        }
    )*};
}

texts!(String, &str, Cow<'_, str>, Box<str>);

/// Found for every error that does not decide what the model reads.
pub trait Unclassified {
    /// The success.
    type Value;
    /// The error.
    type Error;

    /// Any other error is for the log.
    ///
    /// # Errors
    ///
    /// The error of the function, as an internal one.
    // The compiler shows these lines for a function that returns another error.
    #[rustfmt::skip]
    fn classified(self) -> Result<Self::Value, ToolError> where Self::Error: AnyError;
}

impl<T, E> Unclassified for Outcome<T, E> {
    type Value = T;
    type Error = E;

    fn classified(self) -> Result<T, ToolError>
    where
        E: AnyError,
    {
        self.0.map_err(|error| error.into_boxed().into())
    }
}

/// The error of a tool function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool",
    label = "nothing says what this error means",
    note = "implement `std::error::Error` for `{Self}`, or `From<{Self}> for ToolError` to say what the model is told; an error in a box is a `Box<dyn std::error::Error + Send + Sync>`"
)]
pub trait AnyError {
    /// The error in a box.
    fn into_boxed(self) -> Box<dyn Error + Send + Sync>;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Box<dyn Error + Send + Sync>>> AnyError for E {
    fn into_boxed(self) -> Box<dyn Error + Send + Sync> {
        self.into()
    }
}

/// Turns a success of an `async` tool into an output.
///
/// # Errors
///
/// When it does not serialise, or a stream ends with an error.
pub fn deliver<T: Deliver>(
    value: T,
    cx: &ToolContext,
) -> impl Future<Output = Result<ToolOutput, ToolError>> + Send {
    value.deliver(cx)
}

/// A bound for the return value of a tool that is not `async`: [`IntoToolOutput`], with an error message
/// that does not list all types that implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be returned from a tool",
    label = "a tool returns something that can be shown to the model",
    note = "return what derives `serde::Serialize`, or `String`, `()`, `ToolOutput`, `Image`, or a `Result` of these; what gives a future is an `async fn`",
    note = "`Json` takes what derives both `serde::Serialize` and `ToolInput`; `Updates` needs an `async fn`"
)]
pub trait Shown: IntoToolOutput {}

#[diagnostic::do_not_recommend]
impl<T: IntoToolOutput> Shown for T {}

/// Turns a success into an output.
///
/// # Errors
///
/// When it does not serialise.
pub fn into_output<T: Shown>(value: T) -> Result<ToolOutput, ToolError> {
    value.into_tool_output()
}

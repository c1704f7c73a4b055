//! Parameters of `async` tools that cannot be sent to another thread: the error is about the parameter, in a few
//! words, where the compiler's would be about the future, with every type around it.
//!
//! [`Sent`] has a constant of its own for what can be sent; every other type has the trait's. The future is then asked
//! to be sent only where all parameters can be.

use std::{future::Future, marker::PhantomData};

use super::{Call, ToolOutput};
use crate::ToolError;

/// The type of a parameter.
#[derive(Debug)]
pub struct Sent<T>(PhantomData<fn() -> T>);

impl<T: Send> Sent<T> {
    /// It can be sent.
    pub const __SENT: bool = true;
}

/// Found for every type that cannot be sent.
pub trait NotSent {
    /// It cannot.
    const __SENT: bool = false;
}

impl<T> NotSent for Sent<T> {}

/// The bound on the type of a parameter: `Send`, with an error message that fits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a parameter of an `async` tool",
    label = "a value of this type cannot move to another thread, where a call may continue",
    note = "inside of it use `Arc` for `Rc`, and `Mutex` for `RefCell`; or write `fn` for `async fn`"
)]
pub trait Sendable {}

#[diagnostic::do_not_recommend]
impl<T: Send> Sendable for T {}

/// Asks it.
pub const fn check_sent<T: Sendable>() {}

/// The work of a tool, whose parameters can be sent if `SENT`.
#[derive(Debug)]
pub struct Work<const SENT: bool>;

impl Work<true> {
    /// The call that polls it.
    pub fn call<'a>(
        work: impl Future<Output = Result<ToolOutput, ToolError>> + Send + 'a,
    ) -> Call<'a> {
        Call::future(work)
    }
}

impl Work<false> {
    /// A call that is never made, because the program does not compile.
    pub fn call<'a>(work: impl Future<Output = Result<ToolOutput, ToolError>> + 'a) -> Call<'a> {
        drop(work);
        unreachable!("`check_sent` does not compile for one of the parameters")
    }
}

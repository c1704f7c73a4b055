//! Bounds on `#[context]` parameters for generated code. Each requires [`FromContext`], with an error
//! message that fits the way in which the parameter is written. Each has a single blanket implementation,
//! so that no error lists the types that implement it.

use super::{FromContext, ToolContext};
use crate::ToolError;

/// A `#[context]` parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `#[context]` parameter",
    label = "nothing in the tool context has this type",
    note = "what the application put in is taken as `Extension<{Self}>`, a clone of it, or as `ExtensionRef<'_, {Self}>`, a borrow",
    note = "the context itself is `&ToolContext`; `CancellationToken` and `Progress` come from it too, and every type that implements `FromContext`"
)]
pub trait InContext<'cx>: FromContext<'cx> {}

#[diagnostic::do_not_recommend]
impl<'cx, T: FromContext<'cx>> InContext<'cx> for T {}

/// A `#[context]` parameter that is written as a reference.
#[diagnostic::on_unimplemented(
    message = "`&{Self}` cannot be a `#[context]` parameter",
    label = "the tool context lends nothing of this type",
    note = "what the application put in is borrowed as `ExtensionRef<'_, {Self}>`; the context itself is `&ToolContext`"
)]
pub trait Lendable<'cx>: 'cx {
    /// Borrows it.
    ///
    /// # Errors
    ///
    /// When the context lacks it.
    fn lent(cx: &'cx ToolContext) -> Result<&'cx Self, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<'cx, T: ?Sized + 'cx> Lendable<'cx> for T
where
    &'cx T: FromContext<'cx>,
{
    fn lent(cx: &'cx ToolContext) -> Result<&'cx T, ToolError> {
        <&'cx T>::from_context(cx)
    }
}

/// A `#[context]` parameter that is written as an `Extension`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `#[context]` parameter",
    label = "`Extension` clones what calls on any thread share",
    note = "derive `Clone` for the type inside, or take `ExtensionRef<'_, …>`, which borrows it",
    note = "what is in the context is `Send + Sync + 'static`: use `Arc` for `Rc`, and `Mutex` for `RefCell`"
)]
pub trait ClonedFromContext<'cx>: FromContext<'cx> {}

#[diagnostic::do_not_recommend]
impl<'cx, T: FromContext<'cx>> ClonedFromContext<'cx> for T {}

/// A `#[context]` parameter that is written as an `ExtensionRef`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `#[context]` parameter",
    label = "calls on any thread share what is in the context",
    note = "the type inside has to be `Send + Sync + 'static`: use `Arc` for `Rc`, and `Mutex` for `RefCell`"
)]
pub trait BorrowedFromContext<'cx>: FromContext<'cx> {}

#[diagnostic::do_not_recommend]
impl<'cx, T: FromContext<'cx>> BorrowedFromContext<'cx> for T {}

/// A `#[context]` parameter that is written as an `Option`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `#[context]` parameter",
    label = "nothing in the tool context has this type",
    note = "what the application may have put in is taken as `Option<Extension<T>>`, a clone of it if `T` is `Clone`, or as `Option<ExtensionRef<'_, T>>`, a borrow"
)]
pub trait OptionalInContext<'cx>: FromContext<'cx> {}

#[diagnostic::do_not_recommend]
impl<'cx, T: FromContext<'cx>> OptionalInContext<'cx> for T {}

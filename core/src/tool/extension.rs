//! Values that the application put into the context, as parameters.

use std::{marker::PhantomData, ops::Deref};

use super::{ExtensionType, FromContext, ToolContext};
use crate::ToolError;

/// A clone of the value that the application put into the context under this type. It is for values that
/// are cheap to clone, such as a pool or an `Arc`. A call without it fails, with the name of the type in
/// the log; an `Option` of it is `None` then.
///
/// ```
/// use toolwright::{ToolContext, tool::{Extension, FromContext}};
///
/// #[derive(Clone)]
/// struct Tenant(u32);
///
/// let cx = ToolContext::default().with_extension(Tenant(7));
/// let Extension(tenant) = Extension::<Tenant>::from_context(&cx)?;
/// assert_eq!(tenant.0, 7);
/// # Ok::<(), toolwright::ToolError>(())
/// ```
///
/// A `#[context]` parameter may take it apart: `#[context] Extension(tenant): Extension<Tenant>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Extension<T>(pub T);

/// A reference to the value that the application put into the context under this type. A call without it
/// fails, with the name of the type in the log; an `Option` of it is `None` then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExtensionRef<'cx, T>(pub &'cx T);

#[diagnostic::do_not_recommend]
impl<'cx, T: Clone + Send + Sync + 'static> FromContext<'cx> for Extension<T> {
    const EXTENSION: Option<fn() -> ExtensionType> = Some(ExtensionType::of::<T>);

    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        cx.require::<T>().cloned().map(Self)
    }
}

#[diagnostic::do_not_recommend]
impl<'cx, T: Send + Sync + 'static> FromContext<'cx> for ExtensionRef<'cx, T> {
    const EXTENSION: Option<fn() -> ExtensionType> = Some(ExtensionType::of::<T>);

    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        cx.require().map(Self)
    }
}

/// The value of the application, if it put one in.
#[diagnostic::do_not_recommend]
impl<'cx, T: Clone + Send + Sync + 'static> FromContext<'cx> for Option<Extension<T>> {
    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        Ok(cx.extension::<T>().cloned().map(Extension))
    }
}

/// The value of the application, if it put one in.
#[diagnostic::do_not_recommend]
impl<'cx, T: Send + Sync + 'static> FromContext<'cx> for Option<ExtensionRef<'cx, T>> {
    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        Ok(cx.extension().map(ExtensionRef))
    }
}

/// What is known of the type of a `#[context]` parameter when the program is compiled.
#[derive(Debug)]
pub struct Taking<T>(PhantomData<fn() -> T>);

impl<'cx, T: FromContext<'cx>> Taking<T> {
    /// The type of the extension that it needs.
    pub const EXTENSION: Option<fn() -> ExtensionType> = T::EXTENSION;
}

impl<T: ?Sized> Taking<Extension<&T>> {
    /// True for an [`Extension`] of a reference.
    pub const A_REFERENCE: bool = true;
}

impl<T: ?Sized> Taking<Option<Extension<&T>>> {
    /// True for an [`Extension`] of a reference.
    pub const A_REFERENCE: bool = true;
}

/// Found for every other type.
pub trait NoReference {
    /// False for any other type.
    const A_REFERENCE: bool = false;
}

impl<T> NoReference for Taking<T> {}

/// Found for every type that cannot be a `#[context]` parameter.
pub trait NotInContext {
    /// It asks for nothing.
    const EXTENSION: Option<fn() -> ExtensionType> = None;
}

impl<T> NotInContext for Taking<T> {}

/// Checks that a `#[context]` parameter finds what an application puts into the context.
///
/// # Panics
///
/// When it looks for a reference: what is put in is found under its own type only.
#[track_caller]
pub const fn check_extension(takes_a_reference: bool) {
    assert!(
        !takes_a_reference,
        "`Extension<&T>` finds a reference that lives forever, and no `T` that the application put in: take `ExtensionRef<'_, T>`, which borrows it"
    );
}

impl<T> Deref for Extension<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Deref for ExtensionRef<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

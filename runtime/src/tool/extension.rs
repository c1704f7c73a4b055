//! What the application put into the context, as a parameter.

use std::ops::Deref;

use super::{FromContext, ToolContext};
use crate::ToolError;

/// What the application put into the context under this type, cloned: for what is cheap to clone,
/// such as a pool or an `Arc`. A call without it fails, with the name of the type in the log; an
/// `Option` of it is `None` then.
///
/// ```
/// use toolwright::{Extension, FromContext, ToolContext};
///
/// #[derive(Clone)]
/// struct Tenant(u32);
///
/// let cx = ToolContext::default().with_extension(Tenant(7));
/// let Extension(tenant) = Extension::<Tenant>::from_context(&cx)?;
/// assert_eq!(tenant.0, 7);
/// # Ok::<(), toolwright::ToolError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Extension<T>(pub T);

/// What the application put into the context under this type, borrowed. A call without it fails,
/// with the name of the type in the log; an `Option` of it is `None` then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExtensionRef<'cx, T>(pub &'cx T);

#[diagnostic::do_not_recommend]
impl<'cx, T: Clone + Send + Sync + 'static> FromContext<'cx> for Extension<T> {
    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        cx.require::<T>().cloned().map(Self)
    }
}

#[diagnostic::do_not_recommend]
impl<'cx, T: Send + Sync + 'static> FromContext<'cx> for ExtensionRef<'cx, T> {
    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        cx.require().map(Self)
    }
}

/// What the application may have put in.
#[diagnostic::do_not_recommend]
impl<'cx, T: Clone + Send + Sync + 'static> FromContext<'cx> for Option<Extension<T>> {
    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        Ok(cx.extension::<T>().cloned().map(Extension))
    }
}

/// What the application may have put in.
#[diagnostic::do_not_recommend]
impl<'cx, T: Send + Sync + 'static> FromContext<'cx> for Option<ExtensionRef<'cx, T>> {
    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        Ok(cx.extension().map(ExtensionRef))
    }
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

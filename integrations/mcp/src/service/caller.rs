//! Who calls.

use std::{fmt, sync::Arc};

use rmcp::{RoleServer, service::RequestContext};
use toolwright_core::{ToolContext, Toolset, driver::Extensions, tool::Capabilities};

use super::Served;

/// Who calls: the owner of what is begun, and what the tools get to know of it. It is an extension of the context of each
/// call.
///
/// ```
/// use toolwright::{mcp::Caller, tool, tool::ExtensionRef};
///
/// /// Greet the person who asks.
/// #[tool(read_only)]
/// fn greet(#[context] caller: ExtensionRef<'_, Caller>) -> String {
///     format!("Hello, {}.", caller.id())
/// }
///
/// let caller = Caller::owner("ada").with_scopes(["notes:read"]);
/// assert!(caller.has_scope("notes:read"));
/// ```
#[derive(Clone)]
#[must_use = "it is what the hook returns"]
pub struct Caller {
    owner: Arc<str>,
    scopes: Arc<[String]>,
    extensions: Extensions,
}

impl Caller {
    /// Creates a caller with an owner, in the application's own terms, such as the id of a user. It must not be empty.
    pub fn owner(name: impl Into<Arc<str>>) -> Self {
        Self {
            owner: name.into(),
            scopes: Arc::default(),
            extensions: Extensions::default(),
        }
    }

    /// Sets the scopes of the token: each by itself, or several with spaces between them, as tokens have them. See
    /// [`Service::scope`](super::Service::scope).
    pub fn with_scopes<S: AsRef<str>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        let mut all = Vec::new();
        for scopes in scopes {
            all.extend(scopes.as_ref().split_whitespace().map(str::to_owned));
        }
        self.scopes = all.into();
        self
    }

    /// Adds a value to the context of the calls of the request. Tools find it by its type.
    pub fn with_extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        self.extensions.insert(value);
        self
    }

    /// The caller of a task, as the store has it.
    pub(super) fn stored(owner: &str, scopes: &str) -> Self {
        Self::owner(owner).with_scopes([scopes])
    }

    /// Its scopes in one string, as tokens have them.
    pub(super) fn scopes(&self) -> String {
        self.scopes.join(" ")
    }

    /// The owner.
    pub fn id(&self) -> &str {
        &self.owner
    }

    /// Returns true if the token has a scope.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.scopes.iter().any(|own| own == scope)
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller")
            .field("owner", &self.owner)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// A caller that was let in, with the capabilities that its scopes grant.
#[derive(Debug, Clone)]
pub(crate) struct Admitted {
    pub(crate) caller: Caller,
    pub(crate) granted: Capabilities,
}

/// Who makes a request; `None` over a pipe, and over HTTP without a hook that says it.
pub(crate) fn admitted(context: &RequestContext<RoleServer>) -> Option<&Admitted> {
    let parts = context.extensions.get::<http::request::Parts>()?;
    parts.extensions.get()
}

/// The owner of what a request begins or asks for.
pub(crate) fn owner(context: &RequestContext<RoleServer>) -> Option<String> {
    Some(admitted(context)?.caller.id().to_owned())
}

impl Served {
    /// The context of what a request runs.
    pub(crate) fn context(&self, request: &RequestContext<RoleServer>) -> ToolContext {
        let context = self.options.context.clone();
        let Some(Admitted { caller, .. }) = admitted(request) else {
            return context;
        };
        let context = context.with_replaced(&caller.extensions);
        let context = context.with_owner(caller.id());
        context.with_extension(caller.clone())
    }

    /// What is granted to the caller of a request.
    pub(crate) fn granted(&self, request: &RequestContext<RoleServer>) -> Capabilities {
        let own = || self.options.calls.granted();
        admitted(request).map_or_else(own, |admitted| admitted.granted)
    }

    /// The tools that the caller of a request may call, as they are now.
    pub(crate) fn tools_for(&self, request: &RequestContext<RoleServer>) -> Toolset {
        self.tools_of(self.granted(request))
    }
}

//! The context of a running tool.

pub(crate) mod call_driver;
mod call_id;
pub(crate) mod drawn_id;
pub(crate) mod extensions;
pub(crate) mod parts;
mod token;

use std::{
    any::{Any, type_name},
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use call_driver::CallDriver;
use call_id::CallIdText;
use drawn_id::DrawnId;
use extensions::Extensions;
use token::OwnToken;

use super::{CancellationToken, ExtensionType, Progress};
use crate::ToolError;

/// The context of a running tool, which it receives with its arguments: the call that it answers, the
/// signal to stop, the handle for progress, and the values that the application put in for it.
///
/// Cheap to clone; clones are the same call.
///
/// ```
/// use toolwright::ToolContext;
///
/// struct Tenant(u32);
///
/// let cx = ToolContext::new("call_1").with_extension(Tenant(7));
/// assert_eq!(cx.extension::<Tenant>().unwrap().0, 7);
/// assert!(!cx.is_cancelled());
/// ```
#[derive(Default)]
pub struct ToolContext {
    call_id: CallIdText,
    shared: Arc<Shared>,
    /// The call's own token, if the context is that of a call.
    own: Option<OwnToken>,
    progress: Progress,
    place: CallPlace,
    deadline: Option<Instant>,
    clock: Clock,
    /// The id of the batch, if it was drawn. The key of the call begins with it then.
    drawn: Option<DrawnId>,
    /// What the driver of the run does for the call.
    driver: Option<Arc<dyn CallDriver>>,
}

/// The clock of the runtime that runs the call, which tests may pause.
#[derive(Clone, Copy)]
struct Clock(fn() -> Instant);

impl Default for Clock {
    fn default() -> Self {
        Self(Instant::now)
    }
}

/// The data that the calls of a batch share, so that a call has a single pointer for all of it.
#[derive(Debug, Clone, Default)]
struct Shared {
    /// The token of what is around the call.
    cancellation: CancellationToken,
    extensions: Extensions,
    key: Key,
    owner: Option<Arc<str>>,
}

/// The parts of the idempotency key of a call. Most calls never ask for their key.
#[derive(Debug, Clone, Default)]
enum Key {
    #[default]
    None,
    /// It was given.
    Given(Arc<str>),
    /// It is the id of the run or the batch, and the place in it.
    Within(Arc<str>),
}

/// The place of a call: its round, its index and its attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CallPlace {
    /// From 0.
    pub round: u32,
    /// From 0.
    pub index: u32,
    /// From 1; 0 outside of a run and a batch.
    pub attempt: u32,
}

impl ToolContext {
    /// A context for a call that is not cancelled.
    pub fn new(call_id: impl Into<Arc<str>>) -> Self {
        Self {
            call_id: CallIdText::Shared(call_id.into()),
            ..Self::default()
        }
    }

    /// The provider's id of the call; empty if it gave none.
    pub fn call_id(&self) -> &str {
        self.call_id.as_str()
    }

    /// Returns the number of the round of the run that the call belongs to, from 0; 0 outside of a run.
    pub fn round(&self) -> u32 {
        self.place.round
    }

    /// Returns the number of this attempt of the call, from 1. A call that failed for a reason that may
    /// pass is run again where its [effects](crate::Effects) allow it.
    pub fn attempt(&self) -> u32 {
        self.place.attempt.max(1)
    }

    /// A text that is the same for every attempt of this call, also after a run was resumed, and for
    /// no other call: for services that take one so that nothing is done twice. `None` for a call
    /// outside of a run and a batch that was given none.
    pub fn idempotency_key(&self) -> Option<String> {
        if let Some(id) = self.drawn {
            let CallPlace { round, index, .. } = self.place;
            return Some(format!("{}.{round}.{index}", id.text()));
        }
        match &self.shared.key {
            Key::None => None,
            Key::Given(key) => Some(key.as_ref().to_owned()),
            Key::Within(scope) => {
                let CallPlace { round, index, .. } = self.place;
                Some(format!("{scope}.{round}.{index}"))
            }
        }
    }

    /// Returns the owner of the run: the user that it is for, in the application's own terms. `None` for a run of the
    /// application, and outside of a run. A runner [has it](https://docs.rs/toolwright/latest/toolwright/struct.Runner.html#method.with_owner),
    /// a server gets it from its hook, and a run that is resumed has the owner that is stored.
    ///
    /// ```
    /// use toolwright::{ToolContext, tool};
    ///
    /// /// List the orders of the user.
    /// #[tool(read_only)]
    /// fn list_orders(#[context] cx: &ToolContext) -> Result<String, &'static str> {
    ///     let user = cx.owner().ok_or("nobody is signed in")?;
    ///     Ok(format!("no orders of {user}"))
    /// }
    /// ```
    #[doc(alias("user", "current_user", "user_id", "principal"))]
    pub fn owner(&self) -> Option<&str> {
        self.shared.owner.as_deref()
    }

    /// Returns the time at which the attempt is stopped; `None` if it has no time limit. See
    /// [`remaining`](Self::remaining).
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Returns the time that the attempt has left, to pass on to the operations that it waits for; `None`
    /// if it has no time limit.
    pub fn remaining(&self) -> Option<Duration> {
        Some(self.deadline?.saturating_duration_since((self.clock.0)()))
    }

    /// Returns the token that is cancelled when the call should stop, for tasks of its own and for other code.
    pub fn cancellation(&self) -> CancellationToken {
        self.token().clone()
    }

    fn token(&self) -> &CancellationToken {
        let around = &self.shared.cancellation;
        self.own.as_ref().map_or(around, |own| own.below(around))
    }

    /// Returns true if the call should stop.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        let own = self.own.as_ref().and_then(OwnToken::made);
        own.unwrap_or(&self.shared.cancellation).is_cancelled()
    }

    /// Waits until the call should stop.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub async fn cancelled(&self) {
        self.token().cancelled().await;
    }

    /// Returns the handle with which the call reports its progress.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Returns the value that the application put in under this type.
    pub fn extension<T: Any + Send + Sync>(&self) -> Option<&T> {
        self.shared.extensions.get()
    }

    /// Returns the value of this type that the application has set, or an error if there is none.
    ///
    /// # Errors
    ///
    /// `Unknown`, with the name of the type in the log.
    pub fn require<T: Any + Send + Sync>(&self) -> Result<&T, ToolError> {
        self.extension().ok_or_else(|| {
            ToolError::internal(format!(
                "no extension of type `{}` in the tool context",
                type_name::<T>()
            ))
        })
    }

    /// Puts in a value for tools to find by its type. A value of the same type is replaced.
    pub fn with_extension<T: Any + Send + Sync>(mut self, value: T) -> Self {
        Arc::make_mut(&mut self.shared).extensions.insert(value);
        self
    }

    /// Its extensions.
    #[doc(hidden)]
    pub fn extensions(&self) -> &Extensions {
        &self.shared.extensions
    }

    /// Adds the extensions of types that have none yet.
    #[doc(hidden)]
    pub fn with_missing(mut self, extensions: &Extensions) -> Self {
        if !extensions.is_empty() {
            Arc::make_mut(&mut self.shared)
                .extensions
                .add_missing(extensions);
        }
        self
    }

    /// The same call, with these extensions in the place of its own of their types.
    #[doc(hidden)]
    pub fn with_replaced(mut self, extensions: &Extensions) -> Self {
        if !extensions.is_empty() {
            let shared = Arc::make_mut(&mut self.shared);
            let mut all = extensions.clone();
            all.add_missing(&shared.extensions);
            shared.extensions = all;
        }
        self
    }

    /// The place of the call in its run.
    #[doc(hidden)]
    pub fn place(&self) -> CallPlace {
        self.place
    }

    /// Returns true if the application has put something into it.
    #[doc(hidden)]
    pub fn has_extensions(&self) -> bool {
        !self.shared.extensions.is_empty()
    }

    /// Returns true if the application has put in a value of this type.
    #[doc(hidden)]
    pub fn has_extension(&self, of: ExtensionType) -> bool {
        self.shared.extensions.has(of)
    }

    /// Sets the token that stops the call.
    pub fn with_cancellation(mut self, cancellation: CancellationToken) -> Self {
        self.own = None;
        Arc::make_mut(&mut self.shared).cancellation = cancellation;
        self
    }

    /// Sets where the call says how far it is.
    pub fn with_progress(mut self, progress: Progress) -> Self {
        self.progress = progress;
        self
    }

    /// The same context for another call.
    pub fn with_call_id(mut self, call_id: impl Into<Arc<str>>) -> Self {
        self.call_id = CallIdText::Shared(call_id.into());
        self.driver = None;
        self
    }

    /// Sets the [idempotency key](Self::idempotency_key).
    pub fn with_idempotency_key(mut self, key: impl Into<Arc<str>>) -> Self {
        Arc::make_mut(&mut self.shared).key = Key::Given(key.into());
        {
            self.drawn = None;
        }
        self
    }

    /// Sets the [owner](Self::owner), for a test or a call outside of a run: also of the runs of sub-agents that the call starts.
    pub fn with_owner(self, owner: impl Into<Arc<str>>) -> Self {
        self.owned_by(Some(owner.into()))
    }

    /// Sets the owner, or that there is none.
    #[doc(hidden)]
    pub fn owned_by(mut self, owner: Option<Arc<str>>) -> Self {
        if self.shared.owner != owner {
            Arc::make_mut(&mut self.shared).owner = owner;
        }
        self
    }

    /// Sets the clock of the [deadline](Self::deadline).
    #[doc(hidden)]
    pub fn with_clock(mut self, clock: fn() -> Instant) -> Self {
        self.clock = Clock(clock);
        self
    }

    /// Sets when the attempt is stopped. It notifies the tool, and stops nothing by itself.
    pub fn with_deadline(mut self, deadline: impl Into<Option<Instant>>) -> Self {
        self.deadline = deadline.into();
        self
    }

    /// The context that those of the calls of a run are made of. Its own extensions take precedence.
    #[doc(hidden)]
    pub fn for_run(&self, id: &str, extensions: &Extensions) -> Self {
        let mut cx = self.clone();
        let shared = Arc::make_mut(&mut cx.shared);
        shared.key = Key::Within(id.into());
        shared.extensions.add_missing(extensions);
        cx.drawn = None;
        cx
    }
}

/// The same call, with the same token.
impl Clone for ToolContext {
    fn clone(&self) -> Self {
        let around = &self.shared.cancellation;
        Self {
            call_id: self.call_id.clone(),
            shared: Arc::clone(&self.shared),
            own: self.own.as_ref().map(|own| own.share(around)),
            progress: self.progress.clone(),
            place: self.place,
            deadline: self.deadline,
            clock: self.clock,
            drawn: self.drawn,
            driver: self.driver.clone(),
        }
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext")
            .field("call_id", &self.call_id())
            .field("attempt", &self.attempt())
            .field("cancelled", &self.is_cancelled())
            .field("extensions", &self.shared.extensions.len())
            .finish_non_exhaustive()
    }
}

/// A value that can be a `#[context]` parameter: `&ToolContext`, `ToolContext`, [`CancellationToken`],
/// [`Progress`], [`Extension`](super::Extension), [`ExtensionRef`](super::ExtensionRef), an `Option` of one
/// of the last two, and any type for which an application implements this trait.
///
/// ```
/// use toolwright::{ToolContext, ToolError, tool::{ExtensionType, FromContext}};
///
/// struct Tenant(String);
///
/// struct TenantName<'cx>(&'cx str);
///
/// impl<'cx> FromContext<'cx> for TenantName<'cx> {
///     const EXTENSION: Option<fn() -> ExtensionType> = Some(ExtensionType::of::<Tenant>);
///
///     fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
///         cx.require::<Tenant>().map(|tenant| Self(&tenant.0))
///     }
/// }
///
/// let cx = ToolContext::default().with_extension(Tenant("ada".to_owned()));
/// assert_eq!(TenantName::from_context(&cx)?.0, "ada");
/// # Ok::<(), ToolError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a `#[context]` parameter",
    label = "nothing in the tool context has this type",
    note = "what the application put in is taken as `Extension<{Self}>`, a clone of it, or as `ExtensionRef<'_, {Self}>`, a borrow",
    note = "the context itself is `&ToolContext`; `CancellationToken` and `Progress` come from it too, and every type that implements `FromContext`"
)]
pub trait FromContext<'cx>: Sized {
    /// The type of the extension without which a call fails: `Some(ExtensionType::of::<T>)`. A runner with a tool that
    /// takes this cannot be built unless it is set. `None` by default: nothing is checked.
    const EXTENSION: Option<fn() -> ExtensionType> = None;

    /// Takes the value out of the context.
    ///
    /// # Errors
    ///
    /// When the context lacks it.
    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<'cx> FromContext<'cx> for &'cx ToolContext {
    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        Ok(cx)
    }
}

#[diagnostic::do_not_recommend]
impl<'cx> FromContext<'cx> for ToolContext {
    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        Ok(cx.clone())
    }
}

#[diagnostic::do_not_recommend]
impl<'cx> FromContext<'cx> for CancellationToken {
    fn from_context(cx: &'cx ToolContext) -> Result<Self, ToolError> {
        Ok(cx.cancellation())
    }
}

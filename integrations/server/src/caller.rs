//! Who calls.

use std::fmt;

use toolwright_runtime::{Runner, store::TimedStore};

/// Who calls: the owner of the runs that are begun and shown, and what the tools get to know of it.
///
/// ```
/// use toolwright::server::Caller;
///
/// struct User(u32);
///
/// let caller = Caller::owner("ada").with_extension(User(7));
/// ```
#[must_use = "it is what the hook returns"]
pub struct Caller {
    owner: String,
    extensions: Vec<Extend>,
}

type Extend = Box<dyn FnOnce(&Runner) -> Runner + Send>;

impl Caller {
    /// Creates a caller with an owner, in the application's own terms, such as the id of a user. It must not be empty.
    pub fn owner(name: impl Into<String>) -> Self {
        Self {
            owner: name.into(),
            extensions: Vec::new(),
        }
    }

    /// Adds a value to the context of every call of the runs that the request starts or resumes. Tools find it by its
    /// type: see [`Runner::with_extension`]. Runs that are resumed without a request get theirs by
    /// [`RunnerBuilder::restore_extensions`](toolwright_runtime::RunnerBuilder::restore_extensions).
    pub fn with_extension<T: Send + Sync + 'static>(mut self, value: T) -> Self {
        let extend: Extend = Box::new(move |runner| runner.with_extension(value));
        self.extensions.push(extend);
        self
    }

    /// The runner of this caller.
    pub(crate) fn apply(self, runner: &Runner) -> Runner {
        let mut own = runner.with_owner(&self.owner);
        for extend in self.extensions {
            own = extend(&own);
        }
        own
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller")
            .field("owner", &self.owner)
            .finish_non_exhaustive()
    }
}

/// Who makes the request under way.
#[derive(Clone)]
pub(crate) struct Visitor {
    /// The owner of what the caller sees; `None` of what has none.
    pub(crate) owner: Option<String>,
    /// The runner with its owner and its extensions.
    pub(crate) runner: Runner,
    /// The store of the runner, as its owner sees it.
    pub(crate) store: TimedStore,
    /// What its streams are counted by.
    pub(crate) counted_as: String,
}

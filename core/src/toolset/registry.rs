//! Tools that come and go while runs use them.

use std::{
    fmt,
    sync::{Arc, Weak},
};

use super::{Toolset, ToolsetError};
use crate::{
    mutex::Mutex,
    tool::{CancellationToken, Tool},
};

/// The tools on offer where they come and go while runs use them: those of an MCP server, of a
/// plug-in, of a user.
///
/// Cheap to clone; clones are the same registry. [`snapshot`](Self::snapshot) is its state as a
/// [`Toolset`], which does not change any more. A `Runner` takes one for each
/// request to the model, and runs the calls of the response with the tools that the model was shown.
///
/// ```
/// use toolwright::{ToolCall, ToolError, dynamic::DynamicTool, toolset::ToolRegistry};
///
/// let registry = ToolRegistry::new();
/// let ping = DynamicTool::builder("ping", "Answers with pong.")
///     .build(async |_: ToolCall, _cx| Ok::<_, ToolError>("pong"))?;
/// registry.insert(ping)?;
/// let before = registry.snapshot();
/// assert!(registry.remove("ping").is_some());
/// assert_eq!((before.len(), registry.snapshot().len()), (1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct ToolRegistry {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    tools: Toolset,
    /// Cancelled by the next change.
    current: CancellationToken,
}

/// A [`ToolRegistry`] that is not kept by this, for what changes its tools as long as it is used.
#[derive(Clone)]
pub struct WeakToolRegistry {
    state: Weak<Mutex<State>>,
}

impl WeakToolRegistry {
    /// The registry, unless all of its clones are gone.
    pub fn upgrade(&self) -> Option<ToolRegistry> {
        let state = self.state.upgrade()?;
        Some(ToolRegistry { state })
    }
}

/// The changes of a [`ToolRegistry`] from a moment on, for a program that shows its tools to others.
#[derive(Debug)]
pub struct ToolChanges {
    registry: ToolRegistry,
    current: CancellationToken,
}

impl ToolChanges {
    /// Waits until the registry has changed since the last call, or since [`ToolRegistry::changes`]. Several changes are one.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no change.
    pub async fn next(&mut self) {
        self.current.cancelled().await;
        self.current = self.registry.state.lock().current.clone();
    }
}

impl ToolRegistry {
    /// A registry of no tools.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool at the end.
    ///
    /// # Errors
    ///
    /// As [`Toolset::with`]: when a tool of this name is there already, for example. Nothing has
    /// changed then.
    pub fn insert(&self, tool: impl Tool) -> Result<(), ToolsetError> {
        self.change(|tools| Arc::make_mut(&mut tools.inner).push(Arc::new(tool)))
    }

    /// Replaces the tool of the same name and returns it, or adds the tool at the end.
    ///
    /// # Errors
    ///
    /// When the definition is not valid: see [`Toolset::with`]. Nothing has changed then.
    pub fn replace(&self, tool: impl Tool) -> Result<Option<Arc<dyn Tool>>, ToolsetError> {
        let tool: Arc<dyn Tool> = Arc::new(tool);
        let mut replaced = None;
        self.update(|tools| {
            let name = tool.definition().name.as_ref();
            let Some(old) = tools.find(name) else {
                return tools.with_shared(tool);
            };
            replaced = Some(Arc::clone(old));
            let is_old = |other: &Arc<dyn Tool>| other.definition().name == name;
            let all = tools
                .iter()
                .map(|other| if is_old(other) { &tool } else { other });
            Ok(collect(all)?.sharing(&tools))
        })?;
        Ok(replaced)
    }

    /// Removes the tool of a name and gives it back.
    pub fn remove(&self, name: &str) -> Option<Arc<dyn Tool>> {
        let removed = self.change(|tools| {
            // Asked before what snapshots share is copied.
            tools.find(name).ok_or(())?;
            Arc::make_mut(&mut tools.inner).remove(name).ok_or(())
        });
        removed.ok()
    }

    /// Changes several tools at once: no state in between is visible. Other changes wait until the
    /// closure returns, so that it must not use this registry.
    ///
    /// # Errors
    ///
    /// What the closure returns. Nothing has changed then.
    pub fn update<E>(&self, change: impl FnOnce(Toolset) -> Result<Toolset, E>) -> Result<(), E> {
        self.change(|tools| {
            *tools = change(tools.clone())?;
            Ok(())
        })
    }

    /// The tools as they are now.
    pub fn snapshot(&self) -> Toolset {
        self.state.lock().tools.clone()
    }

    /// The changes from now on.
    pub fn changes(&self) -> ToolChanges {
        let current = self.state.lock().current.clone();
        let registry = self.clone();
        ToolChanges { registry, current }
    }

    /// The registry without a hold on it.
    pub fn downgrade(&self) -> WeakToolRegistry {
        let state = Arc::downgrade(&self.state);
        WeakToolRegistry { state }
    }

    fn change<T, E>(&self, change: impl FnOnce(&mut Toolset) -> Result<T, E>) -> Result<T, E> {
        let mut state = self.state.lock();
        let changed = change(&mut state.tools)?;
        let before = std::mem::take(&mut state.current);
        drop(state);
        before.cancel();
        Ok(changed)
    }
}

fn collect<'a>(
    tools: impl IntoIterator<Item = &'a Arc<dyn Tool>>,
) -> Result<Toolset, ToolsetError> {
    let mut all = tools.into_iter().map(Arc::clone);
    all.try_fold(Toolset::new(), Toolset::with_shared)
}

impl From<Toolset> for ToolRegistry {
    fn from(tools: Toolset) -> Self {
        let state = State {
            tools,
            ..State::default()
        };
        Self {
            state: Arc::new(Mutex::new(state)),
        }
    }
}

impl fmt::Debug for ToolRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ToolRegistry")
            .field(&self.snapshot())
            .finish()
    }
}

impl fmt::Debug for WeakToolRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WeakToolRegistry").finish_non_exhaustive()
    }
}

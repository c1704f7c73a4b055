//! The tools of a run whose definitions are looked up: those of a set that are [deferred](toolwright_core::Toolset::deferred).
//!
//! What is offered follows from the conversation, which is what the log holds: a tool is loaded when a search has found
//! it, or when it was called. So a run that is resumed, replayed or followed by another one offers the same tools, in
//! the same order. Those that are loaded stand at the end of the list, in the order of loading, so that the list begins
//! as before.

mod loaded;
mod not_loaded;
mod search_tools;

use std::sync::Arc;

use loaded::Loaded;
use not_loaded::NotLoaded;
use search_tools::SearchTools;
use toolwright_core::{
    Toolset, ToolsetError,
    driver::{Mutex, redefined},
    message::Message,
    tool::{Tool, ToolDefinitions},
};

pub(super) use search_tools::SEARCH_TOOLS;

/// The tools of a request.
#[derive(Clone)]
pub(super) struct Offered {
    /// Those that its calls run with.
    pub(super) tools: Toolset,
    /// Those that the model is shown.
    pub(super) definitions: ToolDefinitions,
    /// The names of those among them that it may call, if they are not all.
    pub(super) allowed: Option<Vec<String>>,
}

/// What is made of a set with tools that are looked up, whatever is loaded of them. The runs of an agent share it, so
/// that a run pays nothing for the number of its tools.
struct Prepared {
    of: Toolset,
    /// The tools that are sent at once, and the search.
    sent: Toolset,
    /// These, and a tool in the place of each that is not loaded.
    called: Toolset,
}

/// What was prepared last for the runs of an agent.
#[derive(Clone, Default)]
pub(super) struct LastPrepared(Arc<Mutex<Option<Arc<Prepared>>>>);

/// What a run knows of the tools that are looked up.
#[derive(Default)]
pub(super) struct OnDemand {
    loaded: Loaded,
    /// What was offered last, and of what it was made.
    last: Option<Last>,
}

struct Last {
    tools: Toolset,
    loaded: Vec<String>,
    offered: Offered,
}

impl Offered {
    /// All tools are shown.
    pub(super) fn all(tools: Toolset) -> Self {
        let definitions = tools.shared_definitions().clone();
        Self {
            tools,
            definitions,
            allowed: None,
        }
    }
}

impl OnDemand {
    /// The tools of a request after these messages, where the provider has no search of its own. `chosen` is the tool that
    /// the model has to call. `finish` adds the tool that takes the answer.
    ///
    /// # Errors
    ///
    /// When a tool has the name of the search, and the errors of `finish`.
    pub(super) fn offered(
        &mut self,
        prepared: &LastPrepared,
        tools: Toolset,
        messages: &[Message],
        chosen: Option<&str>,
        finish: impl Fn(Toolset) -> Result<Toolset, ToolsetError>,
    ) -> Result<Offered, ToolsetError> {
        self.loaded.read(messages);
        let is_deferred = |name: &str| {
            let tool = tools.find(name);
            tool.is_some_and(|tool| tool.definition().deferred)
        };
        let mut loaded: Vec<_> = self
            .loaded
            .names()
            .filter(|name| is_deferred(name))
            .collect();
        loaded.extend(chosen.filter(|name| is_deferred(name) && !loaded.contains(name)));
        if let Some(last) = &self.last
            && last.tools.is_same(&tools)
            && last.loaded == loaded
        {
            return Ok(last.offered.clone());
        }
        let loaded: Vec<_> = loaded.into_iter().map(str::to_owned).collect();
        let prepared = prepared.of(&tools)?;
        let found = loaded.iter().filter_map(|name| tools.find(name));
        let found = found.map(|tool| redefined(tool, |tool| tool.with_deferred(false)));
        let found: Vec<_> = found.collect();
        let shown = (found.iter().cloned())
            .try_fold(finish(prepared.sent.clone())?, Toolset::with_shared)?;
        let mut called = finish(prepared.called.clone())?;
        if !found.is_empty() {
            called = called.with_replaced(found);
        }
        let offered = Offered {
            tools: called,
            definitions: shown.shared_definitions().clone(),
            allowed: None,
        };
        self.last = Some(Last {
            tools,
            loaded,
            offered: offered.clone(),
        });
        Ok(offered)
    }
}

impl LastPrepared {
    /// What is made of a set.
    ///
    /// # Errors
    ///
    /// When a tool has the name of the search.
    fn of(&self, tools: &Toolset) -> Result<Arc<Prepared>, ToolsetError> {
        if let Some(last) = &*self.0.lock()
            && last.of.is_same(tools)
        {
            return Ok(Arc::clone(last));
        }
        let deferred = tools.filtered(|tool, _| tool.deferred);
        let search: Arc<dyn Tool> = Arc::new(SearchTools::new(deferred.clone()));
        let sent = tools
            .filtered(|tool, _| !tool.deferred)
            .with_shared(search)?;
        let stubs = deferred.definitions().map(NotLoaded::new);
        let called = stubs.into_iter().try_fold(sent.clone(), Toolset::with)?;
        let prepared = Arc::new(Prepared {
            of: tools.clone(),
            sent,
            called,
        });
        *self.0.lock() = Some(Arc::clone(&prepared));
        Ok(prepared)
    }
}

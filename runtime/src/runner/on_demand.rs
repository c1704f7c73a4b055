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
    driver::redefined,
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

/// What a run knows of the tools that are looked up.
#[derive(Default)]
pub(super) struct OnDemand {
    loaded: Loaded,
    /// The set that was asked for last, and the search in it.
    search: Option<(Toolset, Arc<dyn Tool>)>,
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
        tools: Toolset,
        messages: &[Message],
        chosen: Option<&str>,
        finish: impl FnOnce(Toolset) -> Result<Toolset, ToolsetError>,
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
        let search = self.search_in(&tools);
        let first = tools
            .filtered(|tool, _| !tool.deferred)
            .with_shared(search)?;
        let mut offered = finish(first)?;
        for tool in loaded.iter().filter_map(|name| tools.find(name)) {
            let tool = redefined(tool, |definition| definition.with_deferred(false));
            offered = offered.with_shared(tool)?;
        }
        let definitions = offered.shared_definitions().clone();
        let rest = tools.definitions().filter(|tool| tool.deferred);
        for tool in rest.filter(|tool| !loaded.iter().any(|name| *name == tool.name)) {
            offered = offered.with(NotLoaded::new(tool))?;
        }
        let offered = Offered {
            tools: offered,
            definitions,
            allowed: None,
        };
        self.last = Some(Last {
            tools,
            loaded,
            offered: offered.clone(),
        });
        Ok(offered)
    }

    /// The search among the deferred tools of a set. It is made once for the set.
    fn search_in(&mut self, tools: &Toolset) -> Arc<dyn Tool> {
        if let Some((seen, search)) = &self.search
            && seen.is_same(tools)
        {
            return Arc::clone(search);
        }
        let deferred = tools.filtered(|tool, _| tool.deferred);
        let search: Arc<dyn Tool> = Arc::new(SearchTools::new(deferred));
        self.search = Some((tools.clone(), Arc::clone(&search)));
        search
    }
}

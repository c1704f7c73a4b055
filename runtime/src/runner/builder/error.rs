//! What is wrong with the settings of a runner.

use std::fmt;

use toolwright_core::{ToolsetError, driver::caught, model::ChatModel, tool::Capabilities};

/// The settings of a runner contradict each other.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The sets of tools cannot be one.
    #[error(transparent)]
    Tools(#[from] ToolsetError),
    /// The agents contradict each other, or the runner.
    #[error(transparent)]
    Agents(#[from] crate::runner::AgentError),
    /// A tool has the name of the one that searches for deferred tools.
    #[error(
        "the tool name `search_tools` is reserved for the search of deferred tools: rename the tool, or defer no tool"
    )]
    SearchToolsTaken,
    /// There are both tools and a registry.
    #[error("both tools and a registry are set: put the tools into the registry")]
    ToolsAndRegistry,
    /// The tool choice names a tool that is not on offer.
    #[error("the tool choice names `{name}`, which is not among the tools")]
    UnknownTool {
        /// The name.
        name: String,
    },
    /// The tool choice requires a call, and there are no tools.
    #[error("the tool choice requires a call, and there are no tools")]
    NoTools,
    /// Calls of a tool need an approval, and there is no approver.
    #[error(
        "calls of `{name}` need an approval: set one by `CallOptions::with_approver`, let the run wait by `RunnerBuilder::suspends`, or leave the tool out"
    )]
    NoApprover {
        /// The name.
        name: String,
    },
    /// A tool requires capabilities, and no grant was set.
    #[error(
        "`{name}` requires {requires}: grant it by `CallOptions::with_granted`, or grant `Capabilities::NONE` to go without the tool"
    )]
    NotGranted {
        /// The name.
        name: String,
        /// The capabilities that it requires.
        requires: Capabilities,
    },
    /// A tool takes an extension that is never set.
    #[error(
        "`{name}` takes an extension of the type `{extension}`, which is not set: set it by `CallOptions::with_extension`, or declare by `RunnerBuilder::request_extension::<{extension}>` that each request brings it"
    )]
    NoExtension {
        /// The name.
        name: String,
        /// The name of the type.
        extension: &'static str,
    },
    /// There is a limit on the cost, and no price.
    #[error("the cost is limited, but no prices are set: set them by `RunnerBuilder::prices`")]
    NoPrices,
    /// There is a model that summarizes what a request leaves out, and nothing is ever left out.
    #[error(
        "a summary model is set, but no context window: set its size by `RunnerBuilder::context_window`"
    )]
    NoContextWindow,
    /// The answer is to be given by a tool, and the tool choice forbids all calls.
    #[error("the answer is to come as a tool call, but the tool choice forbids all calls")]
    NoAnswerTool,
    /// The model takes no tools.
    #[error("{} does not support tools: use another model, or no tools", named(model.as_deref(), provider.as_deref()))]
    ToolsUnsupported {
        /// The [name of the model](toolwright_core::model::ChatModel::name), if it has one.
        model: Option<String>,
        /// The [name of its provider](toolwright_core::model::ChatModel::provider), if it has one.
        provider: Option<String>,
    },
}

/// The text, which says what to do: `main` prints an error so.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl BuildError {
    /// The error of a model that takes no tools.
    pub(super) fn tools_unsupported(model: &dyn ChatModel) -> Self {
        let (model, provider) = names(model);
        Self::ToolsUnsupported { model, provider }
    }
}

/// The names of a model and of its provider. A model is user code, which may panic.
pub(in crate::runner) fn names(model: &dyn ChatModel) -> (Option<String>, Option<String>) {
    caught(|| {
        (
            model.name().map(str::to_owned),
            model.provider().map(str::to_owned),
        )
    })
    .unwrap_or_default()
}

/// A model in a message.
pub(in crate::runner) fn named(model: Option<&str>, provider: Option<&str>) -> String {
    let model = model.map_or("the model".to_owned(), |name| format!("the model `{name}`"));
    match provider {
        Some(provider) => format!("{model} of the provider `{provider}`"),
        None => model,
    }
}

//! What agents of a runner cannot be.

use super::tool::{DESCRIPTION, NAME};
use crate::runner::builder::named;
use toolwright_core::ToolsetError;

/// The agents of a runner contradict each other, or it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The name breaks the rules for tools, of which `transfer_to_…` is one.
    #[error(
        "invalid agent name `{name}`: write snake_case, of `a` to `z`, digits and `_`, starting with a letter, 1 to {NAME} characters"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// The description is too short or too long.
    #[error(
        "the description of the agent `{name}` has {chars} characters, {} to {} are needed: tell the models what the agent does and when to hand over to it",
        DESCRIPTION.start(), DESCRIPTION.end()
    )]
    Description {
        /// The name of the agent.
        name: String,
        /// The number of characters.
        chars: usize,
    },
    /// Two agents have one name.
    #[error(
        "two agents are called `{name}`: rename one, or the runner's own by `RunnerBuilder::agent_name`"
    )]
    Duplicate {
        /// The name.
        name: String,
    },
    /// An agent is to hand over to one that is not there.
    #[error("unknown agent `{to}` (hand-over of `{from}`)")]
    Unknown {
        /// The name of the agent.
        from: String,
        /// The name of the one that it is to hand over to.
        to: String,
    },
    /// An option names an agent that is not there.
    #[error("unknown agent `{name}`")]
    NoSuchAgent {
        /// The name.
        name: String,
    },
    /// The runner of an agent has agents itself.
    #[error("the runner of the agent `{name}` has agents of its own: add all agents to one runner")]
    Nested {
        /// The name of the agent.
        name: String,
    },
    /// A tool of an agent cannot be beside those that hand over, or beside the one that takes the answer.
    #[error("a tool of the agent `{name}`: {error}")]
    Tools {
        /// The name of the agent.
        name: String,
        /// The problem.
        error: ToolsetError,
    },
    /// The model of an agent takes no tools, and could not hand over.
    #[error(
        "the agent `{name}` cannot hand over, because {} does not support tools: use another model, or allow it no hand-over",
        named(model.as_deref(), provider.as_deref())
    )]
    ToolsUnsupported {
        /// The name of the agent.
        name: String,
        /// The [name of the model](toolwright_core::model::ChatModel::name), if it has one.
        model: Option<String>,
        /// The [name of its provider](toolwright_core::model::ChatModel::provider), if it has one.
        provider: Option<String>,
    },
    /// Calls of a tool of an agent need an approval, and there is no approver.
    #[error(
        "calls of `{tool}` of the agent `{name}` need an approval: set one by `CallOptions::with_approver` on the runner of the agent or of the run, or let the run wait by `RunnerBuilder::suspends`"
    )]
    NoApprover {
        /// The name of the agent.
        name: String,
        /// The name of the tool.
        tool: String,
    },
    /// A tool of an agent takes an extension that comes with each request, and the runner does not say that it does.
    #[error(
        "a tool of the agent `{name}` takes an extension of the type `{extension}`: set it by `CallOptions::with_extension`, or declare by `RunnerBuilder::request_extension::<{extension}>` of the run's runner that each request brings it"
    )]
    NoExtension {
        /// The name of the agent.
        name: String,
        /// The name of the type.
        extension: &'static str,
    },
}

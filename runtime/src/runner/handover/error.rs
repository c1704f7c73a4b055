//! What agents of a runner cannot be.

use super::tool::{DESCRIPTION, NAME};
use toolwright_core::ToolsetError;

/// The agents of a runner contradict each other, or it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The name is none that a tool `transfer_to_…` may have.
    #[error(
        "`{name}` is no name of an agent: it is in snake_case, of `a` to `z`, digits and `_`, starts with a letter and has 1 to {NAME} characters"
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
    #[error("`{from}` is to hand over to `{to}`, which is no other agent of the runner")]
    Unknown {
        /// The name of the agent.
        from: String,
        /// The name of the one that it is to hand over to.
        to: String,
    },
    /// An option names an agent that is not there.
    #[error("no agent of the runner is called `{name}`")]
    NoSuchAgent {
        /// The name.
        name: String,
    },
    /// The runner of an agent has agents itself.
    #[error("the runner of `{name}` has agents itself: add them all to one runner")]
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
        "the model of `{name}` takes no tools, so that it could not hand over: use another one, or let it hand over to nobody"
    )]
    ToolsUnsupported {
        /// The name of the agent.
        name: String,
    },
    /// Calls of a tool of an agent need an approval, and there is nobody to give it.
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
        "a tool of the agent `{name}` takes an extension of the type `{extension}`: put it in by `CallOptions::with_extension`, or say by `RunnerBuilder::request_extension::<{extension}>` of the runner of the run that it comes with each request"
    )]
    NoExtension {
        /// The name of the agent.
        name: String,
        /// The name of the type.
        extension: &'static str,
    },
}

//! Hand-overs, as a front end takes them.

use serde::Serialize;

/// A conversation was handed over to another agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TransferData {
    /// The name of the agent that handed the conversation over.
    pub from: String,
    /// The name of the agent that takes over.
    pub to: String,
}

//! The approval of a call before it starts: the request and the decision.

use serde::{Deserialize, Serialize};

use super::{Effects, Question, ToolCall, ToolContext, ToolPolicy};

/// A request to approve a call before it starts, or to answer a question of one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// The call. An approval is for the tool of this name with these arguments, to the byte, and for
    /// nothing else.
    pub call: ToolCall,
    /// The changes that the call may make.
    pub effects: Effects,
    /// The question, if the call [asks](ToolContext::ask) one. The decision answers it, and approves nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// The key of the question in its call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_key: Option<String>,
    /// The context that the tool would receive: its extensions say for whom the tool runs. It is not
    /// stored.
    #[serde(skip)]
    pub context: ToolContext,
}

impl ApprovalRequest {
    /// A request for a call.
    pub fn new(call: ToolCall, effects: Effects) -> Self {
        Self {
            call,
            effects,
            question: None,
            question_key: None,
            context: ToolContext::default(),
        }
    }

    /// Sets the question of the call, and its key.
    pub fn with_question(mut self, key: impl Into<String>, question: Question) -> Self {
        self.question = Some(question);
        self.question_key = Some(key.into());
        self
    }

    /// Sets what the tool would be handed.
    pub fn with_context(mut self, context: ToolContext) -> Self {
        self.context = context;
        self
    }

    /// Returns true if an approval of this request is valid for that call: the same tool with the same
    /// arguments, byte for byte. Ids do not count, since providers repeat them.
    pub fn is_for(&self, call: &ToolCall) -> bool {
        self.call.name == call.name && self.call.arguments == call.arguments
    }
}

/// The rule for which calls wait for an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ApprovalPolicy {
    /// Calls of tools that ask for approval: [`ToolPolicy::approval`].
    #[default]
    Declared,
    /// Those as well that may change something: of tools that are neither read-only nor idempotent.
    Writes,
    /// All.
    All,
}

impl ApprovalPolicy {
    /// The policy of a tool whose calls wait for an approval where this says so.
    #[doc(hidden)]
    pub fn applied(self, mut policy: ToolPolicy) -> ToolPolicy {
        policy.approval = self.asks(&policy);
        policy
    }

    /// Returns true if a call of a tool waits for an approval.
    pub fn asks(self, policy: &ToolPolicy) -> bool {
        policy.approval
            || match self {
                Self::Declared => false,
                Self::Writes => policy.effects == Effects::Write,
                Self::All => true,
            }
    }
}

//! A call with its arguments prepared, and what came of it.

use std::{sync::Arc, time::Duration};

use super::execute;
use crate::{
    Leniency, ToolError,
    tool::{ArgumentChange, Tool, ToolCall, ToolContext, ToolOutput, ToolPolicy, ToolResult},
};

/// What came of a call, and what was changed in its arguments before.
#[derive(Debug)]
pub(crate) struct Executed {
    outcome: Result<ToolOutput, ToolError>,
    changes: Vec<ArgumentChange>,
}

impl Executed {
    /// Runs one call of a tool, as [`execute`] does, with the arguments that leniency makes of it.
    pub(crate) async fn run(
        tool: Arc<dyn Tool>,
        policy: ToolPolicy,
        call: &ToolCall,
        cx: &ToolContext,
        timeout: Option<Duration>,
        leniency: Leniency,
    ) -> Self {
        let prepared = leniency.prepare(call, tool.definition(), policy.effects);
        let outcome = execute(tool, policy, &prepared.call, cx, timeout).await;
        Self {
            outcome,
            changes: prepared.changes,
        }
    }

    pub(crate) fn into_result(self, call_id: impl Into<String>) -> ToolResult {
        ToolResult::new(call_id, self.outcome).with_changes(self.changes)
    }
}

impl From<Result<ToolOutput, ToolError>> for Executed {
    fn from(outcome: Result<ToolOutput, ToolError>) -> Self {
        Self {
            outcome,
            changes: Vec::new(),
        }
    }
}

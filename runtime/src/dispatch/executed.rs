//! A call with its arguments prepared, what came of it, and what of that leaves the call.

use std::sync::Arc;

use super::{Ended, Finishing, Lingering, Outcome, Until, execute};
use crate::{
    Leniency, ToolError,
    tool::{ArgumentChange, Tool, ToolCall, ToolContext, ToolPolicy, ToolResult},
};

/// What is done with a call before and after its tool runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Handling<'a> {
    pub(crate) leniency: Leniency,
    pub(crate) finishing: &'a Finishing,
}

/// What came of an attempt of a call, and what was changed in its arguments before.
#[derive(Debug)]
pub(crate) struct Executed {
    pub(crate) outcome: Outcome,
    pub(crate) changes: Vec<ArgumentChange>,
    /// What of the attempt runs on.
    pub(crate) lingering: Option<Lingering>,
}

impl Handling<'_> {
    /// Runs an attempt of a call: prepares its arguments, runs its tool as [`execute`] does, and
    /// redacts and cuts what came of it. A tool that is not there is an outcome like others.
    pub(crate) async fn run(
        self,
        tool: &Result<Arc<dyn Tool>, Box<ToolError>>,
        policy: &ToolPolicy,
        call: &ToolCall,
        cx: &ToolContext,
        until: &Until,
    ) -> Executed {
        let (ended, changes) = match tool {
            Ok(tool) => {
                let definition = tool.definition();
                let prepared = self.leniency.prepare(call, definition, policy.effects);
                let ended = execute(tool, policy, &prepared.call, cx, until).await;
                (ended, prepared.changes)
            }
            Err(error) => (Ended::with(Err(ToolError::clone(error))), Vec::new()),
        };
        let finishing = self.finishing;
        Executed {
            outcome: finishing.finish(call, policy, until, ended.outcome).await,
            changes,
            lingering: ended.lingering,
        }
    }
}

impl Executed {
    pub(crate) fn into_result(self, call_id: impl Into<String>) -> ToolResult {
        ToolResult::new(call_id, self.outcome).with_changes(self.changes)
    }
}

impl From<Outcome> for Executed {
    fn from(outcome: Outcome) -> Self {
        Self {
            outcome,
            changes: Vec::new(),
            lingering: None,
        }
    }
}

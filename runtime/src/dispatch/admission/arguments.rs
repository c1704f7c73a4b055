//! The arguments that a call is admitted with: normalized, checked, and decided about.

use std::{borrow::Cow, sync::Arc};

use crate::dispatch::CallOptions;
use toolwright_core::{
    ErrorCategory, Leniency, ToolError,
    driver::{caught, discard, guarded},
    tool::{ArgumentChange, Decision, Tool, ToolCall, ToolPolicy},
};

impl CallOptions {
    /// Normalizes the arguments of a call, once for all of its attempts: what somebody approves is what the tool reads.
    /// `None` if they stay as they are.
    pub(crate) fn prepare(
        &self,
        tool: Option<&Arc<dyn Tool>>,
        policy: &ToolPolicy,
        call: &ToolCall,
    ) -> Option<(ToolCall, Vec<ArgumentChange>)> {
        if self.leniency == Leniency::Off {
            return None;
        }
        let tool = tool?;
        // A definition is the tool's own code, which may panic: the call says so when it runs.
        let prepare = || {
            self.leniency
                .prepare(call, tool.definition(), policy.effects)
        };
        let prepared = guarded(prepare)?;
        match prepared.call {
            Cow::Borrowed(_) => None,
            Cow::Owned(call) => Some((call, prepared.changes)),
        }
    }

    /// Checks that the arguments of a call fit, as far as that is known before it runs. If they do not, nobody is asked
    /// to approve the call.
    pub(crate) fn check(
        &self,
        tool: Option<&Arc<dyn Tool>>,
        policy: &ToolPolicy,
        call: &ToolCall,
    ) -> Result<(), ToolError> {
        fits(tool, call).map_err(|error| self.output.error(policy, error))
    }

    /// Returns a decision in the form in which it leaves the call, and the error of a call that was approved with
    /// arguments that do not fit: no mistake of the model's.
    pub(crate) fn decided(
        &self,
        tool: Option<&Arc<dyn Tool>>,
        policy: &ToolPolicy,
        call: &ToolCall,
        decision: Decision,
    ) -> (Decision, Option<ToolError>) {
        match decision {
            Decision::Deny { reason } => (Decision::deny(self.output.reason(policy, reason)), None),
            Decision::ApproveWith { arguments } => {
                let edited = ToolCall::new(&call.id, &call.name, arguments);
                let misfit = self.misfit(tool, policy, &edited);
                (Decision::approve_with(edited.arguments), misfit)
            }
            other => (other, None),
        }
    }

    /// The error of a call that was approved with arguments that do not fit, if that is so.
    pub(crate) fn misfit(
        &self,
        tool: Option<&Arc<dyn Tool>>,
        policy: &ToolPolicy,
        edited: &ToolCall,
    ) -> Option<ToolError> {
        let error = fits(tool, edited).err()?;
        let message = "the arguments that it was approved with do not fit";
        let misfit = ToolError::new(ErrorCategory::Unknown, message);
        let misfit = misfit.with_log(format!("{message}: {error}"));
        Some(self.output.error(policy, misfit))
    }
}

fn fits(tool: Option<&Arc<dyn Tool>>, call: &ToolCall) -> Result<(), ToolError> {
    let Some(tool) = tool else { return Ok(()) };
    // A check that panics says nothing: the call itself will.
    caught(|| tool.check(call)).unwrap_or_else(|panic| {
        discard(panic);
        Ok(())
    })
}

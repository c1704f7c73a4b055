//! A call with what decides how it runs.

use std::{borrow::Cow, future::pending, pin::pin, sync::Arc, time::Duration};

use futures_util::future::{Either, select};
use tokio::task::unconstrained;

use super::in_place::InPlace;
use crate::dispatch::{CallOptions, timer::wait};
use toolwright_core::{
    ErrorCategory, Leniency, ToolError,
    driver::{Caught, caught},
    tool::{ArgumentChange, BoxFuture, Decision, Tool, ToolCall, ToolContext, ToolPolicy},
};

/// A call with what decides how it runs: its tool, the policy of the tool, and the settings of calls. A batch and a run
/// find these in different places, and ask the same of them.
#[derive(Clone, Copy)]
pub(crate) struct CallRules<'a> {
    pub(crate) call: &'a ToolCall,
    /// `None` if there is no such tool, or nothing is known of it.
    pub(crate) tool: Option<&'a Arc<dyn Tool>>,
    pub(crate) policy: &'a ToolPolicy,
    pub(crate) options: &'a CallOptions,
}

impl<'a> CallRules<'a> {
    /// The same rules for the call with other arguments.
    pub(crate) fn with_call<'b>(self, call: &'b ToolCall) -> CallRules<'b>
    where
        'a: 'b,
    {
        CallRules { call, ..self }
    }

    /// Returns the time limit of an attempt.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        self.policy.timeout.or(self.options.timeout)
    }

    /// What asks the questions of the call while it waits, outside of a run; `None` without an approver.
    pub(crate) fn asks_in_place(&self) -> Option<Arc<InPlace>> {
        let approver = Arc::clone(self.options.approver.as_ref()?);
        let asks = InPlace::new(approver, self.call.clone(), self.policy.effects);
        Some(Arc::new(asks))
    }

    /// Normalizes the arguments, once for all attempts: the approved arguments are those that the tool reads. `None` if
    /// they stay as they are.
    pub(crate) fn prepare(&self) -> Option<(ToolCall, Vec<ArgumentChange>)> {
        let leniency = self.options.leniency;
        if leniency == Leniency::Off {
            return None;
        }
        let tool = self.tool?;
        // A definition is the tool's own code, which may panic: the call says so when it runs.
        let prepare = || leniency.prepare(self.call, tool.definition(), self.policy.effects);
        let prepared = caught(prepare).ok()?;
        match prepared.call {
            Cow::Borrowed(_) => None,
            Cow::Owned(call) => Some((call, prepared.changes)),
        }
    }

    /// Checks that the arguments fit, as far as that is known before the call runs. If they do not, no approval is
    /// requested.
    pub(crate) fn check(&self) -> Result<(), ToolError> {
        self.fits().map_err(|error| self.refused(error))
    }

    /// What the middleware of the tool says of the call before an approval is requested; `None` if there is none.
    pub(crate) fn check_first(
        &self,
        cx: ToolContext,
    ) -> Option<BoxFuture<'static, Result<(), ToolError>>> {
        let checks = self.tool?.layers()?.check_first(self.call.clone(), cx);
        let limit = self.timeout();
        Some(Box::pin(async move {
            let late = async {
                match limit {
                    // A check that is always ready does not put it off.
                    Some(limit) => unconstrained(wait(limit)).await,
                    None => pending().await,
                }
            };
            match select(Caught::new(checks), pin!(late)).await {
                // A check that panics says nothing: the call itself will.
                Either::Left((checked, _)) => checked.unwrap_or(Ok(())),
                Either::Right(_) => Err(ToolError::new(
                    ErrorCategory::ExecutionTimeout,
                    "a check of the call took too long",
                )),
            }
        }))
    }

    /// An error of a call that does not run, in the form in which it leaves the call.
    pub(crate) fn refused(&self, error: ToolError) -> ToolError {
        self.options.output.error(self.policy, error)
    }

    /// Returns a decision in the form in which it leaves the call, and the error of a call that was approved with
    /// arguments that do not fit: no mistake of the model's.
    pub(crate) fn decided(&self, decision: Decision) -> (Decision, Option<ToolError>) {
        match decision {
            Decision::Deny { reason } => {
                let reason = self.options.output.reason(self.policy, reason);
                (Decision::deny(reason), None)
            }
            Decision::ApproveWith { arguments } => {
                let edited = ToolCall::new(&self.call.id, &self.call.name, arguments);
                let misfit = self.with_call(&edited).misfit();
                (Decision::approve_with(edited.arguments), misfit)
            }
            other => (other, None),
        }
    }

    /// The error of a call that was approved with these arguments, if they do not fit.
    pub(crate) fn misfit(&self) -> Option<ToolError> {
        let error = self.fits().err()?;
        let message = "the arguments that the approver set do not fit";
        let misfit = ToolError::new(ErrorCategory::Unknown, message);
        let misfit = misfit.with_log(format!("{message}: {error}"));
        Some(self.refused(misfit))
    }

    fn fits(&self) -> Result<(), ToolError> {
        let Some(tool) = self.tool else { return Ok(()) };
        // A check that panics says nothing: the call itself will.
        caught(|| tool.check(self.call)).unwrap_or(Ok(()))
    }
}

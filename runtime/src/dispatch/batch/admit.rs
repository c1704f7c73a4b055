//! Admission of a call: the check before its start, and the arguments that it runs with.

use std::{sync::Arc, time::Duration};

use super::{Attempt, Batch, Ready, tools::Entry};
use crate::{
    ErrorCategory, Leniency, ToolError,
    dispatch::{
        AttemptEnd, Start, Time,
        admission::{
            approval::{check, decide, misfit},
            rate_limit::Admission,
        },
        event::DispatchEvent,
    },
    run::{Delay, denied},
    tool::{ArgumentChange, CallPlace, ContextParts, Decision, ToolCall},
};

impl<'a, S, F> Batch<'a, S, F>
where
    S: Fn(Attempt<'a>) -> F,
    F: Future<Output = AttemptEnd>,
{
    /// Starts a call that may, or delays it.
    pub(super) fn admit(&mut self, index: usize) {
        let call = &self.calls[index];
        let Entry { tool, policy, asks } = self.tools.of(call);
        if self.options.calls.leniency != Leniency::Off
            && let Some(tool) = tool
        {
            let prepare = || Ready::new(self.options.calls.leniency, call, tool, policy);
            self.ready.entry(index).or_insert_with(prepare);
        }
        let ready = self.ready.get(&index);
        let edited = ready.and_then(|ready| ready.call.clone());
        if asks && !ready.is_some_and(|ready| ready.is_approved) {
            let call = edited.as_deref().unwrap_or(call);
            if let Err(error) = check(tool, call) {
                let error = self.options.calls.output.error(policy, error);
                return self.fail(index, error);
            }
            let (approver, call) = (self.options.calls.approver.clone(), call.clone());
            let cx = self.parts_of(index).into_context(&call.id);
            self.approvals
                .push(index, Box::pin(decide(approver, call, policy.effects, cx)));
            self.delay(index, Delay::Approval);
            return;
        }
        match self.still_running.admit(index, policy) {
            Start::Now => {}
            Start::Later => {
                self.delay(index, Delay::StillRunning);
                return;
            }
            Start::Refused(error) => return self.fail(index, error),
        }
        if let Some(limit) = policy.rate_limit {
            let admission = match self.admitted.remove(&index) {
                Some(turn) => turn.start(),
                None => self.limiter.admit(&call.name, limit),
            };
            match admission {
                Admission::Now => {}
                Admission::After(turn) => {
                    self.wait(index, turn.wait());
                    self.admitted.insert(index, turn);
                    self.delay(index, Delay::RateLimit);
                    return;
                }
                Admission::Refused { retry_after } => {
                    // One that has failed before ends as it failed.
                    let failed = self.failed.remove(&index);
                    let error = failed.unwrap_or_else(|| rate_limited(&call.name, retry_after));
                    return self.fail(index, error);
                }
            }
        }
        self.failed.remove(&index);
        self.schedule.start();
        let timeout = policy.timeout.or(self.options.calls.timeout);
        let attempt = Attempt {
            index,
            tool,
            edited,
            policy,
            cx: self.parts_of(index),
            time: Time::new(timeout, &self.stop),
        };
        self.running.push(index, (self.start)(attempt));
        let attempt = self.schedule.attempt(index);
        let event = || DispatchEvent::Started { index, attempt };
        self.reader.happened(event);
    }

    fn parts_of(&self, index: usize) -> ContextParts {
        let place = CallPlace {
            round: self.options.context.round(),
            index: u32::try_from(index).unwrap_or(u32::MAX),
            attempt: self.schedule.attempt(index),
        };
        let parts = self.context.parts_for_call().at(place);
        parts.with_progress(|others| {
            let heard = self.options.progress(index, others);
            self.reader.progress(index, heard)
        })
    }

    pub(super) fn decided(&mut self, index: usize, decision: Decision) {
        let call = &self.calls[index];
        let Entry { tool, policy, .. } = self.tools.of(call);
        let output = &self.options.calls.output;
        match decision {
            Decision::Approve => {}
            Decision::ApproveWith { arguments } => {
                let edited = ToolCall::new(&call.id, &call.name, arguments);
                let checked = check(tool, &edited);
                let ready = self.ready.entry(index).or_default();
                let asked = ready.call.as_deref().unwrap_or(call);
                if ArgumentChange::is_edit(&asked.arguments, &edited.arguments) {
                    // They are no longer the model's.
                    ready.changes = vec![ArgumentChange::edited()];
                }
                ready.call = Some(Arc::new(edited));
                if let Err(error) = checked {
                    let error = output.error(policy, misfit(&error));
                    return self.fail(index, error);
                }
            }
            Decision::Deny { reason } => {
                let reason = output.reason(policy, reason);
                return self.fail(index, denied(&reason));
            }
        }
        self.ready.entry(index).or_default().is_approved = true;
        self.schedule.resume(index);
    }
}

/// The error of a call that came too early.
pub(crate) fn rate_limited(name: &str, retry_after: Duration) -> ToolError {
    let wait = rounded_up(retry_after);
    let message = format!("`{name}` was called too often; call it again in {wait:?}");
    ToolError::new(ErrorCategory::RateLimited, message).with_retry_after(retry_after)
}

/// In whole seconds, or milliseconds if it is less than one: nobody waits more precisely.
fn rounded_up(wait: Duration) -> Duration {
    let unit = match wait.as_secs() {
        0 => Duration::from_millis(1),
        _ => Duration::from_secs(1),
    };
    let units = wait.as_nanos().div_ceil(unit.as_nanos());
    // In units it is no more than 2^64 seconds.
    u64::try_from(units).map_or(Duration::MAX, |units| match unit.as_secs() {
        0 => Duration::from_millis(units),
        _ => Duration::from_secs(units),
    })
}

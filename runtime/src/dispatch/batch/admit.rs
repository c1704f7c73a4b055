//! Admission of a call: the check before its start, and the arguments that it runs with.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use super::{Batch, Reader, Ready};
use crate::dispatch::{
    AttemptEnd, AttemptStart, CallRules, Time, admission::gate::Passage, clock,
    event::DispatchEvent,
};
use toolwright_core::{
    Leniency,
    driver::{CallPlace, ContextParts, denied},
    run::Delay,
    tool::{ApprovalRequest, ArgumentChange, Decision, ToolCall, ToolContext},
};

/// The input of an attempt.
pub(in crate::dispatch) struct Attempt<'a> {
    pub(in crate::dispatch) index: usize,
    pub(in crate::dispatch) rules: CallRules<'a>,
    /// The call with the arguments that it runs with, if these are not the model's.
    pub(in crate::dispatch) edited: Option<Arc<ToolCall>>,
    pub(in crate::dispatch) start: AttemptStart,
}

impl<'a, S, F> Batch<'a, S, F>
where
    S: Fn(Attempt<'a>) -> F,
    F: Future<Output = AttemptEnd>,
{
    /// Starts a call that may, or delays it.
    pub(super) fn admit(&mut self, index: usize, cx: &mut Context<'_>) {
        let rules = self.rules(index);
        let CallRules {
            call,
            policy,
            options,
            ..
        } = rules;
        if options.leniency != Leniency::Off {
            let prepare = || Ready::new(rules.prepare());
            self.ready.entry(index).or_insert_with(prepare);
        }
        let ready = self.ready.get(&index);
        let edited = ready.and_then(|ready| ready.call.clone());
        if self.tools.asks(rules) && !ready.is_some_and(|ready| ready.is_approved) {
            let call = edited.as_deref().unwrap_or(call);
            if let Err(error) = rules.with_call(call).check() {
                return self.fail(index, error);
            }
            let cx = self.context_of(index);
            self.schedule.delay(index);
            return match rules.with_call(call).check_first(cx) {
                Some(check) => self.gate().check(index, check),
                None => self.ask(index),
            };
        }
        // Without a gate no work runs on that a call might have to wait for.
        if self.gate.is_some() || policy.rate_limit.is_some() {
            match self.gate().admit(index, &call.name, policy) {
                Passage::Open => {}
                Passage::Held(why) => return self.delay(index, why),
                Passage::Closed(error) => {
                    // One that has failed before ends as it failed.
                    let error = self.failed.remove(&index).unwrap_or(error);
                    return self.fail(index, error);
                }
            }
        }
        self.schedule.start();
        let call = edited.as_deref().unwrap_or(call);
        let asks = || rules.with_call(call).asks_in_place();
        let asks = self.asks.entry(index).or_insert_with(asks).clone();
        let start = AttemptStart {
            cx: self.parts_of(index),
            time: Time::new(rules.timeout(), self.running.ending()),
            failed: self.failed.remove(&index).map(Box::new),
            asks: None,
        };
        let start = match asks {
            Some(asks) => asks.begin(start),
            None => start,
        };
        let attempt = Attempt {
            index,
            rules,
            edited,
            start,
        };
        let work = Box::pin((self.start)(attempt));
        if let Reader::Events(unread) = &mut self.reader {
            // It runs when that is read.
            let attempt = self.schedule.attempt(index);
            unread.push(DispatchEvent::Started { index, attempt });
            self.running.push(index, work);
        } else if let Poll::Ready(end) = self.running.start(index, work, cx) {
            self.ended(index, end);
        }
    }

    /// Requests the approval of a call, which waits for it.
    pub(super) fn ask(&mut self, index: usize) {
        let CallRules {
            call,
            policy,
            options,
            ..
        } = self.rules(index);
        let ready = self.ready.get(&index);
        let call = ready
            .and_then(|ready| ready.call.as_deref())
            .unwrap_or(call);
        let request = ApprovalRequest::new(call.clone(), policy.effects);
        let request = request.with_context(self.context_of(index));
        let approver = options.approver.clone();
        self.gate().ask(index, approver, request);
        self.waits(index, Delay::Approval);
    }

    /// The context of a call that does not run yet.
    fn context_of(&self, index: usize) -> ToolContext {
        let deadline = self.options.context.deadline();
        let parts = self.parts_of(index);
        parts.into_context(&self.calls[index].id, deadline, clock)
    }

    fn parts_of(&self, index: usize) -> ContextParts {
        let place = CallPlace {
            round: self.options.context.round(),
            index: u32::try_from(index).unwrap_or(u32::MAX),
            attempt: self.schedule.attempt(index),
        };
        let parts = self.context.of_call(place);
        parts.with_progress(|others| {
            let heard = self.options.progress(index, others);
            self.reader.progress(index, heard)
        })
    }

    pub(super) fn decided(&mut self, index: usize, decision: Decision) {
        let rules = self.rules(index);
        let call = rules.call;
        let (decision, misfit) = rules.decided(decision);
        let ready = self.ready.entry(index).or_default();
        match decision {
            Decision::Approve => {}
            Decision::ApproveWith { arguments } => {
                let asked = ready.call.as_deref().unwrap_or(call);
                if ArgumentChange::is_edit(&asked.arguments, &arguments) {
                    // They are no longer the model's.
                    ready.changes = vec![ArgumentChange::edited()];
                }
                ready.call = Some(Arc::new(ToolCall::new(&call.id, &call.name, arguments)));
            }
            Decision::Deny { reason } => return self.fail(index, denied(&reason)),
            // Nothing runs by a decision that is not understood.
            _ => return self.fail(index, denied("")),
        }
        if let Some(error) = misfit {
            return self.fail(index, error);
        }
        ready.is_approved = true;
        self.schedule.resume(index);
    }
}

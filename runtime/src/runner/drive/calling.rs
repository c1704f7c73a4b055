//! Starts the calls of a run, and tells the run what happened to them.

use std::time::Duration;

use super::Driver;
use crate::{
    dispatch::{AttemptEnd, Passage, Released},
    runner::calls::{Calls, Happened},
    store::InboxContent,
};
use toolwright_core::{
    driver::{TIME_IS_UP, not_executed},
    run::{CallId, Delay, Signal},
    tool::{
        ArgumentChange, Decision, Progress, ToolContext, ToolDefinition, ToolPolicy, ToolResult,
    },
};

impl Driver<'_> {
    pub(super) fn prepare(&mut self, calls: &mut Calls<'_>, id: CallId) {
        if let Some(signal) = calls.prepare(&self.tools, &self.run, id) {
            self.signal(signal);
        }
    }

    pub(super) fn start(&mut self, calls: &mut Calls<'_>, id: CallId) {
        match calls.admit(&self.tools, &self.run, id) {
            Passage::Open => {
                let failed = self.run.failed(id).cloned().map(Box::new);
                self.signal(Signal::CallStarted(id));
                let cx = self.context_of(id);
                if self.keeper.is_none() {
                    return calls.start(&self.tools, &self.run, id, &cx, failed);
                }
                if calls.start_kept(&self.tools, &self.run, id, &cx, failed)
                    && let Some(call) = self.run.call(id)
                {
                    self.events.starts_early(id, &call.name);
                }
            }
            Passage::Held(why) => self.signal(Signal::CallDelayed(id, why)),
            Passage::Closed(error) => self.signal(Signal::CallRefused(id, error)),
        }
    }

    pub(super) fn ask(&mut self, calls: &mut Calls<'_>, id: CallId) {
        match calls.check(&self.tools, &self.run, id) {
            Ok(()) => {
                self.signal(Signal::CallDelayed(id, Delay::Approval));
                let approver = self.approver();
                if self.inner.suspend_after.is_some() && approver.is_none() {
                    self.wait_for_others(id);
                } else {
                    let approver = approver.cloned();
                    self.begins_to_wait(id);
                    calls.ask(&self.run, id, &self.context_of(id), approver);
                }
            }
            Err(error) => self.signal(Signal::CallRefused(id, error)),
        }
    }

    /// Hands a call to the application.
    pub(super) fn ask_answer(&mut self, calls: &mut Calls<'_>, id: CallId) {
        match calls.check(&self.tools, &self.run, id) {
            Ok(()) => {
                self.signal(Signal::CallDelayed(id, Delay::External));
                self.wait_for_others(id);
            }
            Err(error) => self.signal(Signal::CallRefused(id, error)),
        }
    }

    pub(super) fn happened(&mut self, calls: &mut Calls<'_>, happened: Happened) {
        match happened {
            Happened::Ended(id, end) => self.call_finished(calls, id, end),
            Happened::Released(Released::Waited(id)) => self.signal(Signal::CallResumed(id)),
            Happened::Released(Released::Decided(id, decision)) => {
                if let Some(pending) = self.run.pending_call(id) {
                    let content = InboxContent::Resolution(pending.decide(decision));
                    // A run whose calls are asked about is not over.
                    let _ = self.inbox.0.say(content);
                    self.take_messages(Some(calls));
                }
            }
        }
    }

    /// Tells the run what somebody has decided, and of which tool.
    pub(super) fn decide(&mut self, calls: &mut Calls<'_>, id: CallId, decision: Decision) {
        let decision = calls.decided(&self.tools, &self.run, id, decision);
        let tool = match &decision {
            Decision::Deny { .. } => None,
            _ => self.definition_of(id).cloned().map(Box::new),
        };
        self.signal(Signal::CallDecided {
            call: id,
            decision,
            tool,
        });
    }

    /// The definition of the tool of a call, if there is one.
    pub(super) fn definition_of(&self, id: CallId) -> Option<&ToolDefinition> {
        let call = self.run.call(id)?;
        let mut tools = self.tools.shared_definitions().iter();
        tools.find(|tool| tool.name == call.name)
    }

    /// Returns the context of a call: that of the application, with the run's handle for progress.
    pub(super) fn context_of(&self, id: CallId) -> ToolContext {
        self.context_of_agent().with_progress(self.progress_of(id))
    }

    fn progress_of(&self, id: CallId) -> Progress {
        let events = self.events.clone();
        let heard = Progress::new(move |update| events.update(id, update));
        match self.run.other_agent() {
            // Whoever reads the events redacts what the runner of the run says.
            None => heard,
            Some(_) => self.agent().calls.output.progress(heard),
        }
    }

    pub(super) fn policy(&self, name: &str) -> ToolPolicy {
        let mut policy = self.tools.policy(name);
        // The run of a sub-agent is kept where this one is.
        policy.resumes &= self.keeper.is_some();
        // Nobody is asked about a tool that is not there.
        match self.tools.find(name) {
            // It does nothing that could be approved.
            Some(_) if self.is_final_tool(name) => policy,
            Some(_) => self.agent().calls.approvals.applied(policy),
            None => policy.with_unknown(),
        }
    }

    fn is_final_tool(&self, name: &str) -> bool {
        let tool = self.final_tool.as_ref();
        tool.is_some_and(|tool| tool.is_called(name))
    }

    fn call_finished(&mut self, calls: &mut Calls<'_>, id: CallId, mut end: AttemptEnd) {
        calls.keep_still_running(&self.tools, &self.run, id, &mut end);
        if self.waits_below(id) {
            return;
        }
        let outcome = match self.interruption() {
            Some(Signal::TimeLimitReached) if !end.has_run => {
                Err(Box::new(not_executed(TIME_IS_UP)))
            }
            _ => end.outcome,
        };
        let error = outcome.as_ref().err();
        let hint = error.and_then(|error| error.retry_after);
        let mut result = ToolResult::of("", outcome);
        if self.run.is_edited(id)
            && let (Some(call), Some(policy)) = (self.run.call(id), self.run.policy(id))
        {
            result = if end.has_run {
                // What the model is told of them leaves the call as well.
                let arguments = call.arguments.clone();
                let shown = self.agent().calls.output.reason(policy, arguments);
                result.with_edited(&shown)
            } else {
                // It ran with no arguments at all.
                result.with_changes(vec![ArgumentChange::edited()])
            };
        }
        let attempts = self.run.attempt(id);
        match self.node.spent_by(id) {
            None => self.signal(Signal::CallFinished(id, result)),
            Some(spent) => {
                self.signal(Signal::AgentFinished {
                    call: id,
                    result,
                    spent: Box::new(spent),
                });
                self.node.note(&self.run);
            }
        }
        if self.run.is_delayed(id) {
            calls.wait(id, attempts, hint, Duration::ZERO);
        }
    }
}

//! Requests approvals and answers of calls, and signals to the run what was decided.

use std::sync::Arc;

use super::{CallRunner, Journal};
use crate::Approver;
use toolwright_core::{
    ToolError,
    run::{CallId, Delay, Resolution, Run, Signal},
    tool::{Decision, Question, ToolDefinition, ToolResult},
};

impl CallRunner<'_> {
    /// Requests the approval of a call.
    pub(in crate::runner::drive) fn ask_approval(&mut self, journal: &mut Journal, id: CallId) {
        if !self.delay(journal, id, Delay::Approval) {
            return;
        }
        self.ask_person(journal, id);
    }

    /// Returns true if there is a person to ask.
    pub(super) fn may_ask(&self, run: &Run) -> bool {
        self.inner.suspend_after.is_some() || self.approver(run).is_some()
    }

    /// Lets a call wait whose attempt has ended with a question. It gives `false` if there is none, or if the run does not
    /// let it wait.
    pub(super) fn asks(
        &mut self,
        journal: &mut Journal,
        id: CallId,
        asked: Option<Box<(String, Question)>>,
    ) -> bool {
        let Some((key, question)) = asked.map(|asked| *asked) else {
            return false;
        };
        journal.signal(Signal::CallDelayed(id, Delay::Question { key, question }));
        let is_delayed = journal.run().is_delayed(id);
        if is_delayed {
            self.node.goes_on(id);
            self.ask_person(journal, id);
        }
        is_delayed
    }

    /// Asks the approver, if there is one. Otherwise the call waits for others.
    fn ask_person(&mut self, journal: &Journal, id: CallId) {
        let approver = self.approver(journal.run());
        if self.inner.suspend_after.is_some() && approver.is_none() {
            self.wait_for_others(journal.run(), id);
        } else {
            let approver = approver.cloned();
            self.waiting.begin(id);
            self.ask(journal, id, approver);
        }
    }

    /// Hands a call to the application.
    pub(in crate::runner::drive) fn ask_answer(&mut self, journal: &mut Journal, id: CallId) {
        if self.delay(journal, id, Delay::External) {
            self.wait_for_others(journal.run(), id);
        }
    }

    /// Lets a call wait for others, if its arguments fit and it has passed the checks before an approval.
    fn delay(&mut self, journal: &mut Journal, id: CallId, why: Delay) -> bool {
        self.prepare(journal, id);
        let cx = self.context_of(journal, id);
        let (tools, run) = (&self.tools, journal.run());
        match self.under_way.check(tools, run, id) {
            Ok(()) if why == Delay::Approval && !self.under_way.is_checked(tools, run, id, &cx) => {
                false
            }
            Ok(()) => {
                journal.signal(Signal::CallDelayed(id, why));
                true
            }
            Err(error) => {
                journal.signal(Signal::CallRefused(id, error));
                false
            }
        }
    }

    /// Takes what a check of a call has found before its approval is requested.
    pub(in crate::runner::drive) fn checked(
        &mut self,
        journal: &mut Journal,
        id: CallId,
        found: Result<(), ToolError>,
    ) {
        let signal = (self.under_way).checked(&self.tools, journal.run(), id, found);
        if let Some(signal) = signal {
            journal.signal(signal);
        }
    }

    pub(super) fn ask(
        &mut self,
        journal: &Journal,
        id: CallId,
        approver: Option<Arc<dyn Approver>>,
    ) {
        let cx = self.context_of(journal, id);
        self.under_way.ask(journal.run(), id, &cx, approver);
        self.waiting.limit(journal.run(), id);
    }

    /// The approver of the current agent of the run.
    pub(super) fn approver(&self, run: &Run) -> Option<&Arc<dyn Approver>> {
        let of_agent = self.inner.settings_of(run).calls.approver.as_ref();
        let own = self.inner.own_approver.as_ref().or(of_agent);
        own.or_else(|| self.node.approver())
    }

    /// Withdraws the question about a call from its approver, because another decision came first.
    pub(in crate::runner::drive) fn withdraw(&mut self, id: CallId) {
        self.under_way.withdraw(id);
    }

    /// Signals a decision or an answer for a call to the run.
    pub(in crate::runner::drive) fn resolve(
        &mut self,
        journal: &mut Journal,
        resolution: &Resolution,
    ) {
        let id = resolution.id();
        self.waiting.end(id);
        if let Some(decision) = resolution.decision() {
            if resolution.answers_question() {
                // It is for the tool, and approves nothing.
                return journal.signal(Signal::CallDecided {
                    call: id,
                    decision: decision.clone(),
                    tool: None,
                });
            }
            self.decide(journal, id, decision.clone());
        }
        let run = journal.run();
        if let (Some(result), Some(policy)) = (resolution.answer(), run.policy(id)) {
            let output = &self.inner.settings_of(run).calls.output;
            let outcome = output.answer(policy, result.outcome.clone());
            journal.signal(Signal::CallAnswered(id, ToolResult::of("", outcome)));
        }
    }

    /// Signals a decision to the run, with the tool that it is about.
    fn decide(&mut self, journal: &mut Journal, id: CallId, decision: Decision) {
        let run = journal.run();
        let decision = self.under_way.decided(&self.tools, run, id, decision);
        let tool = match &decision {
            Decision::Deny { .. } => None,
            _ => self.definition_of(run, id).cloned().map(Box::new),
        };
        journal.signal(Signal::CallDecided {
            call: id,
            decision,
            tool,
        });
    }

    /// The definition of the tool of a call, if there is one.
    pub(super) fn definition_of(&self, run: &Run, id: CallId) -> Option<&ToolDefinition> {
        let call = run.call(id)?;
        let mut tools = self.tools.shared_definitions().iter();
        tools.find(|tool| tool.name == call.name)
    }
}

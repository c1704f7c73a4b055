//! The calls of a stored run that goes on.

use std::{collections::BTreeSet, time::Duration};

use super::{CallRunner, Journal, waiting::since};
use crate::runner::{CallOrigin, begin::Resumed};
use toolwright_core::{
    Toolset,
    run::{CallId, Delay, Run, Signal},
    tool::{Capabilities, ToolDefinition},
};

impl CallRunner<'_> {
    /// Takes the calls of a stored run. The tools are those that its request offered.
    pub(in crate::runner::drive) fn resume(
        &mut self,
        run: &Run,
        offered: &Toolset,
        resumed: &mut Resumed,
    ) {
        self.follow(run);
        self.tools = self.tools_of_round(run, offered);
        self.waiting.resume(resumed);
    }

    /// Lets the calls go on that wait.
    pub(in crate::runner::drive) fn go_on(&mut self, journal: &mut Journal, resumed: &Resumed) {
        self.ask_anew(journal, &resumed.expired);
        let delayed = journal.run().delayed();
        let delayed: Vec<_> = delayed.map(|(id, why)| (id, why.clone())).collect();
        for (id, why) in delayed {
            match why {
                Delay::Approval | Delay::Question { .. } | Delay::External
                    if resumed.expired.contains(&id) =>
                {
                    journal.signal(Signal::CallExpired(id));
                }
                Delay::Approval | Delay::Question { .. }
                    if self.approver(journal.run()).is_some() =>
                {
                    self.waiting.go_on(id);
                    let approver = self.approver(journal.run()).cloned();
                    self.ask(journal, id, approver);
                }
                Delay::Approval | Delay::Question { .. } | Delay::External => {
                    self.waiting.go_on(id);
                    self.expect(journal.run(), id);
                }
                Delay::Retry { error } => {
                    let waited = resumed.retried.get(&id).map_or(Duration::ZERO, since);
                    let attempts = journal.run().tries(id);
                    self.under_way.wait(id, attempts, error.retry_after, waited);
                }
                Delay::RateLimit | Delay::StillRunning => journal.signal(Signal::CallResumed(id)),
                Delay::Below { .. } => self.go_on_below(journal, id),
            }
        }
    }

    /// Withdraws the approval requests whose tool has changed since. They are made again: a decision about the old tool
    /// is not one about the new tool.
    fn ask_anew(&mut self, journal: &mut Journal, expired: &BTreeSet<CallId>) {
        let changed = self.waiting.take_changed();
        let is_asked = |(id, why): (CallId, &Delay)| {
            let is_it = *why == Delay::Approval && changed.contains(&id) && !expired.contains(&id);
            is_it.then_some(id)
        };
        let asked: Vec<_> = journal.run().delayed().filter_map(is_asked).collect();
        for id in asked {
            journal.signal(Signal::ApprovalRevoked(id));
        }
    }

    /// An approval holds for the tool that was approved. One that is not there any more runs as an unknown tool, which
    /// does nothing.
    pub(in crate::runner::drive) fn revoke_approvals(&self, journal: &mut Journal) {
        let run = journal.run();
        let is_another = |(id, approved): (CallId, Option<&ToolDefinition>)| {
            let tool = self.definition_of(run, id)?;
            let is_it = approved.is_some_and(|approved| tool.says_as(approved));
            (!is_it).then_some(id)
        };
        let others: Vec<_> = run.approvals().filter_map(is_another).collect();
        for id in others {
            journal.signal(Signal::ApprovalRevoked(id));
        }
    }

    /// The tools of a round that goes on: those that its request offered. One that was not there when the call was recorded,
    /// or did not need an approval or the application then and does now, was another tool: it is not there. Neither is one
    /// that is not granted any more.
    fn tools_of_round(&self, run: &Run, offered: &Toolset) -> Toolset {
        let approvals = self.inner.settings_of(run).calls.approvals;
        let origin = self.context.extension::<CallOrigin>();
        let granted = origin.filter(|_| self.node.is_top());
        let granted = granted.and_then(|origin| origin.granted);
        let granted = granted.unwrap_or(Capabilities::ALL);
        let is_another = |id: &CallId| {
            let (call, then) = (run.call(*id)?, run.policy(*id)?);
            let now = offered.policy(&call.name);
            let asks = approvals.asks(&now) && !then.approval;
            let is_new = then.unknown || asks || now.external && !then.external;
            (is_new || !granted.contains(now.requires)).then(|| call.name.clone())
        };
        let calls = run.calls_under_way();
        let others: BTreeSet<_> = calls.iter().filter_map(is_another).collect();
        offered.filtered(|tool, _| !others.contains(&*tool.name))
    }
}

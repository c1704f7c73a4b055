//! Runs calls: starts them, requests their approvals, and signals to the run what happened to them.

mod below;
mod deciding;
mod resuming;
mod waiting;

use std::{
    mem::replace,
    task::{Context, Poll},
    time::Duration,
};

use super::journal::Journal;
use crate::{
    dispatch::{AttemptEnd, Passage},
    runner::{
        Inner,
        calls::{Calls, Happened},
        control::Inbox,
        run_node::RunNode,
    },
    store::InboxItem,
};
use below::Below;
use toolwright_core::{
    Toolset,
    driver::{TIME_IS_UP, not_executed},
    run::{CallId, Run, Signal},
    tool::{ArgumentChange, CancellationToken, Progress, ToolContext, ToolPolicy, ToolResult},
};
use waiting::Waiting;
pub(super) use waiting::since;

/// The part of a driver that runs calls.
pub(super) struct CallRunner<'a> {
    inner: &'a Inner,
    /// The context that the contexts of the calls are made from.
    context: ToolContext,
    /// The place of the run among the runs of agents in agents.
    node: RunNode,
    /// Tells the calls that they are to stop: when the run is cancelled, and when its time is up.
    stopping: CancellationToken,
    /// The tools that the model was shown last, and those in the place of the ones that it was not.
    tools: Toolset,
    under_way: Calls<'a>,
    /// The calls that wait for people or for the application.
    waiting: Waiting,
    /// The calls that wait for runs below.
    below: Below,
}

impl<'a> CallRunner<'a> {
    /// No calls yet. The token of their context notifies them to stop.
    pub(super) fn new(inner: &'a Inner, context: ToolContext, node: RunNode, inbox: Inbox) -> Self {
        Self {
            under_way: Calls::new(inner, node.grace()),
            inner,
            stopping: context.cancellation(),
            context,
            node,
            tools: Toolset::new(),
            waiting: Waiting::new(inbox),
            below: Below::default(),
        }
    }

    /// The place of the run among the runs of agents in agents.
    pub(super) fn node(&self) -> &RunNode {
        &self.node
    }

    /// Sets the tools that the model is shown.
    pub(super) fn offer(&mut self, tools: Toolset) {
        self.tools = tools;
    }

    /// Takes the settings of the agent that the run is with: the calls of a round are those of one agent.
    pub(super) fn follow(&mut self, run: &Run) {
        self.under_way.follow(self.inner.settings_of(run));
    }

    /// Returns true if there is nothing to wait for but people, the application and runs below.
    pub(super) fn is_idle(&self) -> bool {
        self.under_way.is_idle()
    }

    /// Returns true if nothing but people and the application is waited for, also in the runs below. The task is woken
    /// when that changes below.
    pub(super) fn wait_for_people(&self, cx: &Context<'_>) -> bool {
        self.node.wake_for_waits(cx.waker());
        self.under_way
            .wait_for_people(|call| self.node.waits_below(call))
    }

    /// Returns true if calls are to stop.
    pub(super) fn is_closing(&self) -> bool {
        self.under_way.is_closing()
    }

    /// Returns true if no call runs any more, and none starts any more.
    pub(super) fn are_over(&self) -> bool {
        self.under_way.are_over()
    }

    /// The next thing that happens to a call.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Happened> {
        self.under_way.poll_next(cx)
    }

    /// Lets calls run while something is written. Their ends are handled after that.
    pub(super) fn poll_beside(&mut self, cx: &mut Context<'_>) {
        self.under_way.poll_beside(cx);
    }

    /// What is recorded is written: the attempts start that wait for that.
    pub(super) fn written(&mut self) {
        self.under_way.written();
    }

    /// Tells the calls that run that they are to stop.
    pub(super) fn stop(&self) {
        self.stopping.cancel();
    }

    /// The run is to stop: nothing waits any more, and what runs has its grace.
    pub(super) fn close(&mut self) {
        self.waiting.clear();
        self.under_way.close();
    }

    /// Drops what is under way.
    pub(super) fn abort(&mut self) {
        drop(replace(
            &mut self.under_way,
            Calls::new(self.inner, Duration::ZERO),
        ));
    }

    /// Sets the arguments of a call right that comes up for the first time.
    fn prepare(&mut self, journal: &mut Journal, id: CallId) {
        if let Some(signal) = self.under_way.prepare(&self.tools, journal.run(), id) {
            journal.signal(signal);
        }
    }

    /// Starts a call that its run lets start, or says why it does not.
    pub(super) fn start(&mut self, journal: &mut Journal, id: CallId) {
        self.prepare(journal, id);
        match self.under_way.admit(&self.tools, journal.run(), id) {
            Passage::Open => {
                let failed = journal.run().failed(id).cloned().map(Box::new);
                journal.signal(Signal::CallStarted(id));
                let cx = self.context_of(journal, id);
                let run = journal.run();
                let cx = (&cx, self.may_ask(run));
                if journal.keeper().is_none() {
                    return self.under_way.start(&self.tools, run, id, cx, failed);
                }
                if (self.under_way).start_kept(&self.tools, run, id, cx, failed)
                    && let Some(call) = run.call(id)
                {
                    journal.events().starts_early(id, &call.name);
                }
            }
            Passage::Held(why) => journal.signal(Signal::CallDelayed(id, why)),
            Passage::Closed(error) => journal.signal(Signal::CallRefused(id, error)),
        }
    }

    /// The context that the contexts of the calls are made from. An agent has its own extensions, and those of the run that
    /// it does not set.
    pub(super) fn context_of_agent(&self, run: &Run) -> ToolContext {
        match run
            .other_agent()
            .and_then(|name| self.inner.agents.find(name))
        {
            None => self.context.clone(),
            Some(agent) => {
                let own = agent.context.clone();
                let own = own.with_missing(&agent.inner.calls.extensions);
                self.context.clone().with_replaced(own.extensions())
            }
        }
    }

    /// Returns the context of a call: that of the application, with the run's handle for progress.
    fn context_of(&self, journal: &Journal, id: CallId) -> ToolContext {
        let (run, events) = (journal.run(), journal.events().clone());
        let heard = Progress::new(move |update| events.update(id, update));
        let progress = match run.other_agent() {
            // Whoever reads the events redacts what the runner of the run says.
            None => heard,
            Some(_) => self.inner.settings_of(run).calls.output.progress(heard),
        };
        self.context_of_agent(run).with_progress(progress)
    }

    /// The policy of a call that the model makes. The tool that takes the answer does nothing that could be approved.
    pub(super) fn policy(&self, journal: &Journal, name: &str, takes_answer: bool) -> ToolPolicy {
        let mut policy = self.tools.policy(name);
        // The run of a sub-agent is kept where this one is.
        policy.resumes &= journal.keeper().is_some();
        // Nobody is asked about a tool that is not there.
        match self.tools.find(name) {
            Some(_) if takes_answer => policy,
            Some(_) => {
                let agent = self.inner.settings_of(journal.run());
                agent.calls.approvals.applied(policy)
            }
            None => policy.with_unknown(),
        }
    }

    /// Tells the run how an attempt has ended. The time of the run may be up.
    pub(super) fn finished(
        &mut self,
        journal: &mut Journal,
        id: CallId,
        mut end: AttemptEnd,
        is_late: bool,
    ) {
        (self.under_way).keep_still_running(&self.tools, journal.run(), id, &mut end);
        if self.waits_below(journal, id) || self.asks(journal, id, end.asks.take()) {
            return;
        }
        let outcome = if is_late && !end.has_run {
            Err(Box::new(not_executed(TIME_IS_UP)))
        } else {
            end.outcome
        };
        let error = outcome.as_ref().err();
        let hint = error.and_then(|error| error.retry_after);
        let mut result = ToolResult::of("", outcome);
        let run = journal.run();
        if run.is_edited(id)
            && let (Some(call), Some(policy)) = (run.call(id), run.policy(id))
        {
            result = if end.has_run {
                // The text about them for the model leaves the call as well.
                let arguments = call.arguments.clone();
                let output = &self.inner.settings_of(run).calls.output;
                result.with_edited(&output.reason(policy, arguments))
            } else {
                // It ran with no arguments at all.
                result.with_changes(vec![ArgumentChange::edited()])
            };
        }
        let attempts = run.tries(id);
        match self.node.spent_by(id) {
            None => journal.signal(Signal::CallFinished(id, result)),
            Some(spent) => {
                journal.signal(Signal::AgentFinished {
                    call: id,
                    result,
                    spent: Box::new(spent),
                });
                self.node.note(journal.run());
            }
        }
        if journal.run().is_delayed(id) {
            self.under_way.wait(id, attempts, hint, Duration::ZERO);
        }
    }

    /// Takes an item that is for a run below.
    pub(super) fn take_for_below(&mut self, item: InboxItem) {
        self.below.push(item);
    }
}

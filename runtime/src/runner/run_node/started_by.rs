//! The call that starts the run of a sub-agent.

use std::time::Duration;

use super::{MAX_DEPTH, RunNode};
use crate::runner::{RunControl, control::Inbox, keeper::Around, queue::EventQueue};
use toolwright_core::{
    driver::CallPlace,
    run::{AgentCall, CallId, CallSpent, Limit, PendingCall, RunConfig, RunId},
    tool::ToolContext,
};

/// The call that starts the run of a sub-agent. It is an extension of the context of that run.
#[derive(Clone)]
pub(in crate::runner) struct StartedBy {
    /// The run of the call; `None` if it belongs to no run.
    pub(super) above: Option<RunNode>,
    pub(super) call: CallId,
    /// The number of the run among those that the call has started.
    pub(super) number: u64,
    /// The names of the sub-agents down to this run.
    pub(super) names: Vec<String>,
    /// The time that the run may take, if the call has such a time.
    timeout: Option<Duration>,
}

/// The reason why a sub-agent does not start.
pub(in crate::runner) enum NotStarted {
    /// It is below as many as there may be, with these names.
    TooDeep(Vec<String>),
    /// Its call waits for another suspended run, and starts again when that is resumed.
    Waits,
}

/// A run below that is under way. One that is dropped before it is over is left in the store.
pub(in crate::runner) struct Under<'a> {
    by: &'a StartedBy,
    pub(in crate::runner) is_over: bool,
}

impl Drop for Under<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.by.nodes_above().for_each(RunNode::leave);
        }
    }
}

/// The control of a run below, which is removed when the run ends.
pub(in crate::runner) struct InboxLink {
    inbox: Inbox,
    run: RunId,
}

impl Drop for InboxLink {
    fn drop(&mut self) {
        self.inbox.remove_below(&self.run);
    }
}

impl StartedBy {
    /// The start of a sub-agent of this name by a call; the reason if it is not to start.
    pub(in crate::runner) fn call(
        cx: &ToolContext,
        name: &str,
        timeout: Option<Duration>,
    ) -> Result<Self, NotStarted> {
        let above = cx.extension::<RunNode>().cloned();
        let mut names = above.as_ref().map_or(&[][..], RunNode::names).to_vec();
        if names.len() >= MAX_DEPTH {
            return Err(NotStarted::TooDeep(names));
        }
        names.push(name.to_owned());
        let call = call_of(cx);
        let number = match &above {
            Some(above) => above.lock().number_of(call).ok_or(NotStarted::Waits)?,
            None => 0,
        };
        Ok(Self {
            above,
            call,
            number,
            names,
            timeout,
        })
    }

    /// Returns true if the call belongs to a run.
    pub(in crate::runner) fn is_of_run(&self) -> bool {
        self.above.is_some()
    }

    /// The id of the run: it follows from the run above and the call, so that it is the same after that was resumed.
    pub(in crate::runner) fn run_id(&self) -> Option<RunId> {
        let (above, name) = (self.above.as_ref()?, self.names.last()?);
        let (run, call) = (&above.0.id, self.call);
        Some(RunId::new(match self.number {
            0 => format!("{run}.{call}.{name}"),
            number => format!("{run}.{call}.{name}.{number}"),
        }))
    }

    /// The run above and the call, and the run at the top.
    pub(in crate::runner) fn origin(&self) -> Option<(&RunId, CallId, &RunId)> {
        let top = self.nodes_above().last()?;
        Some((&self.above.as_ref()?.0.id, self.call, &top.0.id))
    }

    /// What keeps the run, if the run above is kept.
    pub(in crate::runner) fn kept(&self) -> Option<&Around> {
        self.above.as_ref()?.0.kept.as_ref()
    }

    /// Counts what a run has spent that is over already.
    pub(in crate::runner) fn count(&self, spent: CallSpent) {
        if let Some(above) = &self.above {
            let key = (self.call, self.number);
            above.lock().below.insert(key, spent);
            above.tell_above();
        }
    }

    /// Says that the run is under way until what is returned is dropped.
    pub(in crate::runner) fn under(&self) -> Under<'_> {
        Under {
            by: self,
            is_over: false,
        }
    }

    /// Lets others speak to the run through the control of the run above, for as long as what is returned is there.
    pub(in crate::runner) fn lend(&self, control: RunControl) -> Option<InboxLink> {
        let inbox = self.above.as_ref()?.0.inbox.clone();
        let run = control.id().clone();
        inbox.add_below(control);
        Some(InboxLink { inbox, run })
    }

    /// The events of the run of the call, and the call.
    pub(in crate::runner) fn events(&self) -> Option<(EventQueue, CallId)> {
        let above = self.above.as_ref()?;
        Some((above.0.events.clone(), self.call))
    }

    /// The limit that the run shares and that is reached before its first request.
    pub(in crate::runner) fn limit_reached(&self) -> Option<Limit> {
        self.limit_above(0)
    }

    /// The settings of the run, within what is left of those above.
    pub(in crate::runner) fn bound(&self, mut config: RunConfig) -> RunConfig {
        let limits = &mut config.limits;
        limits.max_time = least(limits.max_time, self.timeout);
        for node in self.nodes_above() {
            let (spent, reserve) = node.spent();
            let tokens = node.0.limits.max_tokens;
            let tokens =
                tokens.map(|max| max.saturating_sub(spent.tokens()).saturating_sub(reserve));
            limits.max_tokens = least(limits.max_tokens, tokens);
            let calls = node.0.limits.max_tool_calls;
            let calls = calls.map(|max| max.saturating_sub(spent.tool_calls));
            limits.max_tool_calls = least(limits.max_tool_calls, calls);
            let cost = node.0.limits.max_cost;
            limits.max_cost = least(limits.max_cost, cost.map(|max| max.less(spent.cost)));
            if config.prices.is_empty() {
                config.prices.clone_from(&node.0.prices);
            }
        }
        config
    }

    /// The limit of a run above that is reached, where a request takes about so many tokens.
    pub(super) fn limit_above(&self, tokens: u64) -> Option<Limit> {
        self.nodes_above()
            .find_map(|node| node.limit_reached(tokens))
    }

    /// Returns true if no run was started by the call before, as far as this process knows.
    pub(in crate::runner) fn is_first(&self) -> bool {
        self.number == 0
    }

    /// Says that the run, of this id, is suspended since these calls wait. The call waits with it, if the runs are kept.
    pub(in crate::runner) fn suspended(&self, run_id: &RunId, pending: Vec<PendingCall>) {
        let (Some(above), Some(_), Some(agent)) = (&self.above, self.kept(), self.names.last())
        else {
            return;
        };
        let step = AgentCall::new(self.call, agent.clone(), run_id.clone());
        let pending = pending.into_iter().map(|mut pending| {
            pending.path.insert(0, step.clone());
            pending
        });
        let mut spending = above.lock();
        spending
            .waiting
            .entry(self.call)
            .or_default()
            .extend(pending);
    }

    /// The runs above, from the nearest on.
    pub(super) fn nodes_above(&self) -> impl Iterator<Item = &RunNode> {
        std::iter::successors(self.above.as_ref(), |node| {
            node.0.started_by.as_ref()?.above.as_ref()
        })
    }
}

fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// The id of a call in its run.
fn call_of(cx: &ToolContext) -> CallId {
    let CallPlace { round, index, .. } = cx.place();
    CallId { round, index }
}

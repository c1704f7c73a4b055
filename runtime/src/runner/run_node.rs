//! The place of a run in the tree of runs: a run, and those of the sub-agents that its calls start.

mod waiting;

use std::sync::atomic::{AtomicBool, Ordering};
use std::{
    collections::BTreeMap,
    sync::{Arc, MutexGuard},
    time::Duration,
};

use super::{RunControl, control::Inbox, queue::EventQueue};
use crate::{CallOptions, dispatch::Approver};
use toolwright_core::{
    driver::{CallPlace, Mutex},
    run::{CallId, CallSpent, Limit, Limits, PendingCall, PriceTable, Run, RunConfig, RunId},
    tool::ToolContext,
};

/// The depth at which no call of a sub-agent runs any more. A run that no call has started has the depth 0.
pub(super) const MAX_DEPTH: usize = 5;

/// The place of a run in its tree. It is an extension of the contexts of its calls.
#[derive(Clone)]
pub(super) struct RunNode(Arc<Node>);

struct Node {
    /// The call that has started the run, if it is that of a sub-agent.
    started_by: Option<StartedBy>,
    id: RunId,
    limits: Limits,
    prices: PriceTable,
    /// The time that the calls of the run have to end when they are to stop.
    grace: Duration,
    /// The approver of its calls, and of the runs below whose runners have none.
    approver: Option<Arc<dyn Approver>>,
    /// The inbox of the run, with the controls of the runs below.
    inbox: Inbox,
    /// The events of the run, among which are those of the runs below.
    events: EventQueue,
    spending: Mutex<Spending>,
    /// What keeps the runs below, if the run is kept.
    kept: Option<super::keeper::Around>,
    /// True if the store may have an unfinished run below without a driver.
    has_left: AtomicBool,
}

/// A run below that is under way. One that is dropped before it is over is left in the store.
pub(super) struct Under<'a> {
    by: &'a StartedBy,
    pub(super) is_over: bool,
}

impl Drop for Under<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.by.nodes_above().for_each(RunNode::leave);
        }
    }
}

/// The control of a run below, which is removed when the run ends.
pub(super) struct InboxLink {
    inbox: Inbox,
    run: RunId,
}

impl Drop for InboxLink {
    fn drop(&mut self) {
        self.inbox.remove_below(&self.run);
    }
}

/// What is spent in a run and below it.
#[derive(Default)]
struct Spending {
    /// By the run itself, and by the calls of sub-agents that have their result.
    own: CallSpent,
    /// The tokens of its latest request.
    latest: u64,
    /// By each run below that a call has started which has no result.
    below: BTreeMap<(CallId, u64), CallSpent>,
    /// The number of runs that each call has started.
    started: BTreeMap<CallId, u64>,
    /// The calls that wait in suspended runs below, by the call that has started these.
    waiting: BTreeMap<CallId, Vec<PendingCall>>,
}

/// The call that starts the run of a sub-agent. It is an extension of the context of that run.
#[derive(Clone)]
pub(super) struct StartedBy {
    /// The run of the call; `None` if it belongs to no run.
    above: Option<RunNode>,
    call: CallId,
    /// The number of the run among those that the call has started.
    number: u64,
    /// The names of the sub-agents down to this run.
    names: Vec<String>,
    /// The time that the run may take, if the call has such a time.
    timeout: Option<Duration>,
}

/// The reason why a sub-agent does not start.
pub(super) enum NotStarted {
    /// It is below as many as there may be, with these names.
    TooDeep(Vec<String>),
    /// Its call waits for another suspended run, and starts again when that is resumed.
    Waits,
}

impl StartedBy {
    /// The start of a sub-agent of this name by a call; the reason if it is not to start.
    pub(super) fn call(
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

    /// The id of the run: it follows from the run above and the call, so that it is the same after that was resumed.
    pub(super) fn run_id(&self) -> Option<RunId> {
        let (above, name) = (self.above.as_ref()?, self.names.last()?);
        let (run, call) = (&above.0.id, self.call);
        Some(RunId::new(match self.number {
            0 => format!("{run}.{call}.{name}"),
            number => format!("{run}.{call}.{name}.{number}"),
        }))
    }

    /// The run above and the call, and the run at the top.
    pub(super) fn origin(&self) -> Option<(&RunId, CallId, &RunId)> {
        let top = self.nodes_above().last()?;
        Some((&self.above.as_ref()?.0.id, self.call, &top.0.id))
    }

    /// What keeps the run, if the run above is kept.
    pub(super) fn kept(&self) -> Option<&super::keeper::Around> {
        self.above.as_ref()?.0.kept.as_ref()
    }

    /// Counts what a run has spent that is over already.
    pub(super) fn count(&self, spent: CallSpent) {
        if let Some(above) = &self.above {
            let key = (self.call, self.number);
            above.lock().below.insert(key, spent);
            above.tell_above();
        }
    }

    /// Says that the run is under way until what is returned is dropped.
    pub(super) fn under(&self) -> Under<'_> {
        Under {
            by: self,
            is_over: false,
        }
    }

    /// Lets others speak to the run through the control of the run above, for as long as what is returned is there.
    pub(super) fn lend(&self, control: RunControl) -> Option<InboxLink> {
        let inbox = self.above.as_ref()?.0.inbox.clone();
        let run = control.id().clone();
        inbox.add_below(control);
        Some(InboxLink { inbox, run })
    }

    /// The events of the run of the call, and the call.
    pub(super) fn events(&self) -> Option<(EventQueue, CallId)> {
        let above = self.above.as_ref()?;
        Some((above.0.events.clone(), self.call))
    }

    /// The limit that the run shares and that is reached before its first request.
    pub(super) fn limit_reached(&self) -> Option<Limit> {
        self.limit_above(0)
    }

    /// The settings of the run, within what is left of those above.
    pub(super) fn bound(&self, mut config: RunConfig) -> RunConfig {
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
    fn limit_above(&self, tokens: u64) -> Option<Limit> {
        self.nodes_above()
            .find_map(|node| node.limit_reached(tokens))
    }

    /// The runs above, from the nearest on.
    fn nodes_above(&self) -> impl Iterator<Item = &RunNode> {
        std::iter::successors(self.above.as_ref(), |node| {
            node.0.started_by.as_ref()?.above.as_ref()
        })
    }
}

impl RunNode {
    /// The place of a run that begins or goes on. Its context says who has started it.
    pub(super) fn of(
        context: &ToolContext,
        run: &Run,
        calls: &CallOptions,
        (events, inbox): (EventQueue, Inbox),
    ) -> Self {
        let started_by = context.extension::<StartedBy>().cloned();
        let above = started_by.as_ref().and_then(|by| by.above.as_ref());
        let config = run.config();
        Self(Arc::new(Node {
            id: run.id().clone(),
            limits: config.limits,
            prices: config.prices.clone(),
            // The run that is notified first ends first, and its end is handled.
            grace: above.map_or(calls.grace, |above| calls.grace.min(above.0.grace / 4 * 3)),
            approver: (calls.approver.clone()).or_else(|| above?.0.approver.clone()),
            inbox,
            events,
            spending: Mutex::default(),
            kept: None,
            has_left: AtomicBool::new(false),
            started_by,
        }))
    }

    /// The same place, of a run that is kept so.
    pub(super) fn kept_as(self, kept: Option<super::keeper::Around>) -> Self {
        let node = Arc::into_inner(self.0).map(|node| Node { kept, ..node });
        Self(Arc::new(node.expect("nobody else has it yet")))
    }

    /// Who decides about the calls of the run.
    pub(super) fn approver(&self) -> Option<&Arc<dyn Approver>> {
        self.0.approver.as_ref()
    }

    /// The time that the calls of the run have to end when they are to stop.
    pub(super) fn grace(&self) -> Duration {
        self.0.grace
    }

    /// Says that a run below may be left in the store.
    pub(super) fn leave(&self) {
        self.0.has_left.store(true, Ordering::SeqCst);
    }

    /// Returns true if a run below may be left in the store.
    pub(super) fn has_left(&self) -> bool {
        self.0.has_left.load(Ordering::SeqCst)
    }

    /// Returns true if no call has started the run.
    pub(super) fn is_top(&self) -> bool {
        let by = self.0.started_by.as_ref();
        by.is_none_or(|by| by.above.is_none())
    }

    /// The names of the sub-agents down to this run.
    fn names(&self) -> &[String] {
        self.0.started_by.as_ref().map_or(&[], |by| &by.names)
    }

    /// Takes note of what the run has spent. The sub-agents of calls that have their result are among that.
    pub(super) fn note(&self, run: &Run) {
        {
            let mut spending = self.lock();
            spending.own = run.spent_in_all();
            spending.latest = run.latest_tokens();
            spending.below.retain(|(call, _), _| !run.has_result(*call));
        }
        self.tell_above();
    }

    /// What the sub-agents have spent that a call has started, if it has started any.
    pub(super) fn spent_by(&self, call: CallId) -> Option<CallSpent> {
        let spending = self.lock();
        let mut all = spending.below.iter().filter(|((by, _), _)| *by == call);
        let mut sum = all.next()?.1.clone();
        all.for_each(|(_, spent)| sum.add(spent));
        Some(sum)
    }

    /// The limit of a run above that is reached, which this run shares.
    pub(super) fn shared_limit(&self) -> Option<Limit> {
        let started_by = self.0.started_by.as_ref()?;
        let latest = self.lock().latest;
        started_by.limit_above(latest)
    }

    fn limit_reached(&self, tokens: u64) -> Option<Limit> {
        let (limits, (spent, reserve)) = (&self.0.limits, self.spent());
        let tokens = spent
            .tokens()
            .saturating_add(reserve)
            .saturating_add(tokens);
        if let Some(max) = limits.max_tokens.filter(|max| tokens >= *max) {
            return Some(Limit::Tokens { max });
        }
        if let Some(max) = limits.max_cost.filter(|max| spent.cost >= *max) {
            return Some(Limit::Cost { max });
        }
        let max = (limits.max_tool_calls).filter(|max| spent.tool_calls >= *max)?;
        Some(Limit::ToolCalls { max })
    }

    /// What is spent in the run and below it, and the tokens that it keeps for its own answer.
    fn spent(&self) -> (CallSpent, u64) {
        let spending = self.lock();
        let reserve = self.0.limits.answer_tokens.unwrap_or(spending.latest);
        (spending.sum(), reserve)
    }

    fn tell_above(&self) {
        let Some(by) = &self.0.started_by else {
            return;
        };
        if let Some(above) = &by.above {
            let sum = self.lock().sum();
            above.lock().below.insert((by.call, by.number), sum);
            above.tell_above();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Spending> {
        self.0.spending.lock()
    }
}

impl Spending {
    /// The number of the next run that a call starts; `None` if the call waits with one that is suspended.
    fn number_of(&mut self, call: CallId) -> Option<u64> {
        if self.waiting.contains_key(&call) {
            return None;
        }
        let next = self.started.entry(call).or_default();
        *next += 1;
        Some(*next - 1)
    }

    fn sum(&self) -> CallSpent {
        let mut sum = self.own.clone();
        self.below.values().for_each(|spent| sum.add(spent));
        sum
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

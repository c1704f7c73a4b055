//! The place of a run in the tree of runs: a run, and those of the sub-agents that its calls start.

mod started_by;
mod waiting;

use std::sync::atomic::{AtomicBool, Ordering};
use std::{
    collections::BTreeMap,
    sync::{Arc, MutexGuard},
    task::Waker,
    time::Duration,
};

use super::{CallOrigin, control::Inbox, queue::EventQueue};
use crate::{CallOptions, dispatch::Approver};
pub(super) use started_by::{NotStarted, StartedBy};
use toolwright_core::{
    driver::Mutex,
    run::{CallId, CallSpent, Limit, Limits, PendingCall, PriceTable, Run, RunId},
    tool::ToolContext,
};
pub(super) use waiting::Waits;

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
    /// The runs below that are under way, and whether each waits for nothing but people.
    people: BTreeMap<(CallId, u64), bool>,
    /// Who looks at that.
    driver: Option<Waker>,
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
        let origin = context.extension::<CallOrigin>();
        let origin = origin.filter(|_| above.is_none());
        let config = run.config();
        Self(Arc::new(Node {
            id: run.id().clone(),
            limits: config.limits,
            prices: config.prices.clone(),
            // The run that is notified first ends first, and its end is handled.
            grace: above.map_or(calls.grace, |above| calls.grace.min(above.0.grace / 4 * 3)),
            approver: (calls.approver.clone())
                .or_else(|| above?.0.approver.clone())
                .or_else(|| origin?.approver.clone()),
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

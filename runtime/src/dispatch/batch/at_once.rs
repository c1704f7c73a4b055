//! Calls that end when they are polled first, which needs nothing of what a batch needs for calls that wait.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    task::Poll,
};

use futures_util::future::Either;

use super::{Attempt, Batch, Beginning, Tools, reader::Results, tools::Entry};
use crate::{
    budget::Budget,
    dispatch::{AbortSignal, AttemptEnd, AttemptStart, DispatchOptions, Ending, Time},
};
use toolwright_core::{
    Leniency,
    driver::CallPlace,
    tool::{ToolCall, ToolPolicy, ToolResult},
};

/// Runs the calls of a batch and gives their results, in the order of the calls.
///
/// Most calls never wait. As long as each ends when it is polled first, no other one runs beside it: there is nothing to
/// schedule, to wake or to hold back. The first call for which that is not so goes on in a [`Batch`], and so do all
/// after it.
///
/// # Cancel safety
///
/// Dropping the future stops async calls where they wait.
pub(in crate::dispatch) async fn results<'a, S, F>(
    calls: &'a [ToolCall],
    options: &'a DispatchOptions,
    ending: &'a Ending,
    tools: Tools<'a>,
    start: S,
) -> Vec<ToolResult>
where
    S: Fn(Attempt<'a>) -> F,
    F: Future<Output = AttemptEnd>,
{
    let beginning = Beginning::new(options, AbortSignal::Lent(ending));
    let mut results = Results::new(calls.len());
    let mut named: Option<(&str, Entry<'_>)> = None;
    // Calls that never wait must not keep other tasks waiting.
    let mut budget = Budget::new();
    for (index, call) in calls.iter().enumerate() {
        // Calls that are made at once are often those of one tool.
        let entry = match named {
            Some((name, entry)) if name == call.name => entry,
            _ => tools.of(call),
        };
        named = Some((&call.name, entry));
        if !beginning.may_end_at_once(options, entry) {
            break;
        }
        let mut work = pin!(start(beginning.attempt(options, entry, index)));
        match poll_fn(|cx| Poll::Ready(work.as_mut().poll(cx))).await {
            Poll::Ready(end) if is_last(&end, entry.policy) => {
                results.put(index, ToolResult::of(call.id.as_str(), end.outcome));
            }
            polled => {
                let start = |attempt| Either::Right(start(attempt));
                let mut batch = Batch::new(calls, options, tools, start, beginning);
                batch.go_on_after(results);
                batch.schedule.start();
                match polled {
                    Poll::Ready(end) => batch.ended(index, end),
                    Poll::Pending => batch.running.adopt(index, Either::Left(work)),
                }
                return batch.results().await;
            }
        }
        budget.step().await;
    }
    if results.len() == calls.len() {
        return results.into_all();
    }
    let mut batch = Batch::new(calls, options, tools, start, beginning);
    batch.go_on_after(results);
    batch.results().await
}

/// Returns true if no other attempt follows, and nothing of this one runs on.
fn is_last(end: &AttemptEnd, policy: &ToolPolicy) -> bool {
    let again = |error| policy.retries_after(error, 1);
    end.still_running.is_none() && !end.outcome.as_ref().is_err_and(|error| again(error))
}

impl<'a> Beginning<'a> {
    /// Returns true if a call starts now, without a look at its arguments and without asking anybody.
    #[inline]
    fn may_end_at_once(&self, options: &DispatchOptions, entry: Entry<'_>) -> bool {
        let is_bounded = self.deadline.is_some() || options.calls.leniency != Leniency::Off;
        let is_held = entry.asks || entry.policy.rate_limit.is_some();
        !is_bounded && !is_held && !options.context.is_cancelled()
    }

    #[inline]
    fn attempt(&self, options: &DispatchOptions, entry: Entry<'a>, index: usize) -> Attempt<'a> {
        let place = CallPlace {
            round: options.context.round(),
            index: u32::try_from(index).unwrap_or(u32::MAX),
            attempt: 1,
        };
        let mut cx = self.context.of_call(place);
        if options.is_heard() {
            cx = cx.with_progress(|others| options.progress(index, others));
        }
        Attempt {
            index,
            tool: entry.tool,
            edited: None,
            policy: entry.policy,
            start: AttemptStart {
                cx,
                time: Time::new(options.calls.timeout_of(entry.policy), &self.abort),
                failed: None,
            },
        }
    }
}

//! Executes a batch of calls in parallel.

use std::{future::Future, pin::pin};

use futures_util::{
    StreamExt,
    future::{Either, select},
    stream::FuturesUnordered,
};

use super::{Executed, interrupted};
use crate::{
    CallState, Schedule,
    conversation::not_executed,
    tool::{CancellationToken, Effects, ToolCall, ToolResult},
};

/// Starts calls as the schedule allows and gives their results in the order of the calls.
///
/// The calls are polled in place, within the caller's task: nothing outlives the returned future but
/// what blocks a thread.
pub(super) async fn run<F>(
    calls: &[ToolCall],
    mut schedule: Schedule,
    cancellation: &CancellationToken,
    start: impl Fn(usize) -> F,
    effects: impl Fn(usize) -> Effects,
) -> Vec<ToolResult>
where
    F: Future<Output = Executed>,
{
    let start = &start;
    let mut running = FuturesUnordered::new();
    // In the order in which they finish, so that calls that wait take no room here.
    let mut finished: Vec<(usize, Executed)> = Vec::new();
    let mut cancelled = pin!(cancellation.cancelled());
    if cancellation.is_cancelled() {
        cancel(&mut schedule, &mut finished, &effects);
    }
    while !schedule.is_finished() {
        while let Some(index) = schedule.start() {
            running.push(async move { (index, start(index).await) });
        }
        match select(running.next(), &mut cancelled).await {
            Either::Left((Some((index, outcome)), _)) => {
                schedule.finish(index);
                finished.push((index, outcome));
            }
            Either::Left((None, _)) => {
                unreachable!("a schedule that is not finished has a call that runs or may start")
            }
            Either::Right(((), _)) => {
                running.clear();
                cancel(&mut schedule, &mut finished, &effects);
            }
        }
    }
    finished.sort_unstable_by_key(|(index, _)| *index);
    finished
        .into_iter()
        .map(|(index, executed)| executed.into_result(calls[index].id.as_str()))
        .collect()
}

/// Answers every call that has not finished.
fn cancel(
    schedule: &mut Schedule,
    finished: &mut Vec<(usize, Executed)>,
    effects: impl Fn(usize) -> Effects,
) {
    let open = |state| schedule.in_state(state).collect::<Vec<_>>();
    let (running, waiting) = (open(CallState::Running), open(CallState::Waiting));
    finished.extend(
        running
            .iter()
            .map(|&index| (index, Err(interrupted(effects(index))).into())),
    );
    let never_ran = waiting
        .iter()
        .map(|&index| (index, Err(not_executed("the batch was cancelled")).into()));
    finished.extend(never_ran);
    running
        .into_iter()
        .chain(waiting)
        .for_each(|index| schedule.finish(index));
}

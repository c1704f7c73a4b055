//! The beginning of a run in a store, which may have to wait for its conversation.

use std::{future::pending, pin::pin, time::Duration};

use futures_util::{
    FutureExt,
    future::{Either, select},
};

use super::Opened;
use crate::{
    dispatch::wait,
    runner::{
        Inner,
        keeper::{NewKeeper, Turn, until_given_up},
        typed_answer::AnswerType,
    },
};
use toolwright_core::{
    Conversation, UserMessage,
    run::{Failure, Run, RunConfig, RunId, RunOutcome, Signal, StoreError, StoreErrorKind},
    tool::{CancellationToken, ToolContext},
};

/// How often a conversation that others change meanwhile is loaded again.
const RELOADS: usize = 10;

/// The wait before a store is asked again that could not be reached.
const PAUSE: Duration = Duration::from_millis(500);

/// Begins a run, in its turn.
pub(super) async fn begin(
    inner: &Inner,
    mut keeper: NewKeeper,
    (id, config): (RunId, RunConfig),
    (given, input, answer): (Conversation, UserMessage, Option<AnswerType>),
    context: &ToolContext,
) -> Result<Opened, Box<RunOutcome>> {
    let (turn, mut reloads, mut has_waited) = (keeper.turn(), RELOADS, false);
    let cancellation = &context.cancellation();
    // The run before, if its driver was gone and this one has tried to go on with it.
    let mut tried = None;
    let start = |conversation| Run::start(id.clone(), config.clone(), conversation, input.clone());
    let stop = Stop {
        cancellation,
        time: config.limits.max_time,
        grace: inner.calls.grace,
    };
    loop {
        let Some(freed) = in_turn(turn.as_ref(), cancellation).await else {
            return Err(Box::new(cancelled(start(given).0)));
        };
        // What the run before has saved is loaded when it is over.
        let conversation = keeper.conversation(given.clone());
        let conversation = match stop.answer(conversation).await {
            Ok(conversation) => conversation,
            // It has waited for its turn, perhaps for days.
            Err(error) if has_waited && error.kind == StoreErrorKind::Unavailable => {
                match unless_cancelled(wait(PAUSE), cancellation).await {
                    Some(()) => continue,
                    None => return Err(Box::new(cancelled(start(given).0))),
                }
            }
            Err(error) => return Err(Box::new(start(given).0.lost(Failure::Store(error)))),
        };
        let (run, log) = start(conversation);
        match (stop.answer(keeper.create(&log)).await, &turn) {
            (Ok(keeper), _) => return Ok(Opened::new(run, log, Some(keeper), answer)),
            (Err(busy), turn) if busy.kind == StoreErrorKind::ConversationBusy => {
                has_waited = turn.is_some();
                let taken = keeper.take_over(&busy, &mut tried);
                match (unless_cancelled(taken, cancellation).await, turn) {
                    (None, _) => return Err(Box::new(cancelled(run))),
                    (Some(true), _) => {}
                    (Some(false), None) => {
                        return Err(Box::new(run.lost(Failure::Store(busy))));
                    }
                    (Some(false), Some(turn)) => {
                        let free = keeper.until_free((turn, freed), &busy, &mut tried);
                        if unless_cancelled(free, cancellation).await.is_none() {
                            return Err(Box::new(cancelled(run)));
                        }
                    }
                }
            }
            (Err(error), _) if error.kind == StoreErrorKind::Outdated && reloads > 0 => {
                reloads -= 1;
            }
            (Err(error), _) => {
                // What the store has refused was not created. Another driver may have created a run of this id.
                let may_be_there = error.kind == StoreErrorKind::Unavailable;
                if may_be_there && cancellation.is_cancelled() {
                    keeper.leave_cancel().await;
                }
                return Err(Box::new(run.lost(Failure::Store(error))));
            }
        }
    }
}

/// Waits for the turn of a run, and says how often its conversation was freed by then. It gives `None` if the run is
/// cancelled before that.
async fn in_turn(turn: Option<&Turn>, cancellation: &CancellationToken) -> Option<u64> {
    let Some(turn) = turn else {
        return Some(0);
    };
    unless_cancelled(turn.is_first(), cancellation).await?;
    Some(turn.freed())
}

/// When a run stops to wait for the first answers of its store.
struct Stop<'a> {
    cancellation: &'a CancellationToken,
    /// The time limit of the run, which also each of these answers has.
    time: Option<Duration>,
    grace: Duration,
}

impl Stop<'_> {
    /// The answer of the store, which a run that is to stop waits for as long as its calls would have to end.
    async fn answer<T>(
        &self,
        answer: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let is_late = async {
            match self.time {
                Some(time) => wait(time).await,
                None => pending().await,
            }
        };
        let is_to_stop = unless_cancelled(is_late, self.cancellation).map(drop);
        until_given_up(answer, is_to_stop, self.grace).await
    }
}

pub(super) async fn unless_cancelled<T>(
    wait: impl Future<Output = T>,
    cancellation: &CancellationToken,
) -> Option<T> {
    match select(pin!(wait), pin!(cancellation.cancelled())).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(_) => None,
    }
}

/// The outcome of a run that was cancelled before it began.
pub(super) fn cancelled(mut run: Run) -> RunOutcome {
    run.handle_unread(Signal::Cancel);
    let outcome = run.into_outcome();
    outcome.expect("a run that is cancelled is over when its calls are, and it has none")
}

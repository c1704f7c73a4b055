//! The beginning of a run in a store, which may have to wait for its conversation.

use std::{pin::pin, time::Duration};

use futures_util::future::{Either, select};

use super::{Opened, bound};
use crate::{
    dispatch::wait,
    runner::{
        Inner,
        keeper::{NewKeeper, Turn},
        typed::AnswerType,
    },
};
use toolwright_core::{
    Conversation, UserMessage,
    run::{Failure, Run, RunId, RunOutcome, Signal, StoreErrorKind},
    tool::{CancellationToken, ToolContext},
};

/// How often a conversation is loaded anew that others change meanwhile.
const RELOADS: usize = 10;

/// The wait before a store is asked again that could not be reached.
const PAUSE: Duration = Duration::from_millis(500);

/// Begins a run, in its turn.
pub(super) async fn begin(
    inner: &Inner,
    mut keeper: NewKeeper,
    id: RunId,
    (given, input, answer): (Conversation, UserMessage, Option<AnswerType>),
    context: &ToolContext,
) -> Result<Opened, Box<RunOutcome>> {
    let (turn, mut reloads, mut has_waited) = (keeper.turn(), RELOADS, false);
    let (config, cancellation) = (
        bound(inner.run_config(answer.as_ref()), context),
        context.cancellation(),
    );
    // The run before, if its driver was gone and this one has tried to go on with it.
    let mut tried = None;
    let start = |conversation| Run::start(id.clone(), config.clone(), conversation, input.clone());
    loop {
        let Some(freed) = in_turn(turn.as_ref(), cancellation).await else {
            return Err(Box::new(cancelled(start(given).0)));
        };
        // What the run before has saved is loaded when it is over.
        let conversation = match keeper.conversation(given.clone()).await {
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
        match (keeper.create(&log).await, &turn) {
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
            (Err(error), _) => return Err(Box::new(run.lost(Failure::Store(error)))),
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

async fn unless_cancelled<T>(
    wait: impl Future<Output = T>,
    cancellation: &CancellationToken,
) -> Option<T> {
    match select(pin!(wait), pin!(cancellation.cancelled())).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(_) => None,
    }
}

/// The outcome of a run that was cancelled before it began.
fn cancelled(mut run: Run) -> RunOutcome {
    run.handle_unread(Signal::Cancel);
    let outcome = run.into_outcome();
    outcome.expect("a run that is cancelled is over when its calls are, and it has none")
}

//! The beginning of a run in a store, which may have to wait for its conversation.

use std::pin::pin;

use futures_util::future::{Either, select};

use super::Opened;
use crate::{
    Conversation, UserMessage,
    run::{Record, Run, RunId, RunOutcome, Signal, StoreError, StoreErrorKind},
    runner::{
        Inner,
        keeper::{Keeper, NewKeeper, Turn},
    },
    tool::CancellationToken,
};

/// How often a conversation is loaded anew that others change meanwhile.
const RELOADS: usize = 10;

/// Begins a run.
pub(super) async fn begin(
    inner: &Inner,
    mut keeper: NewKeeper,
    id: RunId,
    given: Conversation,
    input: UserMessage,
    cancellation: &CancellationToken,
) -> Result<Opened, Box<RunOutcome>> {
    let (turn, mut reloads) = (keeper.turn(), RELOADS);
    loop {
        let (conversation, failed) = match keeper.conversation(given.clone()).await {
            Ok(conversation) => (conversation, None),
            Err(error) => (given.clone(), Some(error)),
        };
        let (id, input) = (id.clone(), input.clone());
        let (run, log) = Run::start(id, inner.run_config(), conversation, input);
        let created = match failed {
            Some(error) => Some(Err(error)),
            None => created(&mut keeper, &log, turn.as_ref(), cancellation).await,
        };
        match created {
            Some(Ok(keeper)) => return Ok(Opened::new(run, log, Some(keeper))),
            Some(Err(error)) if error.kind == StoreErrorKind::Outdated && reloads > 0 => {
                reloads -= 1;
            }
            Some(Err(error)) => return Err(Box::new(run.lost(error))),
            None => return Err(Box::new(cancelled(run))),
        }
    }
}

/// Creates a run in its store, in its turn. It gives `None` if it is cancelled before that.
async fn created(
    keeper: &mut NewKeeper,
    log: &[Record],
    turn: Option<&Turn>,
    cancellation: &CancellationToken,
) -> Option<Result<Keeper, StoreError>> {
    let Some(turn) = turn else {
        return Some(keeper.create(log).await);
    };
    loop {
        unless_cancelled(turn.is_first(), cancellation).await?;
        let freed = turn.freed();
        match keeper.create(log).await {
            Err(busy) if busy.kind == StoreErrorKind::ConversationBusy => {
                let free = keeper.until_free(turn, freed, &busy);
                unless_cancelled(free, cancellation).await?;
            }
            created => return Some(created),
        }
    }
}

async fn unless_cancelled(
    wait: impl Future<Output = ()>,
    cancellation: &CancellationToken,
) -> Option<()> {
    match select(pin!(wait), pin!(cancellation.cancelled())).await {
        Either::Left(_) => Some(()),
        Either::Right(_) => None,
    }
}

/// The outcome of a run that was cancelled before it began.
fn cancelled(mut run: Run) -> RunOutcome {
    run.handle_unread(Signal::Cancel);
    let outcome = run.into_outcome();
    outcome.expect("a run that is cancelled is over when its calls are, and it has none")
}

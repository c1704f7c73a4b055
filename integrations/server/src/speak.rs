//! What is said to a run: it goes through the inbox of its store, whoever drives the run.

use std::time::Duration;

use tokio::{
    sync::oneshot,
    time::{Instant, sleep},
};
use toolwright_runtime::{
    Failure as RunFailure, RunEvent, RunHandle, Runner, UserMessage,
    run::{ResumeError, RunId},
    store::{InboxContent, InboxItem, RunStatus, StoreError, StoreErrorKind},
};

use crate::{failure::Failure, later::later, timed_store::TimedStore};

/// The first wait before a run is tried again that somebody holds. Each next one is twice as long, up to [`LONGEST`].
const FIRST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(1);
/// How long it is tried beside two lease times.
const TRIES: Duration = Duration::from_secs(10);

/// Begins a run, and returns when it is in the store. It goes on by itself, also if nobody waits for this any more.
pub(crate) async fn start(runner: Runner, message: UserMessage) -> Result<RunId, StartError> {
    let (tell, told) = oneshot::channel();
    tokio::spawn(async move {
        let mut handle = runner.start(message);
        let id = handle.id().clone();
        if has_begun(&mut handle).await {
            // Whoever asked may be gone.
            let _ = tell.send(Ok(id));
            drop(handle.outcome().await);
            return;
        }
        let error = match handle.outcome().await {
            Err(error) => match error.failure {
                RunFailure::Store(error) => StartError::Store(error),
                _ => StartError::Other,
            },
            Ok(_) => StartError::Other,
        };
        let _ = tell.send(Err(error));
    });
    told.await.unwrap_or(Err(StartError::Other))
}

/// A run did not begin.
#[derive(Debug)]
pub(crate) enum StartError {
    Store(StoreError),
    Other,
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Store(error) => error.into(),
            StartError::Other => Self::internal("the run did not begin"),
        }
    }
}

/// Returns true when the first record of a run is in the store, and false if there is none.
async fn has_begun(handle: &mut RunHandle) -> bool {
    while let Some(event) = handle.next().await {
        if matches!(event, RunEvent::Recorded { .. }) {
            return true;
        }
    }
    false
}

/// Says something to a run, and sees to it that somebody hears it: if nobody drives the run, it goes on here.
///
/// It returns when the run is driven, here or elsewhere. All is said and heard also if nobody waits for this any more.
pub(crate) async fn say(
    runner: &Runner,
    store: &TimedStore,
    run: &RunId,
    items: Vec<InboxItem>,
) -> Result<(), Failure> {
    let (tell, told) = oneshot::channel();
    let (runner, store, run) = (runner.clone(), store.clone(), run.clone());
    tokio::spawn(async move {
        let mut put = Ok(());
        for item in &items {
            put = store.put(&run, item).await;
            if put.is_err() {
                break;
            }
        }
        let cancels = items
            .iter()
            .any(|item| *item.content() == InboxContent::Cancel);
        match put {
            Ok(()) => wake(runner, store, run, cancels, tell).await,
            Err(error) => {
                let is_gone = error.kind != StoreErrorKind::Unavailable;
                // Whoever asked may be gone.
                let _ = tell.send(Err(error.into()));
                // What was put before it, or in spite of it, is to be heard.
                if !is_gone || items.len() > 1 {
                    wake(runner, store, run, cancels, oneshot::channel().0).await;
                }
            }
        }
    });
    match told.await {
        // One that is over by now was driven when it was said.
        Ok(Ok(()) | Err(Said::Heard(ResumeError::IsOver))) => Ok(()),
        Err(_) => Err(Failure::internal("the run could not be told")),
        Ok(Err(Said::Heard(error))) => Err(error.into()),
        Ok(Err(Said::Put(error))) => Err(error.into()),
    }
}

/// Why nobody hears what is said.
enum Said {
    /// It is not in the inbox.
    Put(StoreError),
    /// It is, and the run does not go on.
    Heard(ResumeError),
}

impl From<StoreError> for Said {
    fn from(error: StoreError) -> Self {
        Self::Put(error)
    }
}

/// Goes on with a run until its inbox was heard. `tell` is told of the first try. A run that is to be cancelled and cannot go
/// on, since its tools are others now, is given up: its chat is free again.
async fn wake(
    runner: Runner,
    store: TimedStore,
    run: RunId,
    cancels: bool,
    tell: oneshot::Sender<Result<(), Said>>,
) {
    let mut tell = Some(tell);
    let mut say = |said| {
        if let Some(tell) = tell.take() {
            // Whoever asked may be gone.
            let _ = tell.send(said);
        }
    };
    let lease_time = runner.lease_time().unwrap_or_default();
    // After that, `Server::serve` finds it, or another process does.
    let end = later(lease_time.saturating_mul(2).saturating_add(TRIES));
    let mut pause = FIRST;
    while Instant::now() < end {
        match runner.resume(&run).await {
            Ok(handle) => {
                handle.detach();
                return say(Ok(()));
            }
            Err(ResumeError::Store(error)) if may_pass(error.kind) => say(Ok(())),
            Err(error) => {
                let is_over = matches!(error, ResumeError::IsOver);
                if cancels && !is_over && runner.abandon(&run).await.is_ok() {
                    return say(Ok(()));
                }
                return say(Err(Said::Heard(error)));
            }
        }
        // Who holds it hears it, or is gone.
        sleep(pause).await;
        pause = LONGEST.min(pause * 2);
        if was_heard(&store, &run).await {
            return;
        }
    }
}

/// Returns true if somebody holds the run, or its store may answer later.
fn may_pass(kind: StoreErrorKind) -> bool {
    matches!(kind, StoreErrorKind::Held | StoreErrorKind::Unavailable)
}

/// Returns true if nothing is left in the inbox of a run, or nobody hears it any more.
async fn was_heard(store: &TimedStore, run: &RunId) -> bool {
    // Without entries.
    let Ok(loaded) = store.load(run, u64::MAX).await else {
        return false;
    };
    if loaded.status.is_over() {
        return true;
    }
    if matches!(loaded.status, RunStatus::Open) && loaded.held_until.is_none() {
        return false;
    }
    let inbox = store.inbox(run, loaded.taken).await;
    inbox.is_ok_and(|items| items.is_empty())
}

//! Sends items to a run: through its inbox in the store, whichever process drives it.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::oneshot,
    time::{Instant, sleep},
};
use toolwright_core::{
    Failure as RunFailure,
    run::{ResumeError, RunId},
};
use toolwright_runtime::{
    RunRequest, Runner,
    store::{ConversationRef, InboxContent, InboxItem, StoreError, StoreErrorKind, TimedStore},
};

use crate::{app::App, caller::Visitor, failure::Failure, later::later};

/// The first wait before it is looked again whether a message was heard. Each next one is twice as long, up to [`LONGEST`].
const FIRST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(1);
/// How long it is waited for the driver of a run to hear a message.
const HEARS: Duration = Duration::from_secs(1);

/// Begins a run, and returns when it is in the store. It continues also if the future is dropped.
pub(crate) async fn start(
    app: &App,
    request: RunRequest<ConversationRef>,
) -> Result<RunId, StartError> {
    let (tell, told) = oneshot::channel();
    let start = Arc::clone(&app.start);
    tokio::spawn(async move {
        let mut handle = start(request);
        let id = handle.id().clone();
        if handle.has_begun().await {
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

/// Sends items to a run, and makes sure that they are taken: a run that no process drives is resumed here.
///
/// It returns when the run is driven, here or elsewhere. It waits for a while until a message is taken: one that came
/// too late is refused. All of that happens also if the future is dropped.
pub(crate) async fn say(
    visitor: &Visitor,
    run: &RunId,
    items: Vec<InboxItem>,
) -> Result<(), Failure> {
    let (tell, told) = oneshot::channel();
    // Without entries.
    let loaded = visitor.store.load(run, u64::MAX).await?;
    let top = loaded.info.top().unwrap_or_else(|| run.clone());
    // It takes decisions about calls below it, and passes them on.
    let is_about_call = |item: &InboxItem| matches!(item.content(), InboxContent::Resolution(_));
    let is_for_top = items.iter().all(is_about_call);
    let speech = Sender {
        runner: visitor.runner.clone(),
        store: visitor.store.clone(),
        run: if is_for_top { top } else { run.clone() },
        items,
    };
    tokio::spawn(async move {
        // Whoever asked may be gone.
        let _ = tell.send(speech.say().await);
    });
    let told = told.await;
    told.unwrap_or_else(|_| {
        Err(Failure::internal(
            "the message could not be delivered to the run",
        ))
    })
}

/// What became of an item for a run.
enum Delivery {
    /// Its driver has taken it.
    Heard,
    /// It is in the inbox.
    Waits,
    /// It is, and the run is over.
    Lost,
}

/// Items that are sent to a run.
struct Sender {
    runner: Runner,
    store: TimedStore,
    run: RunId,
    items: Vec<InboxItem>,
}

impl Sender {
    async fn say(&self) -> Result<(), Failure> {
        for item in &self.items {
            if let Err(error) = self.store.put(&self.run, item).await {
                // Items that were put before it, or in spite of the error, have to be taken.
                if error.kind == StoreErrorKind::Unavailable || self.items.len() > 1 {
                    drop(self.wake());
                }
                return Err(match (error.kind, item.content()) {
                    (StoreErrorKind::Exists, InboxContent::Resolution(said)) => {
                        Failure::decided_before(&format!("{}:{}", said.run_id(), said.id()))
                    }
                    _ => error.into(),
                });
            }
        }
        match self.wake().await {
            Ok(true) => Ok(()),
            Ok(false) => self.until_heard().await,
            Err(ResumeError::IsOver) => match self.fate().await? {
                // It was driven when the item was sent.
                Delivery::Heard => Ok(()),
                Delivery::Waits | Delivery::Lost => Err(Failure::not_running()),
            },
            Err(error) => Err(refused(error)),
        }
    }

    /// Waits for a while until the messages are taken: a run that ends meanwhile does not take them.
    async fn until_heard(&self) -> Result<(), Failure> {
        let is_message = |item: &InboxItem| matches!(item.content(), InboxContent::Message(_));
        if !self.items.iter().any(is_message) {
            return Ok(());
        }
        let (end, mut pause) = (later(HEARS), FIRST);
        loop {
            match self.fate().await? {
                Delivery::Heard => return Ok(()),
                Delivery::Lost => return Err(Failure::not_running()),
                Delivery::Waits if Instant::now() >= end => return Ok(()),
                Delivery::Waits => sleep(pause).await,
            }
            pause = LONGEST.min(pause * 2);
        }
    }

    /// What became of the items.
    async fn fate(&self) -> Result<Delivery, StoreError> {
        // Without entries.
        let loaded = self.store.load(&self.run, u64::MAX).await?;
        let inbox = self.store.inbox(&self.run, loaded.taken).await?;
        let is_left = |item: &InboxItem| {
            // A run that is over needs no cancel.
            let is_cancel = matches!(
                item.content(),
                InboxContent::Cancel | InboxContent::CancelAfterRound
            );
            !is_cancel && inbox.iter().any(|left| left.item.id() == item.id())
        };
        Ok(match self.items.iter().any(is_left) {
            false => Delivery::Heard,
            true if loaded.status.is_over() => Delivery::Lost,
            true => Delivery::Waits,
        })
    }

    /// Makes sure that the items are taken.
    fn wake(&self) -> impl Future<Output = Result<bool, ResumeError>> + use<> {
        self.runner.wake(&self.run, |handle| drop(handle.detach()))
    }
}

/// The failure of a run that does not go on. The items stay in its inbox.
fn refused(error: ResumeError) -> Failure {
    let goes_on_later = match &error {
        ResumeError::ToolsChanged { .. }
        | ResumeError::NoExtensions
        | ResumeError::Parked { .. } => true,
        ResumeError::Store(error) => error.kind == StoreErrorKind::Newer,
        _ => false,
    };
    let failure = Failure::from(error);
    if goes_on_later {
        failure.kept()
    } else {
        failure
    }
}

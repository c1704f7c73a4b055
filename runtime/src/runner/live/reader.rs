//! Reads a run of a store, wherever it is driven.

use std::{
    collections::VecDeque,
    fmt,
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use futures_core::Stream;

use super::{LiveItem, LiveRuns, Subscription};
use crate::{
    Runner,
    budget::Budget,
    dispatch::wait,
    runner::{RunEvent, keeper::KeptRuns},
    store::{ConversationVersion, Entry, RunStatus},
};
use toolwright_core::{
    run::{Record, ResumeError, RunId, StoreError, StoreErrorKind},
    tool::BoxFuture,
};

/// Wait before a store with an error, or without news, is asked again.
const PAUSE: Duration = Duration::from_millis(100);

/// Minimum silence before a driver is presumed dead.
const LEAST: Duration = Duration::from_secs(1);

/// The events of a stored run, for any number of readers: [`Runner::attach`].
///
/// It gives the records of the run, each once and in order. If this runner or a clone of it drives the run, pieces of
/// the current response and updates of calls come between them; otherwise there are only records. A slow reader misses
/// pieces and updates, and gets a [snapshot](RunEvent::ResponseSnapshot) instead. It never delays the run, and dropping
/// it has no effect on the run.
///
/// It ends when the run is over, suspended or parked: see [`status`](Self::status). If the driver has died, it waits
/// until the run is resumed.
#[must_use = "it reads only while it is polled"]
pub struct RunReader {
    runs: KeptRuns,
    live: LiveRuns,
    run_id: RunId,
    /// The place of the next record.
    next: u64,
    /// What was read and not given.
    ready: VecDeque<RunEvent>,
    reading: Reading,
    status: RunStatus,
    /// The last record was read.
    is_finished: bool,
    /// A reader of a run that never waits must not keep other tasks waiting.
    budget: Budget,
}

/// Where a reader is.
enum Reading {
    /// It reads what is stored.
    Stored {
        stored: BoxFuture<'static, Result<Stored, StoreError>>,
        /// What happens meanwhile.
        along: Option<Along>,
    },
    /// It reads along with the driver.
    Along(Along),
    /// It waits for more in the store.
    Waiting(BoxFuture<'static, ()>),
    Over,
}

/// What comes from a driver in this process.
struct Along {
    subscription: Subscription,
    /// The place of the last record before what comes next.
    last: Option<u64>,
    /// When the store is asked whether another process drives the run.
    doubts: BoxFuture<'static, ()>,
    /// The store is asked that.
    is_doubted: bool,
}

/// What a store has of a run.
struct Stored {
    records: Vec<Record>,
    status: RunStatus,
}

impl Runner {
    /// Reads the events of a run of the [store](crate::RunnerBuilder::store), after the record with this sequence, or
    /// from its beginning. Several may read one run. The run may be driven in this process or in another one, or be
    /// over.
    ///
    /// The first record has the conversation that the run continues. If that was deleted, it is empty, or the new
    /// conversation with this id of the same owner.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{
    ///     ModelResponse, Runner, run::Record, runner::RunEvent, store::MemoryStore, testing::ScriptedModel,
    /// };
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    /// let runner = Runner::builder(model).store("support", MemoryStore::new()).build()?;
    /// let run = runner.start("Say hello.").detach();
    ///
    /// let mut reader = runner.attach(run.id(), None).await?;
    /// let mut last = None;
    /// while let Some(event) = reader.next().await {
    ///     if let RunEvent::Recorded { record, .. } = event? {
    ///         last = Some(record);
    ///     }
    /// }
    /// assert!(matches!(last, Some(Record::Finished { .. })));
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// When the runner has no store; when the run does not exist for the [owner](Runner::with_owner) of this runner, or
    /// the store cannot be read ([`ResumeError::Store`]).
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with time enabled.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future does nothing.
    pub async fn attach(
        &self,
        run_id: &RunId,
        after: Option<u64>,
    ) -> Result<RunReader, ResumeError> {
        let Some(runs) = self.kept_runs() else {
            return Err(ResumeError::NoStore);
        };
        let mut reader = RunReader {
            runs,
            live: self.inner.live.clone(),
            run_id: run_id.clone(),
            next: after.map_or(0, |after| after.saturating_add(1)),
            ready: VecDeque::new(),
            reading: Reading::Over,
            status: RunStatus::Open,
            is_finished: false,
            budget: Budget::new(),
        };
        reader.read_stored();
        poll_fn(|cx| reader.poll_stored(cx)).await?;
        Ok(reader)
    }
}

impl RunReader {
    /// The run.
    pub fn run_id(&self) -> &RunId {
        &self.run_id
    }

    /// The status of the run when the store was last read. It is not [open](RunStatus::Open) at the end of the events.
    pub fn status(&self) -> &RunStatus {
        &self.status
    }

    /// Returns the next event; `None` when the run is over, suspended or parked.
    ///
    /// # Errors
    ///
    /// When the store or the run cannot be read. After [`StoreErrorKind::Unavailable`] the next call reads again; every
    /// other error is the last.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no event.
    pub async fn next(&mut self) -> Option<Result<RunEvent, StoreError>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// Reads stored records from the next one on, and receives live events meanwhile.
    fn read_stored(&mut self) {
        let along = self.live.subscribe(&self.run_id, self.runs.store.scope());
        let along = along.map(|(subscription, last)| Along {
            subscription,
            last,
            doubts: self.doubts(),
            is_doubted: false,
        });
        self.read_stored_beside(along);
    }

    fn read_stored_beside(&mut self, along: Option<Along>) {
        let (runs, run_id, from) = (self.runs.clone(), self.run_id.clone(), self.next);
        let stored = async move { Stored::read(&runs, &run_id, from).await };
        self.reading = Reading::Stored {
            stored: Box::pin(stored),
            along,
        };
    }

    /// Ends when a driver of this process may have lost the run to another one.
    fn doubts(&self) -> BoxFuture<'static, ()> {
        Box::pin(wait(self.runs.keeping.lease_time.max(LEAST)))
    }

    /// Takes what is stored, if it is read now.
    fn poll_stored(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StoreError>> {
        let Reading::Stored { stored, along } = &mut self.reading else {
            return Poll::Ready(Ok(()));
        };
        let (stored, along) = (ready!(stored.as_mut().poll(cx)), along.take());
        self.reading = Reading::Over;
        let first = self.next;
        match stored {
            Ok(stored) => {
                self.status = stored.status;
                for record in stored.records {
                    self.record(record);
                }
            }
            // It was deleted after its end.
            Err(error) if error.kind == StoreErrorKind::NotFound && self.is_finished => {
                return Poll::Ready(Ok(()));
            }
            // It begins here, and is not written yet.
            Err(error)
                if error.kind == StoreErrorKind::NotFound
                    && along.as_ref().is_some_and(|along| along.last.is_none()) => {}
            Err(error) => {
                if error.kind == StoreErrorKind::Unavailable {
                    self.reading = Reading::Waiting(Box::pin(wait(PAUSE)));
                }
                return Poll::Ready(Err(error));
            }
        }
        self.reading = match along {
            // Another driver has written them, here or elsewhere.
            Some(along)
                if along.is_doubted && self.next > first && self.status == RunStatus::Open =>
            {
                self.read_stored();
                return Poll::Ready(Ok(()));
            }
            // One that is resumed is open with its next record.
            Some(along)
                if self.status == RunStatus::Open
                    || !self.status.is_over() && !along.is_doubted =>
            {
                Reading::Along(Along {
                    is_doubted: false,
                    ..along
                })
            }
            None if self.status == RunStatus::Open => self.waiting(self.next == first),
            _ => Reading::Over,
        };
        Poll::Ready(Ok(()))
    }

    /// Waits for more in the store.
    fn waiting(&self, has_nothing_new: bool) -> Reading {
        let (runs, run_id, from) = (self.runs.clone(), self.run_id.clone(), self.next);
        Reading::Waiting(Box::pin(async move {
            if has_nothing_new {
                // Some stores wait for less than others.
                wait(PAUSE).await;
            }
            if runs.store.wait_for_entries(&run_id, from).await.is_err() {
                // The next reading says why.
                wait(PAUSE).await;
            }
        }))
    }

    /// Gives the next record.
    fn record(&mut self, record: Record) {
        let sequence = self.next;
        let is_asked_again = matches!(
            record,
            Record::Resumed { suspended: false } | Record::ModelDelayed { .. }
        );
        if is_asked_again {
            let after = sequence.saturating_sub(1);
            self.ready.push_back(RunEvent::ResponseReset { after });
        }
        self.is_finished |= matches!(record, Record::Finished { .. });
        let event = RunEvent::Recorded { sequence, record };
        self.ready.push_back(event);
        self.next = sequence.saturating_add(1);
    }

    /// Takes what a driver of this process has published.
    fn hear(&mut self, along: &mut Along, event: RunEvent) -> Result<(), Missing> {
        match event {
            RunEvent::Recorded { sequence, .. } if sequence > self.next => return Err(Missing),
            RunEvent::Recorded { sequence, record } => {
                along.last = Some(sequence);
                if sequence == self.next {
                    self.record(record);
                }
            }
            // What was published before the last record that was read is a piece of what that says.
            event => {
                let at = along.last.map_or(0, |last| last.saturating_add(1));
                if at == self.next {
                    self.ready.push_back(event);
                }
            }
        }
        Ok(())
    }
}

/// Records are missing, which are to be read from the store.
struct Missing;

impl Stream for RunReader {
    type Item = Result<RunEvent, StoreError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        ready!(this.budget.poll_step(cx));
        loop {
            if let Some(event) = this.ready.pop_front() {
                return Poll::Ready(Some(Ok(event)));
            }
            match &mut this.reading {
                Reading::Over => return Poll::Ready(None),
                Reading::Stored { .. } => {
                    if let Err(error) = ready!(this.poll_stored(cx)) {
                        return Poll::Ready(Some(Err(error)));
                    }
                }
                Reading::Waiting(waits) => {
                    ready!(waits.as_mut().poll(cx));
                    this.read_stored();
                }
                Reading::Along(along) => match along.subscription.poll_next(cx) {
                    Poll::Ready(LiveItem::Event(event)) => {
                        let Reading::Along(mut along) =
                            std::mem::replace(&mut this.reading, Reading::Over)
                        else {
                            continue;
                        };
                        match this.hear(&mut along, event) {
                            Ok(()) => this.reading = Reading::Along(along),
                            Err(Missing) => this.read_stored(),
                        }
                    }
                    Poll::Ready(LiveItem::Behind | LiveItem::Over) => this.read_stored(),
                    Poll::Pending => {
                        ready!(along.doubts.as_mut().poll(cx));
                        let doubts = this.doubts();
                        if let Reading::Along(along) =
                            std::mem::replace(&mut this.reading, Reading::Over)
                        {
                            let is_doubted = true;
                            let along = Along {
                                doubts,
                                is_doubted,
                                ..along
                            };
                            this.read_stored_beside(Some(along));
                        }
                    }
                },
            }
        }
    }
}

impl Stored {
    async fn read(runs: &KeptRuns, run_id: &RunId, from: u64) -> Result<Self, StoreError> {
        let loaded = runs.store.load(run_id, from).await?;
        let mut records = Vec::with_capacity(loaded.entries.len());
        for (place, text) in loaded.entries.iter().enumerate() {
            let sequence = from.saturating_add(place as u64);
            let mut entry = Entry::from_text(text, run_id, sequence)?;
            if let (Record::Started { conversation, .. }, Some(continued)) =
                (&mut entry.record, &entry.conversation)
            {
                let store = runs.store.clone().of_owner(loaded.info.owner.clone());
                let versions = store.conversation(&continued.id, Some(continued.version));
                *conversation = ConversationVersion::join(&versions.await?)?;
            }
            records.push(entry.record);
        }
        Ok(Self {
            records,
            status: loaded.status,
        })
    }
}

impl fmt::Debug for RunReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunReader")
            .field("run_id", &self.run_id)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

//! The events of a run until it is over or waits, whichever process drives it.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use toolwright_core::run::{ResumeError, RunId};
use toolwright_runtime::{
    RunEvent, RunReader, Runner,
    store::{RunStatus, StoreError, StoreErrorKind, TimedStore},
};

use crate::later::later;

/// The wait before a run is polled again that is about to be resumed.
const PAUSE: Duration = Duration::from_millis(50);

/// How long a store may not answer before its readers are cut off.
const PATIENCE: Duration = Duration::from_secs(30);

/// The events of a run.
///
/// A reader ends when no process drives the run. A waiting run with an item in its inbox is resumed soon: this waits
/// for that.
pub(crate) struct Follow {
    runner: Runner,
    store: TimedStore,
    run_id: RunId,
    /// The place of the last record that was given.
    last: Option<u64>,
    reader: Option<RunReader>,
    /// When a reader is made.
    begins: Instant,
    /// Until when it is waited for a driver that does not come, or for a store that does not answer.
    patience: Option<Instant>,
}

impl Follow {
    /// Follows a run from the record after this one on.
    pub(crate) async fn new(
        runner: Runner,
        store: TimedStore,
        run_id: RunId,
        after: Option<u64>,
    ) -> Result<Self, ResumeError> {
        let reader = runner.attach(&run_id, after).await?;
        Ok(Self {
            runner,
            store,
            run_id,
            last: after,
            reader: Some(reader),
            begins: Instant::now(),
            patience: None,
        })
    }

    /// The next event; `None` when the run is over or waits.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no event.
    pub(crate) async fn next(&mut self) -> Result<Option<RunEvent>, ResumeError> {
        loop {
            let Some(reader) = &mut self.reader else {
                sleep_until(self.begins).await;
                let attached = self.runner.attach(&self.run_id, self.last).await;
                match attached {
                    Ok(reader) => self.reader = Some(reader),
                    Err(ResumeError::Store(error)) => self.bear(error)?,
                    Err(error) => return Err(error),
                }
                continue;
            };
            match reader.next().await {
                Some(Ok(event)) => {
                    if let RunEvent::Recorded { sequence, .. } = &event {
                        self.last = Some(*sequence);
                    }
                    self.patience = None;
                    return Ok(Some(event));
                }
                Some(Err(error)) => self.bear(error)?,
                None if is_end(reader.status()) => return Ok(None),
                None => match self.goes_on().await {
                    Ok(true) => self.attach_again(),
                    Ok(false) => return Ok(None),
                    Err(error) => self.bear(error)?,
                },
            }
        }
    }

    /// Returns true if more is to come of a run that no process drove at the last look.
    async fn goes_on(&mut self) -> Result<bool, StoreError> {
        let next = self.last.map_or(0, |last| last.saturating_add(1));
        let run = self.store.load(&self.run_id, next).await?;
        if !run.entries.is_empty() || run.status != RunStatus::Suspended {
            return Ok(true);
        }
        let unheard = self.store.inbox(&self.run_id, run.taken).await?;
        Ok(!unheard.is_empty() && !self.is_tired())
    }

    fn attach_again(&mut self) {
        self.reader = None;
        self.begins = Instant::now() + PAUSE;
    }

    /// Goes on after an error that may pass.
    fn bear(&mut self, error: StoreError) -> Result<(), StoreError> {
        if error.kind != StoreErrorKind::Unavailable || self.is_tired() {
            return Err(error);
        }
        self.attach_again();
        Ok(())
    }

    /// Returns true if it was waited for too long.
    fn is_tired(&mut self) -> bool {
        let lease_time = self.runner.lease_time().unwrap_or_default();
        let until = *self
            .patience
            .get_or_insert_with(|| later(lease_time.saturating_add(PATIENCE)));
        Instant::now() >= until
    }
}

/// Returns true if no process resumes the run by itself.
fn is_end(status: &RunStatus) -> bool {
    status.is_over() || matches!(status, RunStatus::Parked { .. })
}

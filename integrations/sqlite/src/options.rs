//! How a database is opened.

use std::time::{Duration, SystemTime};

/// How a database is opened, where the defaults of [`SqliteStore::open`](crate::SqliteStore::open) do not fit.
///
/// ```no_run
/// use std::time::Duration;
/// use toolwright::store::SqliteOptions;
///
/// # async fn open() -> Result<(), toolwright::store::StoreError> {
/// let store = SqliteOptions::new().busy_timeout(Duration::from_secs(2)).open("runs.db").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    pub(crate) busy_timeout: Duration,
    /// The clock of a store that is as one of another process.
    pub(crate) clock: Option<fn() -> SystemTime>,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self {
            busy_timeout: Duration::from_secs(25),
            clock: None,
        }
    }
}

impl SqliteOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how long to wait while another connection writes; 25 seconds by default. It is less than the [time of a
    /// lease](toolwright_runtime::RunnerBuilder::lease_time), which is 30 seconds by default: so a driver gets the
    /// error of a lasting lock while it still holds its run.
    #[must_use]
    pub fn busy_timeout(mut self, time: Duration) -> Self {
        self.busy_timeout = time;
        self
    }

    /// Opens a store as another process would, with a clock of its own, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn as_another_process(mut self, clock: fn() -> SystemTime) -> Self {
        self.clock = Some(clock);
        self
    }
}

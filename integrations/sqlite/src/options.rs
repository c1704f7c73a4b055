//! How a database is opened.

use std::time::Duration;

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
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self {
            busy_timeout: Duration::from_secs(10),
        }
    }
}

impl SqliteOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how long to wait while another connection writes; 10 seconds by default. It is less than the time of a lease, so
    /// that a driver hears of it while it still holds its run.
    #[must_use]
    pub fn busy_timeout(mut self, time: Duration) -> Self {
        self.busy_timeout = time;
        self
    }
}

//! How a database is opened.

use std::time::Duration;

/// How a database is opened, where the defaults of [`PostgresStore::connect`](crate::PostgresStore::connect) do not fit.
///
/// ```no_run
/// use toolwright::store::PostgresOptions;
///
/// # async fn open() -> Result<(), toolwright::store::StoreError> {
/// let store = PostgresOptions::new()
///     .schema("runs_of_the_shop")
///     .connections(20)
///     .connect("postgresql://shop@localhost/shop")
///     .await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct PostgresOptions {
    pub(crate) schema: String,
    pub(crate) connections: usize,
    pub(crate) timeout: Duration,
    pub(crate) poll: Duration,
    /// The store is as one of another process.
    pub(crate) is_apart: bool,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self {
            schema: "toolwright".to_owned(),
            connections: 8,
            timeout: Duration::from_secs(10),
            poll: Duration::from_millis(500),
            is_apart: false,
        }
    }
}

impl PostgresOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the name of the schema that has the tables; `toolwright` by default. It is created if it does not exist.
    /// The name is also that of the channel on which stores notify each other.
    #[must_use]
    pub fn schema(mut self, name: impl Into<String>) -> Self {
        self.schema = name.into();
        self
    }

    /// Sets how many connections the store has at most, apart from one more that listens, and one for all stores of
    /// the process in this database, which shows that the process lives; 8 by default, and at least 1.
    /// They are opened when they are needed, and stay open. Operations wait for each other when all are in use.
    #[must_use]
    pub fn connections(mut self, most: usize) -> Self {
        self.connections = most;
        self
    }

    /// Sets how long to wait for a connection, and for each statement; 10 seconds by default. It is less than the time
    /// of a lease, so that a driver gets the error while it still holds its run.
    #[must_use]
    pub fn timeout(mut self, time: Duration) -> Self {
        self.timeout = time;
        self
    }

    /// Sets how often a waiter polls for a change, in case a notification was lost; every half second by default.
    #[must_use]
    pub fn poll(mut self, time: Duration) -> Self {
        self.poll = time;
        self
    }

    /// Opens a store as another process would, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn as_another_process(mut self) -> Self {
        self.is_apart = true;
        self
    }
}

//! The stores that processes share, and the points of what they write.

use std::{env, path::Path, process::Command, sync::Arc, time::Duration};

use toolwright::{
    run::{RunId, StoreError},
    store::{Append, Lease, NewRun, Scope, SqliteStore, Store},
};

use super::{Points, postgres, say};
use crate::kept_runs::delegated::{Done, delegated};

/// A kind of store that survives its process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kept_runs) enum Kind {
    Sqlite,
    Postgres,
}

impl Kind {
    /// The kind, for the processes that a test starts.
    const NAME: &str = "TOOLWRIGHT_TEST_STORE";

    pub(in crate::kept_runs) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }

    /// What the test says that has started this process.
    pub(in crate::kept_runs) fn given() -> Self {
        let name = env::var(Self::NAME).expect("other tests name a store");
        let kinds = [Self::Sqlite, Self::Postgres].into_iter();
        let mut kinds = kinds.filter(|kind| kind.name() == name);
        kinds.next().expect("it is a kind of store")
    }

    /// What a process needs that this one starts.
    pub(super) fn tell(self, process: &mut Command) {
        process.env(Self::NAME, self.name());
        if self == Self::Postgres {
            postgres::tell(process);
        }
    }

    /// Opens the store of a folder.
    pub(in crate::kept_runs) async fn open(self, folder: &Path) -> Arc<dyn Store> {
        let place = folder.join("store");
        match self {
            Self::Sqlite => Arc::new(SqliteStore::open(place).await.expect("it opens")),
            Self::Postgres => Arc::new(postgres::open(folder).await),
        }
    }
}

/// A store whose every write has three points, before, in and after it, and which says what was written.
#[derive(Clone)]
pub(in crate::kept_runs) struct Pointed {
    store: Arc<dyn Store>,
    points: Points,
}

impl Pointed {
    pub(in crate::kept_runs) fn new(store: Arc<dyn Store>, points: &Points) -> Self {
        let points = points.clone();
        Self { store, points }
    }

    async fn write<T>(&self, write: Done<'_, T>) -> Result<T, StoreError> {
        self.points.pass();
        self.points.pass_by();
        let written = write.await;
        self.points.pass();
        written
    }
}

impl Store for Pointed {
    fn create<'a>(&'a self, run: &'a NewRun, time: Duration) -> Done<'a, Lease> {
        Box::pin(self.write(self.store.create(run, time)))
    }

    fn lease<'a>(&'a self, scope: Scope<'a>, run: &'a RunId, time: Duration) -> Done<'a, Lease> {
        Box::pin(async move {
            let leased = self.store.lease(scope, run, time).await?;
            say!("leased {}", leased.token);
            self.points.pass();
            Ok(leased)
        })
    }

    fn append<'a>(&'a self, lease: &'a Lease, append: &'a Append) -> Done<'a, ()> {
        Box::pin(async move {
            let written = self.write(self.store.append(lease, append)).await;
            let (first, entries) = (append.first, append.entries.len());
            if written.is_ok() && append.synced {
                say!("synced {}", first + entries as u64);
            }
            match &written {
                Ok(()) => say!("appended {} {first} {entries}", lease.token),
                Err(error) => say!("refused {} {:?}", lease.token, error.kind),
            }
            written
        })
    }

    delegated!(inbox renew load conversation others);
}

//! The connections of a store. Each operation has one for itself while it lasts.

use std::{future::Future, sync::Arc, time::Duration};

use toolwright_core::driver::Mutex;

use tokio::sync::{Semaphore, SemaphorePermit};
use toolwright_runtime::store::StoreError;

use super::target::Target;
use crate::{
    failure::{Failure, unavailable},
    session::Session,
};

/// How often something is tried that others stand in the way of.
const TRIES: u32 = 10;

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Change,
}

/// Connections that wait, and places for more.
#[derive(Debug)]
pub(crate) struct Pool {
    target: Target,
    idle: Mutex<Vec<Arc<Session>>>,
    places: Semaphore,
}

impl Pool {
    pub(crate) fn new(target: Target, connections: usize) -> Self {
        let places = connections.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            target,
            idle: Mutex::default(),
            places: Semaphore::new(places),
        }
    }

    pub(crate) fn target(&self) -> &Target {
        &self.target
    }

    /// Does an operation with a connection, again if others stood in its way.
    pub(crate) async fn with<T, F>(
        &self,
        access: Access,
        work: impl Fn(Arc<Session>) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let mut tries = 1;
        loop {
            let taken = self.take().await.map_err(Failure::into_error)?;
            let failure = match self.once(&taken, &work).await {
                Ok(done) => return Ok(done),
                Err(failure) => failure,
            };
            drop(taken);
            if failure.is_conflict() && tries < TRIES {
                tokio::time::sleep(Duration::from_millis(2) * tries).await;
                tries += 1;
                continue;
            }
            return Err(match access {
                Access::Read => failure.into_error(),
                Access::Change => failure.into_error_of_change(),
            });
        }
    }

    async fn once<T, F>(
        &self,
        taken: &Taken<'_>,
        work: &impl Fn(Arc<Session>) -> F,
    ) -> Result<T, Failure>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        // The server ends a statement after this time, and says so. Here it has not sent anything.
        let patience = self.target.timeout.saturating_add(Duration::from_secs(1));
        let done = tokio::time::timeout(patience, work(Arc::clone(&taken.session))).await;
        let done = done.unwrap_or(Err(Failure::TimedOut(patience)));
        if let Err(failure) = &done
            && failure.is_lost()
        {
            // The others go the same way, and may not know it yet.
            taken.session.spoil();
            self.idle.lock().clear();
        }
        done
    }

    async fn take(&self) -> Result<Taken<'_>, Failure> {
        let place = tokio::time::timeout(self.target.timeout, self.places.acquire()).await;
        let Ok(Ok(place)) = place else {
            let why =
                "all connections of the store are in use: raise `PostgresOptions::connections`";
            return Err(unavailable(why).into());
        };
        let session = loop {
            let idle = self.idle.lock().pop();
            match idle {
                Some(session) if session.is_usable() => break session,
                Some(_) => {}
                None => break Arc::new(self.target.session().await?),
            }
        };
        Ok(Taken {
            pool: self,
            session,
            _place: place,
        })
    }
}

/// A connection of an operation. It waits for the next one afterwards, if it can be used.
struct Taken<'a> {
    pool: &'a Pool,
    session: Arc<Session>,
    _place: SemaphorePermit<'a>,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        if self.session.is_usable() {
            self.pool.idle.lock().push(Arc::clone(&self.session));
        }
    }
}

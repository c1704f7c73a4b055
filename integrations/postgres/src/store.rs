//! The store.

mod operations;

use std::{fmt, future::Future, sync::Arc, time::Duration};

use tokio_postgres::{
    Config, NoTls, Socket,
    tls::{MakeTlsConnect, TlsConnect},
};
use toolwright_core::{run::RunId, tool::BoxFuture};
use toolwright_runtime::store::{StoreError, StoreErrorKind};

use crate::{
    changes::Changes,
    connection::{Access, Connector, Pool, Target, connector},
    data::schema,
    failure::{Failure, unavailable},
    holder::Holder,
    options::PostgresOptions,
    session::Session,
};

#[doc = include_str!("store.md")]
#[derive(Clone)]
pub struct PostgresStore(Arc<Parts>);

struct Parts {
    pool: Arc<Pool>,
    changes: Changes,
    holder: Holder,
    poll: Duration,
}

impl PostgresStore {
    /// Connects to a database by its URL, such as `postgresql://user:password@host/database`, without TLS. Characters such as
    /// `@` in the password are percent-encoded, and no error has it. The tables are made if there are none. Call it within a runtime of tokio, which also has to run while the store is used.
    ///
    /// [`PostgresOptions::connect_with`] takes TLS and a configuration of your own.
    ///
    /// # Errors
    ///
    /// When the schema is of another program ([`StoreErrorKind::Corrupt`]), has a newer version
    /// ([`StoreErrorKind::Newer`]), or cannot be reached and written ([`StoreErrorKind::Unavailable`]).
    ///
    /// [`StoreErrorKind::Corrupt`]: toolwright_runtime::store::StoreErrorKind::Corrupt
    /// [`StoreErrorKind::Newer`]: toolwright_runtime::store::StoreErrorKind::Newer
    /// [`StoreErrorKind::Unavailable`]: toolwright_runtime::store::StoreErrorKind::Unavailable
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        PostgresOptions::new().connect(url).await
    }

    /// Does something that changes nothing.
    fn read<'a, T, F>(
        &'a self,
        run: Option<&'a RunId>,
        work: impl Fn(Arc<Session>) -> F + Send + Sync + 'a,
    ) -> BoxFuture<'a, Result<T, StoreError>>
    where
        T: Send + 'a,
        F: Future<Output = Result<T, Failure>> + Send + 'a,
    {
        self.with(run, Access::Read, work)
    }

    /// Makes a change in a transaction.
    fn change<'a, T, F>(
        &'a self,
        run: Option<&'a RunId>,
        work: impl Fn(Arc<Session>) -> F + Send + Sync + 'a,
    ) -> BoxFuture<'a, Result<T, StoreError>>
    where
        T: Send + 'a,
        F: Future<Output = Result<T, Failure>> + Send + 'a,
    {
        self.with(run, Access::Change, work)
    }

    fn with<'a, T, F>(
        &'a self,
        run: Option<&'a RunId>,
        access: Access,
        work: impl Fn(Arc<Session>) -> F + Send + Sync + 'a,
    ) -> BoxFuture<'a, Result<T, StoreError>>
    where
        T: Send + 'a,
        F: Future<Output = Result<T, Failure>> + Send + 'a,
    {
        Box::pin(async move { about(run, self.0.pool.with(access, work).await) })
    }

    /// Waits until there is news of a run. `look` gives the row of the run, and whether there is.
    fn until<'a, F>(
        &'a self,
        run: &'a RunId,
        look: impl Fn(Arc<Session>) -> F + Send + Sync + 'a,
    ) -> BoxFuture<'a, Result<(), StoreError>>
    where
        F: Future<Output = Result<(i64, bool), Failure>> + Send + 'a,
    {
        Box::pin(async move {
            let mut heard = self.0.changes.hear(&self.0.pool);
            loop {
                let (key, is_there) = self.read(Some(run), &look).await?;
                if is_there {
                    return Ok(());
                }
                heard.of(key, self.0.poll).await;
            }
        })
    }

    /// Says to those who wait that a run has changed.
    fn tell(&self, run: i64) {
        self.0.changes.tell(run, &self.0.pool);
    }
}

impl PostgresOptions {
    /// Connects to a database, as [`PostgresStore::connect`] does.
    ///
    /// # Errors
    ///
    /// As [`PostgresStore::connect`].
    pub async fn connect(self, url: &str) -> Result<PostgresStore, StoreError> {
        self.connect_with(parsed(url)?, NoTls).await
    }

    /// Connects to a database by a configuration, with TLS of your choice, such as that of the crates
    /// `tokio-postgres-rustls` and `postgres-native-tls`.
    ///
    /// # Errors
    ///
    /// As [`PostgresStore::connect`].
    pub async fn connect_with<T>(
        self,
        mut config: Config,
        tls: T,
    ) -> Result<PostgresStore, StoreError>
    where
        T: MakeTlsConnect<Socket> + Clone + Send + Sync + 'static,
        T::Stream: Send + 'static,
        T::TlsConnect: Send,
        <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
    {
        if config.get_application_name().is_none() {
            config.application_name("toolwright");
        }
        self.open(connector(config, tls)).await
    }

    async fn open(self, connector: Connector) -> Result<PostgresStore, StoreError> {
        let Self {
            schema,
            connections,
            timeout,
            poll,
            is_apart,
        } = self;
        // PostgreSQL would cut a longer one, and have it mean another schema.
        if schema.is_empty() || schema.len() > 63 || schema.contains('\0') {
            let why = format!("invalid schema name {schema:?}: write 1 to 63 bytes");
            return Err(unavailable(why));
        }
        let target = Target {
            connector,
            schema,
            timeout,
        };
        let pool = Arc::new(Pool::new(target, connections));
        let target = pool.target();
        let holder = pool.with(Access::Read, |session| async move {
            schema::open(&session, &target.schema).await?;
            if is_apart {
                return Ok(Holder::apart(target));
            }
            Holder::of(&session, target).await
        });
        let holder = holder.await?;
        Ok(PostgresStore(Arc::new(Parts {
            pool,
            changes: Changes::new(),
            holder,
            poll,
        })))
    }
}

/// Reads a URL. A password with an `@` of its own would be cut there, and its rest be taken for a host, a database or a
/// parameter, which errors name.
fn parsed(url: &str) -> Result<Config, StoreError> {
    let unreadable =
        |why: &str| unavailable(format!("the URL of the database cannot be read: {why}"));
    if url.matches('@').count() > 1 {
        return Err(unreadable(
            "write `%40` for an `@` in the name or the password",
        ));
    }
    url.parse().map_err(|error: tokio_postgres::Error| {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        // In another form than that of a URL, any word may be one of a password.
        let cause = cause.filter(|_| url.contains("://"));
        unreadable(
            cause
                .as_deref()
                .unwrap_or("it has to begin with `postgres://`"),
        )
    })
}

/// Names the run in an error that names none, unless that is about a conversation.
fn about<T>(run: Option<&RunId>, result: Result<T, StoreError>) -> Result<T, StoreError> {
    result.map_err(|error| match (run, &error.run_id) {
        (Some(run), None) => match error.kind {
            StoreErrorKind::NotFound | StoreErrorKind::ConversationBusy => error,
            _ => error.with_run(run),
        },
        _ => error,
    })
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").finish_non_exhaustive()
    }
}

//! How a connection is made and set.

use std::{fmt, future::poll_fn, sync::Arc, time::Duration};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_postgres::{
    AsyncMessage, Client, Config, Connection, Notification, Socket,
    tls::{MakeTlsConnect, TlsConnect},
};
use toolwright_core::tool::BoxFuture;

use crate::{
    data::schema,
    failure::{Failure, unavailable},
    session::Session,
};

/// Makes a connection, and gives what others tell it to this channel.
pub(crate) type Connector = Arc<
    dyn Fn(
            UnboundedSender<Notification>,
        ) -> BoxFuture<'static, Result<Client, tokio_postgres::Error>>
        + Send
        + Sync,
>;

/// The way to connections of a configuration, with TLS of the caller.
pub(crate) fn connector<T>(config: Config, tls: T) -> Connector
where
    T: MakeTlsConnect<Socket> + Clone + Send + Sync + 'static,
    T::Stream: Send + 'static,
    T::TlsConnect: Send,
    <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
{
    Arc::new(move |notifications| {
        let (config, tls) = (config.clone(), tls.clone());
        Box::pin(async move {
            let (client, connection) = config.connect(tls).await?;
            tokio::spawn(drive(connection, notifications));
            Ok(client)
        })
    })
}

/// Moves what a connection sends and receives. It ends with its client, or with the connection.
async fn drive<S>(
    mut connection: Connection<Socket, S>,
    notifications: UnboundedSender<Notification>,
) where
    S: tokio_postgres::tls::TlsStream + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
        if let AsyncMessage::Notification(notification) = message {
            // Most connections listen to nothing.
            let _ = notifications.send(notification);
        }
    }
}

/// What to connect to, and how.
#[derive(Clone)]
pub(crate) struct Target {
    pub(crate) connector: Connector,
    /// The name of the schema of the tables.
    pub(crate) schema: String,
    /// How long the server works on one statement.
    pub(crate) timeout: Duration,
}

impl Target {
    /// Makes a connection that reads and writes.
    pub(crate) async fn session(&self) -> Result<Session, Failure> {
        self.listening(false).await.map(|(session, _)| session)
    }

    /// Makes a connection and, if asked to, listens to what other stores of the schema tell.
    pub(crate) async fn listening(
        &self,
        listens: bool,
    ) -> Result<(Session, UnboundedReceiver<Notification>), Failure> {
        let (sender, receiver) = unbounded_channel();
        let connected = tokio::time::timeout(self.timeout, async {
            let session = Session::new((self.connector)(sender).await?);
            session.batch(&self.settings(listens)).await?;
            Ok::<_, Failure>(session)
        });
        if let Ok(session) = connected.await {
            return Ok((session?, receiver));
        }
        let why = format!("PostgreSQL could not be reached within {:?}", self.timeout);
        Err(unavailable(why).into())
    }

    /// What holds for a connection:
    ///
    /// - Statements see what was committed when they begin, which the statements of the store rely on.
    /// - A process that is stopped in the middle of a transaction does not keep its locks for ever.
    /// - A plan has one process: PostgreSQL 12 refuses advisory locks in others, which the look for a holder needs.
    /// - A commit is synced, unless it says otherwise. Whatever is stricter stays as the server has it.
    fn settings(&self, listens: bool) -> String {
        let (name, millis) = (schema::quoted(&self.schema), self.timeout.as_millis());
        let millis = millis.clamp(1, i32::MAX.unsigned_abs().into());
        let listen = if listens {
            format!("LISTEN {name};")
        } else {
            String::new()
        };
        format!(
            "SET search_path = {name}; SET standard_conforming_strings = on;
             SET default_transaction_isolation = 'read committed';
             SET max_parallel_workers_per_gather = 0;
             SET statement_timeout = {millis}; SET idle_in_transaction_session_timeout = {millis};
             SELECT set_config('synchronous_commit', 'on', FALSE)
             WHERE current_setting('synchronous_commit') = 'off'; {listen}"
        )
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target")
            .field("schema", &self.schema)
            .finish_non_exhaustive()
    }
}

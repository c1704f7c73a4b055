//! A schema for one test.

use std::sync::{
    OnceLock,
    atomic::{AtomicUsize, Ordering},
};

use tokio_postgres::{Client, Config, NoTls};
use toolwright::store::{PostgresOptions, PostgresStore};

use crate::postgres_server::{Server, Source};

/// A server that is started for the first test that needs it.
pub(crate) type Shared = std::sync::Arc<OnceLock<Server>>;

/// A database, and the name of a schema in it that nobody else uses. It is dropped at the end.
#[derive(Debug)]
pub(crate) struct Database {
    server: Shared,
    source: Source,
    schema: String,
}

impl Database {
    pub(crate) fn new(source: &Source, server: &Shared) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // Servers may be shared with others, and be left as they are by a test that is killed.
        let process = std::process::id();
        let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let time = time.map_or(0, |time| time.as_millis());
        Self {
            server: Shared::clone(server),
            source: source.clone(),
            schema: format!("toolwright \"test\" {time} {process} {number}"),
        }
    }

    /// Another schema of the same server.
    pub(crate) fn another(&self) -> Self {
        Self::new(&self.source, &self.server)
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    pub(crate) fn url(&self) -> &str {
        self.server.get_or_init(|| Server::of(&self.source)).url()
    }

    pub(crate) fn schema(&self) -> &str {
        &self.schema
    }

    /// The name of the schema as a part of a statement.
    pub(crate) fn quoted(&self) -> String {
        format!("\"{}\"", self.schema.replace('"', "\"\""))
    }

    /// Opens a store in the schema.
    pub(crate) async fn store(&self) -> PostgresStore {
        self.open(PostgresOptions::new()).await
    }

    pub(crate) async fn open(&self, options: PostgresOptions) -> PostgresStore {
        let mut config: Config = self.url().parse().expect("it is a URL");
        config.application_name(self.application());
        let opened = options.schema(&self.schema).connect_with(config, NoTls);
        opened.await.expect("the server is there")
    }

    /// The name by which the server knows connections of the stores of this schema.
    pub(crate) fn application(&self) -> &str {
        &self.schema
    }

    /// A connection that looks into the schema.
    pub(crate) async fn client(&self) -> Client {
        let client = client(self.url()).await;
        let look = format!("SET search_path = {}", self.quoted());
        client
            .batch_execute(&look)
            .await
            .expect("a schema is looked into");
        client
    }
}

pub(crate) async fn client(url: &str) -> Client {
    let connected = tokio_postgres::connect(url, NoTls).await;
    let (client, connection) = connected.expect("the server is there");
    tokio::spawn(connection);
    client
}

impl Drop for Database {
    fn drop(&mut self) {
        // A server that was started for the tests goes with all that is in it.
        if let Source::Url(url) = &self.source {
            let drop_schema = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.quoted());
            let url = url.clone();
            let dropping = std::thread::spawn(move || {
                crate::run(async move {
                    if let Ok((client, connection)) = tokio_postgres::connect(&url, NoTls).await {
                        tokio::spawn(connection);
                        let _ = client.batch_execute(&drop_schema).await;
                    }
                });
            });
            let _ = dropping.join();
        }
    }
}

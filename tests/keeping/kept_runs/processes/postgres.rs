//! A PostgreSQL that processes share. A folder has a schema there.

use std::{
    path::Path,
    process::Command,
    sync::{LazyLock, OnceLock},
    thread,
};

use tokio_postgres::NoTls;
use toolwright::store::{PostgresOptions, PostgresStore};

use crate::postgres_server::{self, Server};

/// That of this process, or of the process that has started it. One that was started ends with this process.
static SERVER: LazyLock<Server> = LazyLock::new(|| {
    let source = postgres_server::source();
    Server::of(&source.expect(postgres_server::IGNORED))
});

/// True once a schema was used.
static USED: OnceLock<()> = OnceLock::new();

/// Names the server to a process that this one starts.
pub(super) fn tell(process: &mut Command) {
    process.env(postgres_server::URL, SERVER.url());
}

/// Opens the store of a folder.
pub(super) async fn open(folder: &Path) -> PostgresStore {
    let _ = USED.set(());
    let options = PostgresOptions::new().schema(schema(folder));
    options.connect(SERVER.url()).await.expect("it opens")
}

fn schema(folder: &Path) -> String {
    let name = folder.file_name().expect("it has a name");
    name.to_string_lossy().into_owned()
}

/// Drops the schema of a folder, if it has one.
pub(super) fn forget(folder: &Path) {
    if USED.get().is_none() {
        return;
    }
    let drops = format!("DROP SCHEMA IF EXISTS \"{}\" CASCADE", schema(folder));
    // The test may run in a runtime of its own.
    let dropped = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("it can be made");
        runtime.block_on(async {
            if let Ok((client, connection)) = tokio_postgres::connect(SERVER.url(), NoTls).await {
                tokio::spawn(connection);
                let _ = client.batch_execute(&drops).await;
            }
        });
    });
    let _ = dropped.join();
}

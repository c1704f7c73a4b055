//! Processes that serve one after the other, over one file.

use std::{
    env,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Child,
    sync::Mutex,
    time::Duration,
};

use tokio::sync::watch;
use toolwright::{
    Runner,
    server::{Server, ServerLimits},
    store::SqliteStore,
};

use crate::{
    model::{Slow, tools},
    process,
};

/// The folder of the file.
const FOLDER: &str = "TOOLWRIGHT_TEST_FOLDER";
/// The number of the process.
const NUMBER: &str = "TOOLWRIGHT_TEST_NUMBER";
/// For how long a process that is gone keeps its runs.
const LEASE_TIME: Duration = Duration::from_millis(400);

/// Processes that serve one after the other.
pub(crate) struct Host {
    folder: PathBuf,
    /// The process of today; `None` between two of them.
    process: Mutex<Option<Child>>,
    /// Where it listens.
    server: watch::Sender<Option<Address>>,
}

/// Where a server listens, and its number.
#[derive(Clone, Copy)]
pub(crate) struct Address {
    pub(crate) address: SocketAddr,
    pub(crate) number: u64,
}

impl Host {
    pub(crate) async fn start() -> Self {
        let name = format!("toolwright-cuts-{}", std::process::id());
        let folder = env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("there is a temporary folder");
        let (process, server) = started(folder.clone(), 0).await;
        Self {
            folder,
            process: Mutex::new(Some(process)),
            server: watch::Sender::new(Some(server)),
        }
    }

    /// The server that listens now, or the next one.
    pub(crate) async fn server(&self) -> Address {
        let mut servers = self.server.subscribe();
        let server = servers.wait_for(Option::is_some).await;
        let server = server.expect("the sender is there");
        server.expect("it was waited for")
    }

    pub(crate) fn file(&self) -> PathBuf {
        file(&self.folder)
    }

    /// Kills a server and starts the next one, unless somebody has. It gives true if it did.
    pub(crate) async fn kill(&self, number: u64) -> bool {
        let is_taken = self.server.send_if_modified(|server| {
            let is_it = server.is_some_and(|server| server.number == number);
            if is_it {
                *server = None;
            }
            is_it
        });
        if !is_taken {
            return false;
        }
        let process = self.process.lock().expect("no test panics in it").take();
        let mut process = process.expect("nobody else has taken it");
        process.kill().expect("it is our own");
        process.wait().expect("it is our own");
        let (process, server) = started(self.folder.clone(), number + 1).await;
        *self.process.lock().expect("no test panics in it") = Some(process);
        self.server.send_replace(Some(server));
        true
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let process = self.process.get_mut().map(Option::take);
        if let Ok(Some(mut process)) = process {
            let _ = process.kill();
            let _ = process.wait();
        }
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn file(folder: &Path) -> PathBuf {
    folder.join("chats.db")
}

/// Starts a process, and waits until it listens.
async fn started(folder: PathBuf, number: u64) -> (Child, Address) {
    let started = tokio::task::spawn_blocking(move || {
        let number_text = number.to_string();
        let environment = [(FOLDER, folder.as_os_str()), (NUMBER, number_text.as_ref())];
        let (process, address) = process::start("serves", &environment);
        (process, Address { address, number })
    });
    started.await.expect("it does not panic")
}

/// Serves until this process is killed: every second process in a router of its own.
pub(crate) async fn serve() {
    let folder = env::var_os(FOLDER).expect("it is set by the test that starts this");
    let number = env::var(NUMBER).expect("it is set by the test that starts this");
    let store = SqliteStore::open(file(Path::new(&folder))).await;
    let is_own = number.ends_with(['1', '3', '5', '7', '9']);
    let runner = Runner::builder(Slow(number))
        .tools(tools())
        .store("cuts", store.expect("the folder is there"))
        .lease_time(LEASE_TIME)
        .build()
        .expect("it is consistent");
    let mut limits = ServerLimits::default();
    limits.streams = 1_000;
    let server = Server::new(runner).expect("it has a store").limits(limits);
    let listener = process::listen().await;
    if !is_own {
        return server.serve(listener, std::future::pending()).await;
    }
    let (router, running) = server.into_router(std::future::pending());
    let app = router.into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener, app).with_graceful_shutdown(running);
    serving.await.expect("it is never over");
}

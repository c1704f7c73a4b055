//! A process that serves.

use std::{fs, net::SocketAddr, process::Child, time::Duration};

use futures_util::stream;
use toolwright::{
    ChatModel, Runner,
    model::{FinishReason, ModelEvent, ModelRequest, ModelStream},
    server::{Server, ServerLimits},
    store::MemoryStore,
    toolset,
};

use crate::process;

/// The bytes of an answer.
pub(crate) const LONG: usize = 1 << 20;
/// The bytes of one piece of it.
const PIECE: usize = 1 << 10;

/// A process that serves until this is dropped.
pub(crate) struct Host {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Host {
    pub(crate) fn start() -> Self {
        let (process, address) = process::start("serves", &[]);
        Self { process, address }
    }

    /// Its memory now, in KiB.
    pub(crate) fn memory(&self) -> u64 {
        self.status("VmRSS:")
    }

    /// The most memory that it has had, in KiB.
    pub(crate) fn most_memory(&self) -> u64 {
        self.status("VmHWM:")
    }

    pub(crate) fn open_files(&self) -> usize {
        let path = format!("/proc/{}/fd", self.process.id());
        fs::read_dir(path).expect("it runs").count()
    }

    fn status(&self, name: &str) -> u64 {
        let path = format!("/proc/{}/status", self.process.id());
        let status = fs::read_to_string(path).expect("it runs");
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.split_whitespace().next());
        number
            .and_then(|it| it.parse().ok())
            .expect("it is a number")
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A model that says much.
struct Talkative;

impl ChatModel for Talkative {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let end = ModelEvent::Finished {
            reason: FinishReason::Stop,
            raw: None,
        };
        let pieces = (0..=LONG / PIECE).map(|_| ModelEvent::Text("x".repeat(PIECE)));
        Box::pin(stream::unfold(pieces.chain([end]), async |mut events| {
            let event = events.next()?;
            // Others come in between.
            tokio::time::sleep(Duration::from_micros(100)).await;
            Some((Ok(event), events))
        }))
    }
}

/// Serves until this process is killed.
pub(crate) async fn serve() {
    let runner = Runner::builder(Talkative)
        .tools(toolset![])
        .store("abuse", MemoryStore::new())
        .build()
        .expect("it is consistent");
    let mut limits = ServerLimits::default();
    limits.streams = 1_000;
    limits.header_time = Duration::from_millis(500);
    limits.body_time = Duration::from_secs(3);
    let server = Server::new(runner).expect("it has a store").limits(limits);
    server
        .serve(process::listen().await, std::future::pending())
        .await;
}

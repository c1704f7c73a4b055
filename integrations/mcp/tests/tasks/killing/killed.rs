//! One of two servers is killed at each record of a call, and at random moments.

use std::{
    net::SocketAddr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
};

use rmcp::{
    model::{CallToolResponse, DetailedTask, TaskStatus},
    service::ClientServiceExt,
    transport::{
        StreamableHttpClientTransport, streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use serde_json::json;
use toolwright::store::{RunFilter, RunStatus, Scope, Store};

use super::{
    processes::{Folder, Kind, Numbers, Point, Process, Signal},
    proxy::Proxy,
    serving::began,
};
use crate::{
    client::{self, Capable, Running, answers, capable, result, text, versions},
    exhaustive::is_exhaustive,
};

/// A server in a process of its own.
struct Server {
    process: Process,
    address: SocketAddr,
    /// The number of things that it has said.
    said: Arc<AtomicU64>,
    came_to_point: Arc<AtomicU64>,
}

impl Server {
    fn start(folder: &Path, kind: Kind, point: Option<u64>) -> Self {
        let signal = Signal::Kill;
        let point = point.map(|after| Point { signal, after });
        let (process, mut said) = Process::start("serving::serves_tasks", folder, kind, point, &[]);
        let address = said.find_map(|said| said.strip_prefix("serves ")?.parse().ok());
        let address = address.expect("it says where it serves");
        let (count, came) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let (counted, comes) = (Arc::clone(&count), Arc::clone(&came));
        thread::spawn(move || {
            for said in said {
                counted.fetch_add(1, Ordering::SeqCst);
                if said == "point reached" {
                    comes.fetch_add(1, Ordering::SeqCst);
                }
            }
        });
        Self {
            process,
            address,
            said: count,
            came_to_point: came,
        }
    }
}

/// A client that comes again when a server is gone.
struct Client {
    address: SocketAddr,
    running: Option<Running>,
}

impl Client {
    async fn running(&mut self) -> &Running {
        // Clients of `reqwest` want one, also without TLS, where a package of the build asks for TLS.
        let _ = rustls::crypto::ring::default_provider().install_default();
        while self.running.is_none() {
            let config = StreamableHttpClientTransportConfig::with_uri(format!(
                "http://{}/mcp",
                self.address
            ));
            // Each request is a connection, so that the servers take turns.
            let each = reqwest::Client::builder().pool_max_idle_per_host(0).build();
            let transport = StreamableHttpClientTransport::with_client(each.unwrap(), config);
            let [_, newest] = versions();
            let client = Capable::new(capable()).serve_with_lifecycle(transport, newest);
            self.running = client.await.ok();
        }
        self.running.as_ref().unwrap()
    }

    /// The id of the task of a call; `None` if its server was killed before it has answered.
    async fn begin(&mut self, tool: &'static str, number: u64) -> Option<String> {
        let running = self.running().await;
        match client::call(running, tool, json!({"number": number})).await {
            Ok(CallToolResponse::Task(created)) => Some(created.task.task_id),
            Ok(other) => panic!("no task: {other:?}"),
            Err(_) => {
                self.running = None;
                None
            }
        }
    }

    async fn get(&mut self, id: &str) -> DetailedTask {
        loop {
            match client::get(self.running().await, id).await {
                Ok(task) => return task,
                Err(rmcp::ServiceError::McpError(error)) => panic!("{error:?}"),
                Err(_) => self.running = None,
            }
        }
    }

    async fn ended(&mut self, id: &str) -> DetailedTask {
        loop {
            let task = self.get(id).await;
            if task.status() == TaskStatus::InputRequired {
                let accepts = answers(&task, "accept");
                // If its server was killed, the question comes again, or has its answer.
                if client::update(self.running().await, id, accepts)
                    .await
                    .is_err()
                {
                    self.running = None;
                }
            }
            if task.status().is_terminal() {
                return task;
            }
            tokio::task::yield_now().await;
        }
    }
}

/// One writes, one reads, and one writes that a person has to approve.
pub(super) const TOOLS: [&str; 3] = ["pay", "look", "order"];

/// Calls the tools, and checks what they came to.
async fn calls(client: &mut Client, folder: &Path, number: u64) {
    let mut tasks = Vec::new();
    for tool in TOOLS {
        tasks.push((tool, client.begin(tool, number).await));
    }
    for (tool, id) in tasks {
        let Some(id) = id else { continue };
        let task = client.ended(&id).await;
        assert_eq!(task.status(), TaskStatus::Completed, "{task:?}");
        let result = result(&task);
        let began = began(folder, tool);
        let arguments = format!("{{\"number\":{number}}}");
        let times = began.get(&arguments).copied().unwrap_or_default();
        match (tool, result.is_error) {
            ("pay" | "order", Some(true)) => {
                assert!(
                    text(&result).contains("may have taken effect"),
                    "{result:?}"
                );
            }
            (_, is_error) => {
                assert_ne!(is_error, Some(true), "{tool}: {result:?}");
                assert!(times >= 1, "{tool} {arguments} in {began:?}");
            }
        }
        // Both servers say the same, as often as they are asked.
        for _ in 0..2 {
            assert_eq!(client.get(&id).await, task);
        }
    }
}

/// Checks that each run is over whose client has heard of it, or waits for a person, and that nothing was written twice.
async fn check(folder: &Path, store: &dyn Store) {
    let runs = store.list(Scope::All, &RunFilter::default()).await.unwrap();
    for run in runs.items {
        let id = &run.info.run_id;
        loop {
            let loaded = store.load(Scope::All, id, 0).await.unwrap();
            if loaded.status != RunStatus::Open {
                break;
            }
            let next = loaded.entries.len() as u64;
            store.wait_for_entries(Scope::All, id, next).await.unwrap();
        }
    }
    for tool in ["pay", "order"] {
        for (call, times) in began(folder, tool) {
            assert_eq!(times, 1, "{tool} {call}");
        }
    }
}

async fn killed_at_each_point(kind: Kind) {
    let every = if is_exhaustive() { 1 } else { 4 };
    for at in (0..).step_by(every) {
        let folder = Folder::new(&format!("task-point-{}-{at}", kind.name()));
        let one = Server::start(folder.path(), kind, Some(at));
        let other = Server::start(folder.path(), kind, None);
        let proxy = Proxy::new([one.address, other.address]).await;
        let mut client = Client {
            address: proxy.address,
            running: None,
        };
        calls(&mut client, folder.path(), 1).await;
        calls(&mut client, folder.path(), 2).await;
        check(folder.path(), &*kind.open(folder.path()).await).await;
        if one.came_to_point.load(Ordering::SeqCst) == 0 {
            assert!(at >= 16, "only {at} points");
            return;
        }
    }
}

async fn killed_at_random(kind: Kind, seed: u64) {
    let mut numbers = Numbers(seed);
    let folder = Folder::new(&format!("task-random-{}", kind.name()));
    let start = || Server::start(folder.path(), kind, None);
    let mut servers = [start(), start()];
    let proxy = Proxy::new([servers[0].address, servers[1].address]).await;
    let mut client = Client {
        address: proxy.address,
        running: None,
    };
    for number in 0..if is_exhaustive() { 200 } else { 10 } {
        let victim = (number % 2) as usize;
        let until = servers[victim].said.load(Ordering::SeqCst) + numbers.below(5);
        let turns = numbers.below(2_000_000);
        let done = AtomicBool::new(false);
        let calling = async {
            calls(&mut client, folder.path(), number).await;
            done.store(true, Ordering::SeqCst);
        };
        let killing = async {
            let server = &mut servers[victim];
            while server.said.load(Ordering::SeqCst) < until && !done.load(Ordering::SeqCst) {
                tokio::task::yield_now().await;
            }
            for turn in 0..turns {
                std::hint::black_box(turn);
            }
            server.process.signal(Signal::Kill);
        };
        tokio::join!(calling, killing);
        servers[victim] = start();
        proxy.replace(victim, servers[victim].address);
    }
    check(folder.path(), &*kind.open(folder.path()).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_at_any_point_loses_no_task_in_sqlite() {
    killed_at_each_point(Kind::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_loses_no_task_in_sqlite() {
    killed_at_random(Kind::Sqlite, 37).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL: CONTRIBUTING.md"]
async fn a_server_that_is_killed_at_any_point_loses_no_task_in_postgres() {
    killed_at_each_point(Kind::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PostgreSQL: CONTRIBUTING.md"]
async fn a_server_that_is_killed_loses_no_task_in_postgres() {
    killed_at_random(Kind::Postgres, 41).await;
}

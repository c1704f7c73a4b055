//! A server that runs while a test does.

use std::{net::SocketAddr, sync::Arc};

use axum::Router;
use tokio::{
    net::TcpListener,
    sync::{Semaphore, oneshot},
    task::JoinHandle,
};
use toolwright::{
    ChatModel, ModelResponse, Runner, Tool, ToolCall, Toolset, dispatch::CallOptions,
    runner::RunnerBuilder, server::Server, store::MemoryStore, testing::ScriptedModel, tool,
    tool::Extension, toolset,
};

/// A server that runs until it is stopped or dropped.
pub(crate) struct Rig {
    pub(crate) address: SocketAddr,
    /// Lets calls of `wait` go on.
    pub(crate) gate: Gate,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

impl Rig {
    pub(crate) async fn start(server: Server, gate: Gate) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(server.serve(listener, async {
            let _ = stopped.await;
        }));
        Self {
            address,
            gate,
            stop: Some(stop),
            task,
        }
    }

    /// A server of a model that says this, with the tools of these tests.
    pub(crate) async fn of(replies: impl IntoIterator<Item = ModelResponse>) -> Self {
        Self::with(replies, Server::with_error_details).await
    }

    /// A server of a model that says this, with other settings.
    pub(crate) async fn with(
        replies: impl IntoIterator<Item = ModelResponse>,
        set: impl FnOnce(Server) -> Server,
    ) -> Self {
        let gate = Gate::default();
        let runner = builder(ScriptedModel::new(replies), &gate).build();
        let runner = runner.expect("it is consistent");
        let server = Server::new(runner).expect("it has a store");
        Self::start(set(server), gate).await
    }

    /// Stops it, and waits until it has.
    pub(crate) async fn stop(mut self) {
        drop(self.stop.take());
        self.task.await.expect("it does not panic");
    }
}

/// A server behind a router of the application.
pub(crate) struct Own {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<std::io::Result<()>>,
}

impl Own {
    /// Serves it behind what is added to its router.
    pub(crate) async fn start(server: Server, add: impl FnOnce(Router) -> Router) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let (router, running) = server.into_router(async {
            let _ = stopped.await;
        });
        let listener = TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        let app = add(router).into_make_service_with_connect_info::<SocketAddr>();
        let serving = axum::serve(listener, app).with_graceful_shutdown(running);
        let serving = tokio::spawn(async move { serving.await });
        Self {
            address,
            stop,
            serving,
        }
    }

    /// Stops it, and waits until it has.
    pub(crate) async fn stop(self) {
        drop(self.stop);
        let served = self.serving.await.expect("it does not panic");
        served.expect("it serves");
    }
}

/// A runner of a model, with a store in memory.
pub(crate) fn builder(model: impl ChatModel, gate: &Gate) -> RunnerBuilder {
    let tools = toolset![add, delete_file, wait, AskPage];
    builder_with(tools, model, gate)
}

/// A runner as [`builder`] makes it, with other tools.
pub(crate) fn builder_with(tools: Toolset, model: impl ChatModel, gate: &Gate) -> RunnerBuilder {
    let calls = CallOptions::new().with_extension(gate.clone());
    Runner::builder(model)
        .tools(tools)
        .calls(calls)
        .store("chat", MemoryStore::new())
        .suspends()
}

/// Where calls wait.
#[derive(Clone)]
pub(crate) struct Gate(Arc<Semaphore>);

impl Default for Gate {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }
}

impl Gate {
    /// Lets one call go on.
    pub(crate) fn open(&self) {
        self.0.add_permits(1);
    }

    /// Waits until a call may go on.
    pub(crate) async fn pass(&self) {
        let place = self.0.acquire().await;
        place.expect("it is never closed").forget();
    }
}

/// Add two numbers.
#[tool(read_only)]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Delete a file for ever.
#[tool(approval)]
fn delete_file(path: String) -> String {
    format!("{path} is deleted")
}

/// Wait until the test lets it go on.
#[tool(read_only)]
async fn wait(#[context] gate: Extension<Gate>) -> &'static str {
    gate.pass().await;
    "it went on"
}

/// Ask the page of the user.
#[derive(serde::Deserialize, Tool)]
#[tool(external)]
struct AskPage {
    /// What is asked.
    question: String,
}

/// A reply with calls of one tool.
pub(crate) fn calls<const N: usize>(tool: &str, arguments: [&str; N]) -> ModelResponse {
    let calls = arguments.map(|arguments| ToolCall::new("", tool, arguments));
    ModelResponse::from_calls(calls)
}

pub(crate) fn says(text: &str) -> ModelResponse {
    ModelResponse::from_text(text)
}

//! A server that runs while a test does.

use std::net::SocketAddr;

use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};
use toolwright::{
    ModelResponse, Runner, ToolCall, Toolset, runner::RunnerBuilder, server::Server,
    store::MemoryStore, testing::ScriptedModel, tool, toolset,
};

/// A server that runs until it is stopped or dropped.
pub(crate) struct Rig {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    task: JoinHandle<()>,
}

impl Rig {
    pub(crate) async fn start(server: Server) -> Self {
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
            stop: Some(stop),
            task,
        }
    }

    /// A server of a model that says this, with the tools of these tests.
    pub(crate) async fn of(replies: impl IntoIterator<Item = ModelResponse>) -> Self {
        let server = Server::new(runner(replies)).expect("it has a store");
        Self::start(server).await
    }

    /// Stops it, and waits until it has.
    pub(crate) async fn stop(mut self) {
        drop(self.stop.take());
        self.task.await.expect("it does not panic");
    }
}

/// A runner of a model that says this, with a store in memory.
pub(crate) fn runner(replies: impl IntoIterator<Item = ModelResponse>) -> Runner {
    builder(ScriptedModel::new(replies))
        .build()
        .expect("it is consistent")
}

pub(crate) fn builder(model: ScriptedModel) -> RunnerBuilder {
    Runner::builder(model)
        .tools(tools())
        .store("chat", MemoryStore::new())
        .suspends()
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

fn tools() -> Toolset {
    toolset![add, delete_file]
}

/// A reply with calls of one tool.
pub(crate) fn calls<const N: usize>(tool: &str, arguments: [&str; N]) -> ModelResponse {
    let calls = arguments.map(|arguments| ToolCall::new("", tool, arguments));
    ModelResponse::from_calls(calls)
}

pub(crate) fn says(text: &str) -> ModelResponse {
    ModelResponse::from_text(text)
}

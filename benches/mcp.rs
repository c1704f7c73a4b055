//! A call by the Model Context Protocol, beside a server that is written with `rmcp` alone: a line with the request goes in, the
//! line with the result comes back, in one process. The client does nothing but that.
//!
//! `cargo bench -p toolwright-benches --bench mcp`

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[rustfmt::skip]
#[path = "measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;
#[rustfmt::skip]
#[path = "trip.rs"]
mod trip;
#[rustfmt::skip]
#[path = "measure/types.rs"]
#[allow(dead_code, clippy::all)]
mod types;

use rmcp::{
    ServerHandler, ServiceExt, handler::server::wrapper::Parameters, tool, tool_handler,
    tool_router,
};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf, split},
    sync::Mutex,
};
use toolwright::{ToolError, Toolset, dynamic::DynamicTool, mcp, toolset};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

struct Alone;

#[tool_router]
impl Alone {
    #[tool(description = "Book a trip.")]
    #[allow(clippy::unused_self)]
    async fn book_trip(&self, Parameters(trip): Parameters<types::BookTrip>) {
        std::hint::black_box(trip);
    }
}

#[tool_handler]
impl ServerHandler for Alone {}

/// A connection to a server that has greeted.
struct Line(Mutex<(BufReader<ReadHalf<DuplexStream>>, WriteHalf<DuplexStream>)>);

impl Line {
    async fn to(serve: impl FnOnce(DuplexStream)) -> Self {
        let (here, there) = tokio::io::duplex(1 << 16);
        serve(there);
        let (reader, writer) = split(here);
        let line = Self(Mutex::new((BufReader::new(reader), writer)));
        let begun = line
            .ask(
                r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}"#,
            )
            .await;
        assert!(begun.contains("serverInfo"), "{begun}");
        line.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            .await;
        line
    }

    async fn send(&self, text: &str) {
        let mut line = self.0.lock().await;
        line.1.write_all(text.as_bytes()).await.expect("it listens");
        line.1.write_all(b"\n").await.expect("it listens");
    }

    async fn ask(&self, text: &str) -> String {
        self.send(text).await;
        let mut line = self.0.lock().await;
        let mut answer = String::new();
        line.0.read_line(&mut answer).await.expect("it answers");
        answer
    }
}

async fn ours(tools: Toolset) -> Line {
    let service = mcp::Service::new(tools);
    Line::to(|pipe| {
        tokio::spawn(async move { service.serve(split(pipe)).await });
    })
    .await
}

/// So many tools beside the one that is called.
fn among(others: usize) -> Toolset {
    (0..others).fold(toolset![trip::book_trip], |tools, i| {
        let other = DynamicTool::builder(format!("other_{i}"), "Does something else.");
        let other = other.build(async |_, _| Ok::<_, ToolError>(()));
        let other = other.expect("its definition is valid");
        tools.with(other).expect("its name is its own")
    })
}

fn main() {
    let rounds = harness::arg("rounds", 15);
    let runtime = harness::current_thread();
    let alone = runtime.block_on(Line::to(|pipe| {
        tokio::spawn(async move {
            let running = Alone.serve(split(pipe)).await.expect("it begins");
            running.waiting().await
        });
    }));
    let one = runtime.block_on(ours(among(0)));
    let hundred = runtime.block_on(ours(among(99)));

    let call = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"book_trip","arguments":{}}}}}"#,
        types::ARGS
    );
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.to_owned();
    for (title, request) in [("one call", call), ("a list", list)] {
        let asked = |line| {
            let (line, request): (&Line, &str) = (line, &request);
            move |n| async move {
                for _ in 0..n {
                    let answer = line.ask(request).await;
                    assert!(answer.contains("result"), "{answer}");
                }
            }
        };
        let contestants = [
            harness::c("rmcp alone", asked(&alone)),
            harness::c("toolwright", asked(&one)),
            harness::c("toolwright, among 100 tools", asked(&hundred)),
        ];
        let rows = harness::race(&runtime, &contestants, rounds, 2_000, 200);
        harness::print("mcp", title, &rows, 1.0);
    }
}

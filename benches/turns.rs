//! Turns of a runner, the events of a handle, and what a run holds of a long reply.
//!
//! `cargo bench -p toolwright-benches --bench turns`; `-- calls`, `-- events` and `-- held` are its parts, and
//! `LAB_ONLY=1` in the environment runs the second contestant alone, for a profiler.

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[rustfmt::skip]
#[path = "measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;

use std::{cell::RefCell, collections::HashMap, future::Future, hint::black_box, pin::Pin};

use futures::stream;
use toolwright::{
    ChatModel, ModelResponse, Runner, ToolCall, ToolResult,
    message::{Part, SharedVec},
    model::{FinishReason, ModelEvent, ModelRequest, ModelStream},
    testing::ScriptedModel,
    tool, toolset,
};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

const PARTS: [&str; 3] = ["calls", "events", "held"];

/// How many rounds a run has, and how many calls a round.
const ROUNDS: usize = 10;
const CALLS: usize = 4;

/// How many deltas a long reply has, and of how many bytes.
const DELTAS: usize = 10_000;
const DELTA: usize = 50;

/// Say the position.
#[tool]
async fn tiny(
    /// Position
    i: u64,
) -> u64 {
    i
}

/// What a script says: rounds of calls, and an answer.
fn script() -> Vec<ModelResponse> {
    let call = |round, i| {
        let position = round * CALLS + i;
        ToolCall::new(
            format!("call_{position}"),
            "tiny",
            format!("{{\"i\":{position}}}"),
        )
    };
    let rounds =
        (0..ROUNDS).map(|round| ModelResponse::from_calls((0..CALLS).map(move |i| call(round, i))));
    rounds.chain([ModelResponse::from_text("Done.")]).collect()
}

type ByHand = Box<dyn Fn(&str) -> Pin<Box<dyn Future<Output = Result<String, String>>>>>;

#[derive(serde::Deserialize)]
struct Tiny {
    i: u64,
}

/// One message of the loop by hand.
enum Said {
    Model(SharedVec<Part>),
    Tools(Vec<ToolResult>),
}

/// Looks up each call, decodes its arguments, calls, and pushes the results.
async fn by_hand(tools: &HashMap<&str, ByHand>, script: Vec<ModelResponse>) -> Vec<Said> {
    let mut said = Vec::new();
    for reply in script {
        let mut results = Vec::new();
        for call in &reply.tool_calls {
            let output = tools[call.name.as_str()](&call.arguments).await;
            let output = output.expect("the arguments fit");
            results.push(ToolResult::success(&call.id, output));
        }
        said.push(Said::Model(reply.parts));
        said.push(Said::Tools(results));
    }
    said
}

/// The results of a run by hand, so that they are looked at.
fn results(said: &[Said]) -> usize {
    let results = said.iter().map(|said| match said {
        Said::Model(parts) => {
            black_box(parts.len());
            0
        }
        Said::Tools(results) => results.len(),
    });
    results.sum()
}

fn runner(model: impl ChatModel) -> Runner {
    let runner = Runner::builder(model).tools(toolset![tiny]);
    runner.build().expect("the settings agree")
}

/// Things that are made before they are measured, one for each iteration.
fn stock<T>(count: usize, make: impl Fn() -> T) -> RefCell<Vec<T>> {
    RefCell::new((0..count).map(|_| make()).collect())
}

fn next<T>(stock: &RefCell<Vec<T>>) -> T {
    stock.borrow_mut().pop().expect("there are enough")
}

fn calls(runtime: &tokio::runtime::Runtime, rounds: usize) {
    let iterations = harness::arg("iterations", 100);
    let count = (rounds + 1) * iterations + 20;
    let tiny: ByHand = Box::new(|text| {
        let tiny = serde_json::from_str::<Tiny>(text).map_err(|error| error.to_string());
        Box::pin(async move { Ok(tiny?.i.to_string()) })
    });
    let tools = &HashMap::from([("tiny", tiny)]);
    let scripts = &stock(count, script);
    let model = || runner(ScriptedModel::new(script()));
    let (runs, reads) = (&stock(count, model), &stock(count, model));
    let contestants = [
        harness::c("by hand", |n| async move {
            for _ in 0..n {
                let said = by_hand(tools, next(scripts)).await;
                assert_eq!(results(&said), ROUNDS * CALLS);
            }
        }),
        harness::c("`Runner::run`", |n| async move {
            for _ in 0..n {
                let outcome = next(runs).run("Go.").await.expect("the run answers");
                assert_eq!(outcome.rounds as usize, ROUNDS);
            }
        }),
        harness::c("`RunHandle`, read", |n| async move {
            for _ in 0..n {
                let mut handle = next(reads).start("Go.");
                while let Some(event) = handle.next().await {
                    black_box(event);
                }
                let outcome = handle.outcome().await.expect("the run answers");
                assert_eq!(outcome.rounds as usize, ROUNDS);
            }
        }),
    ];
    let rows = harness::race(
        runtime,
        &contestants,
        rounds,
        iterations as u64,
        iterations as u64,
    );
    let title = format!("{ROUNDS} rounds of {CALLS} trivial calls, for each call");
    #[allow(clippy::cast_precision_loss)]
    harness::print("turns", &title, &rows, (ROUNDS * CALLS) as f64);
}

/// A model that says one long text in many deltas.
struct Long;

impl ChatModel for Long {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let deltas = (0..DELTAS).map(|_| ModelEvent::Text("x".repeat(DELTA)));
        let end = ModelEvent::Finished {
            reason: FinishReason::Stop,
            raw: None,
        };
        Box::pin(stream::iter(deltas.chain([end]).map(Ok)))
    }
}

async fn unread(runner: &Runner) {
    let outcome = runner.run("Go.").await.expect("the run answers");
    assert_eq!(outcome.text.len(), DELTAS * DELTA);
}

async fn read(runner: &Runner) {
    let mut handle = runner.start("Go.");
    let mut events = 0;
    while let Some(event) = handle.next().await {
        events += 1;
        black_box(event);
    }
    let outcome = handle.outcome().await.expect("the run answers");
    assert_eq!(outcome.text.len(), DELTAS * DELTA);
    assert!(events > DELTAS);
}

fn events(runtime: &tokio::runtime::Runtime, rounds: usize) {
    let runner = &runner(Long);
    let contestants = [
        harness::c("nobody reads", |n| async move {
            for _ in 0..n {
                unread(runner).await;
            }
        }),
        harness::c("a fast reader", |n| async move {
            for _ in 0..n {
                read(runner).await;
            }
        }),
    ];
    let rows = harness::race(runtime, &contestants, rounds, 5, 1);
    let title = format!("a reply of {DELTAS} deltas, for each delta");
    #[allow(clippy::cast_precision_loss)]
    harness::print("turns", &title, &rows, DELTAS as f64);
}

fn held(runtime: &tokio::runtime::Runtime) {
    let runner = runner(Long);
    let text = DELTAS * DELTA;
    println!("\n## turns: bytes at the peak of a run, with a reply of {text} bytes");
    let unread = alloc::count(|| runtime.block_on(unread(&runner))).peak;
    let read = alloc::count(|| runtime.block_on(read(&runner))).peak;
    for (name, peak) in [("nobody reads", unread), ("a fast reader", read)] {
        #[allow(clippy::cast_precision_loss)]
        let times = peak as f64 / text as f64;
        println!("{name}: {peak}, {times:.2} times the text");
    }
}

fn main() {
    let rounds = harness::arg("rounds", 31);
    let only: Vec<String> = std::env::args()
        .filter(|argument| PARTS.contains(&argument.as_str()))
        .collect();
    let runs = |part: &str| only.is_empty() || only.iter().any(|name| name == part);
    let runtime = harness::current_thread();
    if runs("calls") {
        calls(&runtime, rounds);
    }
    if runs("events") {
        events(&runtime, rounds);
    }
    if runs("held") {
        held(&runtime);
    }
}

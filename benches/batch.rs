//! One call, text to text, by the name of the tool; batches of one, of eight and of 1,024 trivial ones; what
//! their results hold; and what calls take that wait for their turn.
//!
//! `cargo bench -p toolwright-benches --bench batch`; `-- one`, `-- single`, `-- eight`, `-- many`, `-- held` and
//! `-- queued` are its parts, and `only=1` behind one of the first four runs the second contestant alone, for a
//! profiler.

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[allow(dead_code)]
mod borrowed_trip;
#[rustfmt::skip]
#[path = "measure/floor.rs"]
#[allow(dead_code, clippy::all)]
mod floor;
#[rustfmt::skip]
#[path = "measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;
#[rustfmt::skip]
#[path = "measure/ladder.rs"]
#[allow(dead_code, clippy::all)]
mod ladder;
mod quoted_trip;
#[allow(dead_code)]
mod trip;
#[rustfmt::skip]
#[path = "measure/types.rs"]
#[allow(dead_code, clippy::all)]
mod types;

use std::{future::poll_fn, hint::black_box, pin::pin, task::Poll, time::Duration};

use borrowed_trip::quote_borrowed;
use futures::future::join_all;
use quoted_trip::book_trip;
use toolwright::{
    Dispatch, ToolCall, ToolContext, ToolError, ToolResult, Toolset,
    dispatch::{DispatchEvent, DispatchOptions},
    tool, toolset,
};
use types::{ARGS, EXPECT};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

const PARTS: [&str; 6] = ["one", "single", "eight", "many", "held", "queued"];

/// The time limit of a call by hand, which is that of a batch by default.
const LIMIT: Option<Duration> = Some(Duration::from_secs(60));

/// Say the position.
#[tool]
async fn tiny(
    /// Position
    i: u64,
) -> u64 {
    i
}

/// Ends in one of many ways.
#[tool(read_only)]
async fn mixed(
    /// Position
    i: u64,
) -> Result<u64, ToolError> {
    tokio::task::yield_now().await;
    match i % 10 {
        0 => Err(ToolError::not_found("not there")),
        1 => panic!("on purpose"),
        _ => Ok(i),
    }
}

fn calls(name: &str, count: u64) -> Vec<ToolCall> {
    (0..count)
        .map(|i| ToolCall::new(format!("call_{i}"), name, format!(r#"{{"i":{i}}}"#)))
        .collect()
}

/// All contestants, or the one in the place that is asked for.
fn wanted<'c, 'a>(all: &'c [harness::Contestant<'a>]) -> &'c [harness::Contestant<'a>] {
    let only = harness::arg("only", usize::MAX);
    all.get(only..=only).unwrap_or(all)
}

fn one_call(runtime: &tokio::runtime::Runtime, rounds: usize, iterations: u64) {
    let tools = toolset![book_trip, quote_borrowed];
    let cx = ToolContext::default();
    let set = &ladder::Set::new();
    let call = ToolCall::new("call_1", "book_trip", ARGS);
    let unnamed = ToolCall::new("", "book_trip", ARGS);
    let borrowed = ToolCall::new("call_1", "borrowed", ARGS);
    let through = |call| {
        let (tools, cx) = (&tools, &cx);
        move |n| async move {
            for _ in 0..n {
                let result = tools.call(black_box(call), cx).await;
                assert_eq!(black_box(result.to_model_text()), EXPECT);
            }
        }
    };
    let promised = |name: &'static str| {
        move |n| async move {
            for _ in 0..n {
                let result = set.l4("call_1", name, black_box(ARGS), LIMIT, 0);
                black_box(ladder::len(&result.await));
            }
        }
    };
    let contestants = [
        harness::c("serde, direct await, serde", |n| async move {
            for _ in 0..n {
                assert_eq!(floor::direct(black_box(ARGS)).await, EXPECT);
            }
        }),
        harness::c("`Toolset::call`", through(&call)),
        harness::c("all that is promised, by hand", promised("book_trip")),
        harness::c("`Toolset::call`, a call without an id", through(&unnamed)),
        harness::c(
            "all that is promised, by hand, borrowed",
            promised("borrowed"),
        ),
        harness::c("`Toolset::call`, borrowed", through(&borrowed)),
    ];
    let rows = harness::race(runtime, wanted(&contestants), rounds, iterations, 100);
    harness::print("batch", "one call, text to text", &rows, 1.0);
}

/// Trivial calls, one after the other and at once, by hand and as batches.
struct Trivial {
    registry: floor::Registry,
    set: ladder::Set,
    tools: Toolset,
    options: DispatchOptions,
    calls: Vec<ToolCall>,
}

impl Trivial {
    fn new(count: u64) -> Self {
        Self {
            registry: floor::Registry::new(),
            set: ladder::Set::new(),
            tools: toolset![tiny],
            options: DispatchOptions::default(),
            calls: calls("tiny", count),
        }
    }

    /// With all that is promised of a call, by hand.
    async fn promised(&self, call: &ToolCall) -> ladder::Res {
        let ToolCall {
            id,
            name,
            arguments,
        } = call;
        self.set.l4(id, name, arguments, LIMIT, 0).await
    }

    fn one_after_the_other(&self) -> harness::Contestant<'_> {
        harness::c(
            "one after the other, from a registry",
            move |n| async move {
                for _ in 0..n {
                    for call in black_box(&self.calls) {
                        let text = self.registry.call(&call.name, &call.arguments).await;
                        black_box(text.is_ok());
                    }
                }
            },
        )
    }

    fn joined(&self) -> harness::Contestant<'_> {
        harness::c("`join_all` over a registry", move |n| async move {
            for _ in 0..n {
                let calls = black_box(&self.calls).iter();
                let all = calls.map(|call| self.registry.call(&call.name, &call.arguments));
                black_box(join_all(all).await);
            }
        })
    }

    fn joined_promised(&self) -> harness::Contestant<'_> {
        harness::c(
            "`join_all` over all that is promised",
            move |n| async move {
                for _ in 0..n {
                    let calls = black_box(&self.calls).iter();
                    black_box(join_all(calls.map(|call| self.promised(call))).await);
                }
            },
        )
    }

    fn called(&self) -> harness::Contestant<'_> {
        harness::c("`Toolset::call`", move |n| async move {
            let cx = ToolContext::default();
            for _ in 0..n {
                for call in black_box(&self.calls) {
                    black_box(self.tools.call(call, &cx).await);
                }
            }
        })
    }

    fn dispatched(&self) -> harness::Contestant<'_> {
        harness::c("`Toolset::dispatch_with`", move |n| async move {
            for _ in 0..n {
                let calls = black_box(&self.calls);
                black_box(self.tools.dispatch_with(calls, &self.options).await);
            }
        })
    }
}

fn single_call(runtime: &tokio::runtime::Runtime, rounds: usize, iterations: u64) {
    let one = Trivial::new(1);
    let contestants = [
        one.called(),
        one.dispatched(),
        one.one_after_the_other(),
        one.joined_promised(),
    ];
    let rows = harness::race(runtime, wanted(&contestants), rounds, iterations, 100);
    harness::print("batch", "a batch of one trivial call", &rows, 1.0);
}

fn eight_calls(runtime: &tokio::runtime::Runtime, rounds: usize, iterations: u64) {
    let eight = Trivial::new(8);
    let contestants = [
        eight.joined_promised(),
        eight.dispatched(),
        eight.one_after_the_other(),
        eight.called(),
    ];
    let rows = harness::race(
        runtime,
        wanted(&contestants),
        rounds,
        iterations.div_ceil(8),
        100,
    );
    harness::print("batch", "8 trivial calls", &rows, 8.0);
}

fn many_calls(runtime: &tokio::runtime::Runtime, rounds: usize) {
    const CALLS: u64 = 1_024;
    let many = Trivial::new(CALLS);
    let contestants = [
        many.joined_promised(),
        many.dispatched(),
        many.joined(),
        many.called(),
    ];
    let rows = harness::race(runtime, wanted(&contestants), rounds, 20, 20);
    #[allow(clippy::cast_precision_loss)]
    harness::print("batch", "1,024 trivial calls", &rows, CALLS as f64);
}

/// What results hold beside their texts: the outcomes of a batch, and the same by hand.
fn held(runtime: &tokio::runtime::Runtime) {
    const CALLS: u64 = 1_024;
    let many = Trivial::new(CALLS);
    let results = runtime.block_on(many.tools.dispatch_with(&many.calls, &many.options));
    let texts = |result: &ToolResult| result.call_id.len() + result.to_model_text().len();
    let texts = results.iter().map(texts).sum::<usize>() as u64;
    let ours = alloc::count(|| drop(black_box(results.clone()))).peak;
    let by_hand = alloc::count(|| {
        let each = |call| runtime.block_on(many.promised(call));
        drop(black_box(many.calls.iter().map(each).collect::<Vec<_>>()));
    });
    let [ours, by_hand] = [ours, by_hand.peak].map(|all| (all - texts) / CALLS);
    println!("\n## batch: what 1,024 results hold beside their texts");
    println!("bytes for each: {ours}; by hand: {by_hand}");
}

/// What calls take that have not started, and what a long batch takes apart from its results.
fn queued_calls(runtime: &tokio::runtime::Runtime) {
    const CALLS: u64 = 100_000;
    let (tools, calls) = (toolset![tiny, mixed], calls("mixed", CALLS));
    let options = DispatchOptions::default();
    let counted = alloc::count(|| {
        runtime.block_on(async {
            let mut batch = pin!(tools.dispatch_with(&calls, &options));
            poll_fn(|cx| {
                assert!(batch.as_mut().poll(cx).is_pending());
                Poll::Ready(())
            })
            .await;
        });
    });
    println!("\n## batch: 100,000 calls, of which 8 run");
    println!(
        "bytes for each queued call, at the peak: {}",
        counted.peak / CALLS
    );
    std::panic::set_hook(Box::new(|_| {}));
    for part in [10_000, 100_000] {
        let calls = &calls[..part];
        let counted = alloc::count(|| {
            runtime.block_on(async {
                let mut stream = tools.dispatch_stream(calls, &options);
                while let Some(event) = stream.next().await {
                    if let DispatchEvent::Finished { result, .. } = event {
                        black_box(result);
                    }
                }
            });
        });
        let whole = alloc::count(|| {
            black_box(runtime.block_on(tools.dispatch_with(calls, &options)));
        });
        let results = runtime.block_on(tools.dispatch_with(calls, &options));
        let kept = alloc::count(|| drop(black_box(results.clone())));
        println!(
            "{part} calls of mixed outcomes, peak bytes a call: {} as a batch, {} of it results; \
             {} as a stream",
            whole.peak / part as u64,
            kept.peak / part as u64,
            counted.peak / part as u64
        );
    }
    drop(std::panic::take_hook());
}

fn main() {
    let rounds = harness::arg("rounds", 101);
    let iterations = harness::arg("iterations", 2_000) as u64;
    let runtime = harness::current_thread();
    let is_part = |arg: &String| PARTS.contains(&arg.as_str());
    let parts: Vec<_> = std::env::args().filter(is_part).collect();
    let wanted = |part: &str| parts.is_empty() || parts.iter().any(|named| named == part);
    if wanted("one") {
        one_call(&runtime, rounds, iterations);
    }
    if wanted("single") {
        single_call(&runtime, rounds, iterations);
    }
    if wanted("eight") {
        eight_calls(&runtime, rounds, iterations);
    }
    if wanted("many") {
        many_calls(&runtime, rounds);
    }
    if wanted("held") {
        held(&runtime);
    }
    if wanted("queued") {
        queued_calls(&runtime);
    }
}

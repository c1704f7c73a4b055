//! One call, text to text, by the name of the tool; a batch of trivial ones; and what calls take that
//! wait for their turn.
//!
//! `cargo bench -p toolwright-benches --bench batch`; `-- one`, `-- many` and `-- queued` are its parts, and
//! `only=1` behind `one` or `many` runs the second contestant alone, for a profiler.

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[rustfmt::skip]
#[path = "measure/floor.rs"]
#[allow(dead_code, clippy::all)]
mod floor;
#[rustfmt::skip]
#[path = "measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;
#[allow(dead_code)]
mod trip;
#[rustfmt::skip]
#[path = "measure/types.rs"]
#[allow(dead_code, clippy::all)]
mod types;

use std::{future::poll_fn, hint::black_box, pin::pin, task::Poll};

use futures::future::join_all;
use toolwright::{
    ToolCall, ToolContext, ToolError,
    dispatch::{DispatchEvent, DispatchOptions},
    tool, toolset,
};
use types::{ARGS, BookTrip, Cabin, Contact, EXPECT, Passenger, Quote};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

const PARTS: [&str; 3] = ["one", "many", "queued"];

/// Book a trip.
#[tool]
#[allow(clippy::too_many_arguments)]
async fn book_trip(
    /// City to travel to
    destination: String,
    /// City to depart from
    origin: Option<String>,
    /// Cabin class
    class: Cabin,
    /// Everyone travelling
    passengers: Vec<Passenger>,
    /// Upper limit in EUR
    budget: f64,
    /// Whether dates may move
    flexible: bool,
    /// Free-form labels
    tags: Vec<String>,
    /// How to reach the booker
    contact: Contact,
) -> Quote {
    types::book(BookTrip {
        destination,
        origin,
        class,
        passengers,
        budget,
        flexible,
        tags,
        contact,
    })
    .await
}

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
    let (tools, cx) = (toolset![book_trip], ToolContext::default());
    let (call, unnamed) = (
        ToolCall::new("call_1", "book_trip", ARGS),
        ToolCall::new("", "book_trip", ARGS),
    );
    let through = |call| {
        let (tools, cx) = (&tools, &cx);
        move |n| async move {
            for _ in 0..n {
                let result = tools.call(black_box(call), cx).await;
                assert_eq!(black_box(result.to_model_text()), EXPECT);
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
        harness::c("`Toolset::call`, a call without an id", through(&unnamed)),
    ];
    let rows = harness::race(runtime, wanted(&contestants), rounds, iterations, 100);
    harness::print("batch", "one call, text to text", &rows, 1.0);
}

fn many_calls(runtime: &tokio::runtime::Runtime, rounds: usize) {
    const CALLS: u64 = 1_024;
    let (registry, tools) = (floor::Registry::new(), toolset![tiny]);
    let (calls, options) = (calls("tiny", CALLS), DispatchOptions::default());
    let by_hand = |n| {
        let (registry, calls) = (&registry, &calls);
        async move {
            for _ in 0..n {
                let all = calls
                    .iter()
                    .map(|call| registry.call(&call.name, &call.arguments));
                black_box(join_all(all).await);
            }
        }
    };
    let dispatched = |n| {
        let (tools, calls, options) = (&tools, &calls, &options);
        async move {
            for _ in 0..n {
                black_box(tools.dispatch_with(calls, options).await);
            }
        }
    };
    let contestants = [
        harness::c("join_all over a registry, by hand", by_hand),
        harness::c("`Toolset::dispatch_with`", dispatched),
    ];
    let rows = harness::race(runtime, wanted(&contestants), rounds, 20, 20);
    #[allow(clippy::cast_precision_loss)]
    harness::print("batch", "1,024 trivial calls", &rows, CALLS as f64);
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
    if wanted("many") {
        many_calls(&runtime, rounds);
    }
    if wanted("queued") {
        queued_calls(&runtime);
    }
}

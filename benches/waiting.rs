//! 64 calls that each wait 20 ms, in one batch: how long the batch takes, and whether the results
//! stand in the order of the calls.
//!
//! `cargo bench -p toolwright-benches --bench waiting`

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
#[rustfmt::skip]
#[path = "measure/types.rs"]
#[allow(dead_code, clippy::all)]
mod types;

use std::{num::NonZeroUsize, time::Duration};

use futures::future::join_all;
use toolwright::{
    Dispatch, ToolCall,
    dispatch::{CallOptions, DispatchOptions},
    tool, toolset,
};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

const CALLS: u64 = 64;

/// Wait for a while, then say the position.
#[tool]
async fn nap(
    /// Position
    i: u64,
    /// How long to sleep
    ms: u64,
) -> u64 {
    tokio::time::sleep(Duration::from_millis(ms)).await;
    i
}

fn main() {
    let rounds = harness::arg("rounds", 15);
    let calls: Vec<_> = (0..CALLS)
        .map(|i| {
            ToolCall::new(
                format!("call_{i}"),
                "nap",
                format!(r#"{{"i":{i},"ms":20}}"#),
            )
        })
        .collect();
    let (registry, tools) = (floor::Registry::new(), toolset![nap]);
    let batch = |concurrency: usize| {
        let (tools, calls) = (&tools, &calls);
        let bound = NonZeroUsize::new(concurrency).expect("is not 0");
        let options = DispatchOptions::from(CallOptions::new().with_concurrency(bound));
        move |n| {
            let options = options.clone();
            async move {
                for _ in 0..n {
                    let results = tools.dispatch_with(calls, &options).await;
                    for (i, result) in results.iter().enumerate() {
                        assert_eq!(result.to_model_text(), i.to_string(), "out of order");
                    }
                }
            }
        }
    };
    let by_hand = |n| {
        let (registry, calls) = (&registry, &calls);
        async move {
            for _ in 0..n {
                let all = calls
                    .iter()
                    .map(|call| registry.call(&call.name, &call.arguments));
                assert_eq!(join_all(all).await.len(), calls.len());
            }
        }
    };
    let contestants = [
        harness::c("join_all over a registry, by hand", by_hand),
        harness::c("dispatch, concurrency 64", batch(64)),
        harness::c("dispatch, concurrency 8 (the default)", batch(8)),
    ];
    let rows = harness::race(&harness::current_thread(), &contestants, rounds, 1, 1);
    harness::print("waiting", "64 calls of 20 ms, one batch", &rows, 1.0);
}

//! The same jobs by toolwright and by its peers, in one process: runs over HTTP, one call from text to text, and a call
//! whose arguments do not fit.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml`; behind it `-- runs`, `-- call` and `-- refused` are
//! its parts, `rounds=31` is how often each is measured, and `turns=50` is one of the lengths of runs.

#[rustfmt::skip]
#[path = "../../measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
mod by_genai;
#[path = "../../measure/by_hand.rs"]
mod by_hand;
mod by_rig;
mod by_rmcp;
mod by_swiftide;
mod by_toolwright;
#[rustfmt::skip]
#[path = "../../measure/floor.rs"]
#[allow(dead_code, clippy::all)]
mod floor;
#[rustfmt::skip]
#[path = "../../measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;
#[path = "../../quoted_trip.rs"]
mod quoted_trip;
#[rustfmt::skip]
#[path = "../../measure/server.rs"]
#[allow(dead_code, clippy::all)]
mod server;
#[rustfmt::skip]
#[path = "../../measure/sse.rs"]
#[allow(dead_code, clippy::all)]
mod sse;
#[path = "../../trip.rs"]
#[allow(dead_code)]
mod trip;
#[rustfmt::skip]
#[path = "../../measure/types.rs"]
#[allow(dead_code, clippy::all)]
mod types;

use std::hint::black_box;

use serde_json::value::RawValue;
use server::Server;
use tokio::runtime::Runtime;
use toolwright::provider::{Codec, OpenAiChatCodec};
use types::{ARGS, BookTrip, EXPECT};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

/// A contestant that does a job so many times: what it ends with is what everybody's ends with.
macro_rules! does {
    ($name:literal, $expected:expr, $job:expr) => {
        harness::c($name, |n| async move {
            for _ in 0..n {
                let text = $job.await;
                assert!(black_box($expected).is_none_or(|expected| text == expected));
            }
        })
    };
}

fn runs(runtime: &Runtime, rounds: usize) {
    let server = Server::start();
    let client = &reqwest::Client::new();
    let set = by_toolwright::tools();
    let tools = OpenAiChatCodec::new().tools(&set);
    let tools: &RawValue = serde_json::from_str(tools.as_str()).expect("is JSON");
    let turns = harness::arg("turns", 0);
    for (turns, streamed) in [(10, true), (50, true), (10, false), (50, false)]
        .into_iter()
        .filter(|(length, _)| [0, *length].contains(&turns))
    {
        let url = &server.url(turns);
        let runner = &by_toolwright::runner(url, streamed);
        let rig = &by_rig::agent(url);
        let swiftide = &by_swiftide::model(url, true);
        let swiftide_deltas = &by_swiftide::model(url, false);
        let genai = &by_genai::client(url);
        let booked = Some("All booked.");
        let mut contestants = vec![
            does!(
                "by hand",
                booked,
                by_hand::run(client, url, tools, streamed)
            ),
            does!("toolwright", booked, by_toolwright::run(runner, turns)),
            does!("rig", booked, by_rig::run(rig, streamed)),
            does!("swiftide", booked, by_swiftide::run(swiftide, streamed)),
            does!(
                "genai, a loop by hand",
                booked,
                by_genai::run(genai, streamed)
            ),
        ];
        if streamed {
            contestants.push(does!(
                "swiftide, `stream_full(false)`",
                booked,
                by_swiftide::run(swiftide_deltas, streamed)
            ));
        }
        let rows = harness::race(runtime, &contestants, rounds, 1, 1);
        let form = if streamed { "streamed" } else { "not streamed" };
        let title = format!("{turns} rounds of 4 calls, {form}");
        harness::print("peers", &title, &rows, 1.0);
    }
}

async fn call_by_hand(args: &str) -> String {
    match serde_json::from_str::<BookTrip>(args) {
        Ok(trip) => serde_json::to_string(&types::book(trip).await).expect("is JSON"),
        Err(error) => error.to_string(),
    }
}

/// Everybody's call with these arguments. Where no text is expected, each one's own is printed.
fn calls(runtime: &Runtime, rounds: usize, title: &str, args: &str, expected: Option<&str>) {
    let ours = &by_toolwright::Tools::new();
    let rig = &by_rig::tools();
    let swiftide = &by_swiftide::Tools::new();
    let rmcp = &runtime.block_on(by_rmcp::Tools::new());
    if expected.is_none() {
        println!("\n## peers: {title}: what a model reads");
        println!("by hand: {}", runtime.block_on(call_by_hand(args)));
        println!("toolwright: {}", runtime.block_on(ours.call(args)));
        println!("rig: {}", runtime.block_on(by_rig::call(rig, args)));
        println!("swiftide: {}", runtime.block_on(swiftide.call(args)));
        println!("rmcp: {}", runtime.block_on(rmcp.call(args)));
    }
    let contestants = [
        does!("by hand", expected, call_by_hand(args)),
        does!("toolwright", expected, ours.call(args)),
        does!("rig", expected, by_rig::call(rig, args)),
        does!("swiftide", expected, swiftide.call(args)),
        does!("rmcp", expected, rmcp.call(args)),
    ];
    let rows = harness::race(runtime, &contestants, rounds, 1_000, 100);
    harness::print("peers", title, &rows, 1.0);
}

fn main() {
    let runtime = harness::current_thread();
    if std::env::args().any(|argument| argument == "serve") {
        return runtime.block_on(server::serve_script());
    }
    let rounds = harness::arg("rounds", 15);
    let parts = ["runs", "call", "refused"];
    let named = |part| std::env::args().any(|argument| argument == part);
    let wanted = |part| named(part) || !parts.into_iter().any(named);
    if wanted("call") {
        calls(
            &runtime,
            rounds,
            "one call, text to text",
            ARGS,
            Some(EXPECT),
        );
    }
    if wanted("refused") {
        let args = ARGS.replace("1849.5", r#""a lot""#);
        calls(&runtime, rounds, "a string for a number", &args, None);
    }
    if wanted("runs") {
        runs(&runtime, rounds);
    }
}

//! Calls whose arguments do not fit, from text to the text of the error, beside the error that serde's derive of the
//! same struct gives by hand.
//!
//! `cargo bench -p toolwright-benches --bench refusing`; `case=1` behind it is the second case, and `only=1` runs its
//! second contestant alone, for a profiler.

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[rustfmt::skip]
#[path = "measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;
#[rustfmt::skip]
#[path = "measure/types.rs"]
#[allow(dead_code, clippy::all)]
mod types;

mod trip;

use std::hint::black_box;

use toolwright::{Dispatch, ToolCall, ToolContext, toolset};
use trip::book_trip;
use types::{ARGS, BookTrip};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

/// What is wrong, the part of the arguments that is replaced, and its replacement.
const CASES: [(&str, &str, &str); 4] = [
    (
        "a string for a number",
        r#""budget":1849.5"#,
        r#""budget":"a lot""#,
    ),
    (
        "a string for a number, two levels down",
        r#""age":41"#,
        r#""age":"old""#,
    ),
    ("an argument is missing", r#""flexible":true,"#, ""),
    (
        "an argument is unknown",
        r#""flexible":true"#,
        r#""flexible":true,"seats":2"#,
    ),
];

/// The hand-written side: the struct refuses what it does not know, as a tool does.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Closed {
    destination: String,
    origin: Option<String>,
    class: types::Cabin,
    passengers: Vec<types::Passenger>,
    budget: f64,
    flexible: bool,
    tags: Vec<String>,
    contact: types::Contact,
}

fn main() {
    let rounds = harness::arg("rounds", 101);
    let iterations = harness::arg("iterations", 2_000) as u64;
    let only = harness::arg("only", usize::MAX);
    let runtime = harness::current_thread();
    let (tools, cx) = (&toolset![book_trip], &ToolContext::default());
    assert!(serde_json::from_str::<BookTrip>(ARGS).is_ok());
    let wanted = harness::arg("case", usize::MAX);
    let cases = CASES.get(wanted..=wanted).unwrap_or(&CASES);
    for (case, part, replacement) in cases {
        let text = &ARGS.replace(part, replacement);
        let call = &ToolCall::new("call_1", "book_trip", text.as_str());
        let contestants = [
            harness::c("serde's error, by hand", |n| async move {
                for _ in 0..n {
                    let refused = serde_json::from_str::<Closed>(black_box(text));
                    black_box(refused.err().expect("it does not fit").to_string());
                }
            }),
            harness::c("`Toolset::call`", |n| async move {
                for _ in 0..n {
                    let result = tools.call(black_box(call), cx).await;
                    black_box(result.outcome.expect_err("it does not fit").message.len());
                }
            }),
        ];
        let contestants = contestants.get(only..=only).unwrap_or(&contestants);
        let rows = harness::race(&runtime, contestants, rounds, iterations, 100);
        harness::print("refusing", case, &rows, 1.0);
    }
}

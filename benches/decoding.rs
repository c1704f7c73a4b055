//! Decoding arguments by the name of the tool, from text, beside serde's derive of the same struct
//! called directly: with owned and with borrowed parameters.
//!
//! `cargo bench -p toolwright-benches --bench decoding`

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[allow(dead_code)]
mod borrowed_trip;
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

use borrowed_trip::{Address, Text, Traveller};
use toolwright::{ToolCall, ToolContext, Toolset, tool, tool::Call, toolset};
use trip::book_trip;
use types::{ARGS, BookTrip, BookTripRef, Cabin};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

/// Book a trip.
#[tool(name = "borrowed")]
#[allow(clippy::too_many_arguments)]
async fn book_trip_borrowed(
    /// City to travel to
    destination: &str,
    /// City to depart from
    origin: Option<&str>,
    /// Cabin class
    class: Cabin,
    /// Everyone travelling
    passengers: &[Traveller<'_>],
    /// Upper limit in EUR
    budget: f64,
    /// Whether dates may move
    flexible: bool,
    /// Free-form labels
    tags: &[Text<'_>],
    /// How to reach the booker
    contact: &Address<'_>,
) {
    let (passenger, tag) = (&passengers[0], &tags[0]);
    black_box((destination, origin, class, &passenger.name, passenger.age));
    black_box((budget, flexible, &tag.0, &contact.email));
    black_box(contact.phone.as_ref().map(|phone| &phone.0));
}

async fn by_name(tools: &Toolset, call: &ToolCall, cx: &ToolContext) {
    let tool = tools.find(&call.name).expect("the set has the tool");
    let Call::Async(work) = tool.call(call, cx) else {
        unreachable!("it is an `async fn`")
    };
    let output = work.await.expect("the arguments fit");
    black_box(&output);
}

fn main() {
    let rounds = harness::arg("rounds", 101);
    let iterations = harness::arg("iterations", 2_000) as u64;
    let tools = toolset![book_trip, book_trip_borrowed];
    let cx = ToolContext::default();
    let owned = ToolCall::new("call_1", "book_trip", ARGS);
    let borrowed = ToolCall::new("call_1", "borrowed", ARGS);
    let calls = |call| {
        let (tools, cx) = (&tools, &cx);
        move |n| async move {
            for _ in 0..n {
                by_name(tools, black_box(call), cx).await;
            }
        }
    };
    let contestants = [
        harness::c("serde's derive, called directly", |n| async move {
            for _ in 0..n {
                let trip: BookTrip = serde_json::from_str(black_box(ARGS)).expect("it fits");
                black_box(trip);
            }
        }),
        harness::c("`#[tool]`, owned parameters", calls(&owned)),
        harness::c("`#[tool]`, borrowed parameters", calls(&borrowed)),
        harness::c("serde's derive that borrows, directly", |n| async move {
            for _ in 0..n {
                let trip: BookTripRef<'_> = serde_json::from_str(black_box(ARGS)).expect("it fits");
                black_box(trip);
            }
        }),
    ];
    let runtime = harness::current_thread();
    let rows = harness::race(&runtime, &contestants, rounds, iterations, 100);
    harness::print("decoding", "eight arguments, from text", &rows, 1.0);
}

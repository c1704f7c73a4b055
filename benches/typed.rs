//! A run to an answer of a type, beside a run to a text that serde reads by hand. No network: the model answers at once.
//!
//! `cargo bench -p toolwright-benches --bench typed`; `only=1` behind it runs the second contestant alone, for a profiler.

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[rustfmt::skip]
#[path = "measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;

use std::hint::black_box;

use futures::stream;
use serde::Deserialize;
use toolwright::{
    ChatModel, ModelResponse, Runner, ToolInput,
    model::{ModelRequest, ModelStream},
};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

/// A receipt.
#[derive(Deserialize, ToolInput)]
struct Receipt {
    /// The name of the shop.
    shop: String,
    /// What was bought.
    items: Vec<Item>,
    /// The sum, in cents.
    #[tool(range(1..))]
    cents: u32,
}

/// One line of a receipt.
#[derive(Deserialize, ToolInput)]
struct Item {
    name: String,
    cents: u32,
}

/// A model that takes the schema of an answer, and always says the same.
struct Says(String);

impl ChatModel for Says {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let events = ModelResponse::from_text(self.0.as_str()).into_events();
        Box::pin(stream::iter(events.into_iter().map(Ok)))
    }

    fn takes_answer_schema(&self, _: &ModelRequest) -> bool {
        true
    }
}

fn main() {
    let rounds = harness::arg("rounds", 101);
    let iterations = harness::arg("iterations", 2_000) as u64;
    let only = harness::arg("only", usize::MAX);
    let runtime = harness::current_thread();
    for (items, case) in [(2, "2 items"), (100, "100 items")] {
        let items: Vec<_> = (0..items)
            .map(|item| format!(r#"{{"name": "item {item}", "cents": {item}}}"#))
            .collect();
        let items = items.join(", ");
        let text = format!(r#"{{"shop": "Kiosk", "items": [{items}], "cents": 420}}"#);
        let runner = &Runner::builder(Says(text)).build().expect("is sound");
        let contestants = [
            harness::c("`run`, and serde by hand", |n| async move {
                for _ in 0..n {
                    let outcome = runner.run(black_box("A receipt")).await;
                    let text = outcome.expect("answers").text;
                    let receipt: Receipt = serde_json::from_str(&text).expect("fits");
                    black_box((receipt.shop, receipt.cents));
                    black_box(
                        receipt
                            .items
                            .iter()
                            .map(|item| u64::from(item.cents) + item.name.len() as u64)
                            .sum::<u64>(),
                    );
                }
            }),
            harness::c("`answer_as`", |n| async move {
                for _ in 0..n {
                    let answer = runner
                        .request(black_box("A receipt"))
                        .answer_as::<Receipt>()
                        .run()
                        .await;
                    let receipt = answer.expect("fits").value;
                    black_box((receipt.shop, receipt.cents));
                    black_box(
                        receipt
                            .items
                            .iter()
                            .map(|item| u64::from(item.cents) + item.name.len() as u64)
                            .sum::<u64>(),
                    );
                }
            }),
        ];
        let contestants = contestants.get(only..=only).unwrap_or(&contestants);
        let rows = harness::race(&runtime, contestants, rounds, iterations, 100);
        harness::print("typed", case, &rows, 1.0);
    }
}

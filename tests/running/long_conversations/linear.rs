//! What a run of many rounds allocates, whose conversation is longer than the context window.

use std::sync::atomic::{AtomicU32, Ordering};

use allocation_counter::measure;
use toolwright::{
    ChatModel, ModelResponse, Runner, ToolCall, Toolset,
    model::{ModelRequest, ModelStream},
    run::ContextWindow,
};

use super::WINDOW;
use crate::handwritten::echo;

/// Calls `echo` so often, and then answers.
struct Busy(u32, AtomicU32);

impl ChatModel for Busy {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        let number = self.1.fetch_add(1, Ordering::Relaxed);
        let response = if number < self.0 {
            let text = "found ".repeat(100);
            let arguments = format!(r#"{{"number":{},"text":"{text}"}}"#, 100_000 + number);
            ModelResponse::from_calls([ToolCall::new("a", "echo", arguments)])
        } else {
            ModelResponse::from_text("Done.")
        };
        let events = response.into_events().into_iter().map(Ok);
        Box::pin(futures_util::stream::iter(events))
    }
}

#[test]
fn ten_thousand_rounds_are_linear() {
    let cost = |rounds: u32| {
        let runner = Runner::builder(Busy(rounds, AtomicU32::new(0)))
            .tools(Toolset::new().with(echo()).expect("one tool"))
            .max_rounds(u32::MAX)
            .context_window(ContextWindow::new(WINDOW))
            .build()
            .expect("is consistent");
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().build().expect("starts");
        let cost = measure(|| {
            let outcome = runtime.block_on(runner.run("go")).expect("answers");
            assert_eq!(outcome.rounds, rounds);
            assert!(outcome.compactions > rounds / 200);
        });
        cost.bytes_total
    };
    // Over many compactions each.
    let early = (cost(2_000) - cost(1_000)) / 1_000;
    let late = (cost(10_000) - cost(9_000)) / 1_000;
    eprintln!("bytes of a round: {early}, then {late}");
    assert!(late < early + early / 10, "{early}, then {late}");
}

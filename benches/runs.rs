//! Runs of 10 and of 50 rounds with four calls each, over HTTP from a server in a process of its own, beside the same
//! loop by hand: streamed and not.
//!
//! `cargo bench -p toolwright-benches --bench runs`; `-- turns=50` is one of the lengths, and `streamed=1` or `streamed=2`
//! (not streamed) one of the forms.

#[rustfmt::skip]
#[path = "measure/alloc.rs"]
#[allow(clippy::all)]
mod alloc;
#[path = "measure/by_hand.rs"]
mod by_hand;
#[rustfmt::skip]
#[path = "measure/floor.rs"]
#[allow(dead_code, clippy::all)]
mod floor;
#[rustfmt::skip]
#[path = "measure/harness.rs"]
#[allow(dead_code, clippy::all)]
mod harness;
mod quoted_trip;
#[rustfmt::skip]
#[path = "measure/server.rs"]
#[allow(dead_code, clippy::all)]
mod server;
#[rustfmt::skip]
#[path = "measure/sse.rs"]
#[allow(dead_code, clippy::all)]
mod sse;
#[allow(dead_code)]
mod trip;
#[rustfmt::skip]
#[path = "measure/types.rs"]
#[allow(dead_code, clippy::all)]
mod types;

use quoted_trip::book_trip;
use server::Server;
use toolwright::{
    OpenAiChat, Runner,
    provider::{Codec, OpenAiChatCodec},
    toolset,
};

#[global_allocator]
static COUNTING: alloc::Counting = alloc::Counting;

/// What a run answers, after as many rounds as it should have.
async fn ours(runner: &Runner, turns: usize) -> String {
    let outcome = runner.run("Book it.").await.expect("ends");
    assert_eq!(usize::try_from(outcome.rounds), Ok(turns));
    outcome.text
}

fn main() {
    if std::env::args().any(|argument| argument == "serve") {
        return harness::current_thread().block_on(server::serve_script());
    }
    let rounds = harness::arg("rounds", 15);
    let (only_turns, only_streamed) = (harness::arg("turns", 0), harness::arg("streamed", 0));
    let server = Server::start();
    let runtime = harness::current_thread();
    let client = reqwest::Client::new();
    let set = toolset![book_trip];
    let tools = OpenAiChatCodec::new().tools(&set);
    let tools: &serde_json::value::RawValue =
        serde_json::from_str(tools.as_str()).expect("is JSON");
    for (turns, streamed) in [(10, true), (50, true), (10, false), (50, false)] {
        let form = if streamed { 1 } else { 2 };
        if ![turns, 0].contains(&only_turns) || ![form, 0].contains(&only_streamed) {
            continue;
        }
        let url = server.url(turns);
        let runner = Runner::builder(OpenAiChat::new("m", "key").with_base_url(&url))
            .tools(set.clone())
            .streaming(streamed)
            .max_rounds(60)
            .no_progress(false)
            .build()
            .expect("is a runner");
        let said = runtime.block_on(by_hand::run(&client, &url, tools, streamed));
        assert_eq!(said, runtime.block_on(ours(&runner, turns)));
        let (url, client, runner) = (&url, &client, &runner);
        let contestants = [
            harness::c("by hand", |n| async move {
                for _ in 0..n {
                    by_hand::run(client, url, tools, streamed).await;
                }
            }),
            harness::c("`Runner::run`", |n| async move {
                for _ in 0..n {
                    ours(runner, turns).await;
                }
            }),
        ];
        let rows = harness::race(&runtime, &contestants, rounds, 1, 1);
        let form = if streamed { "streamed" } else { "not streamed" };
        harness::print(
            "runs",
            &format!("{turns} rounds of 4 calls, {form}"),
            &rows,
            1.0,
        );
    }
}

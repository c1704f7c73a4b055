//! Whose time is counted: that of the calls, not that of who reads what happens.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use tokio::time::sleep;
use toolwright::{
    Dispatch, ErrorCategory, ModelResponse, Runner, Tool, ToolCall, ToolContext, ToolDefinition,
    ToolError, ToolOutput, ToolResult, Toolset,
    dispatch::{CallOptions, DispatchEvent, DispatchOptions},
    middleware::around,
    run::Record,
    runner::RunEvent,
    schema::Schema,
    testing::ScriptedModel,
    tool::{Backoff, Call, CancellationToken, ToolPolicy},
};

use crate::{cancelling::cancel_in, handwritten::Handwritten};

const LIMIT: Duration = Duration::from_secs(1);
/// A little less.
const NEARLY: Duration = Duration::from_millis(900);
/// How long the reader takes over each event.
const STORE: Duration = Duration::from_millis(150);
const CALLS: usize = 8;

fn policy() -> ToolPolicy {
    ToolPolicy::default().with_timeout(LIMIT)
}

/// What is left of the limit when the call begins, in milliseconds.
fn left(cx: &ToolContext) -> ToolOutput {
    let left = cx.remaining().expect("there is a limit");
    ToolOutput::text(left.as_millis().to_string())
}

/// Takes nearly all of its time.
fn slow(name: &'static str, policy: ToolPolicy) -> Handwritten {
    let tool = Handwritten::new(name, async |_, cx: ToolContext| {
        let left = left(&cx);
        sleep(NEARLY).await;
        Ok(left)
    });
    tool.with_policy(policy)
}

struct Blocking(ToolDefinition);

impl Tool for Blocking {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn policy(&self) -> ToolPolicy {
        policy()
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        Call::blocking(call, cx, |_, cx| Ok(left(cx)))
    }
}

fn tools() -> Toolset {
    let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
    let layered = Toolset::new().with(slow("layered", policy()));
    let layered = layered.expect("one tool").layer(around(
        async |call, cx, next: toolwright::middleware::Next| next.run(call, cx).await,
    ));
    let tools = layered.with(slow("plain", policy()));
    let tools = tools.and_then(|tools| tools.with(slow("spawned", policy().with_spawn())));
    let blocking = Blocking(ToolDefinition::new("blocking", "Blocks.", schema));
    let tools = tools.and_then(|tools| tools.with(blocking));
    tools.expect("the names differ")
}

fn calls(name: &str) -> Vec<ToolCall> {
    (0..CALLS)
        .map(|id| ToolCall::new(id.to_string(), name, "{}"))
        .collect()
}

const NAMES: [&str; 4] = ["plain", "layered", "spawned", "blocking"];

fn runner(tools: Toolset, calls: Vec<ToolCall>) -> Runner {
    let model = ScriptedModel::new([
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("done"),
    ]);
    let backoff = Backoff::default();
    let builder = Runner::builder(model)
        .tools(tools)
        .calls(CallOptions::new().with_backoff(backoff));
    builder.build().expect("is consistent")
}

/// The results of a run whose reader stores each record.
async fn of_a_run(tools: Toolset, calls: Vec<ToolCall>) -> Vec<ToolResult> {
    let mut handle = runner(tools, calls).start("Go.");
    while let Some(event) = handle.next().await {
        if matches!(event, RunEvent::Recorded { .. }) {
            sleep(STORE).await;
        }
    }
    let outcome = handle.outcome().await.expect("the script ends");
    let round = outcome.tool_rounds().next().expect("there is one");
    round.results.to_vec()
}

async fn of_a_stream(tools: Toolset, calls: Vec<ToolCall>) -> Vec<ToolResult> {
    let options = DispatchOptions::new();
    let mut stream = tools.dispatch_stream(&calls, &options);
    while stream.next().await.is_some() {
        sleep(STORE).await;
    }
    stream.results().await
}

#[tokio::test(start_paused = true)]
async fn a_call_has_its_whole_limit_however_slow_the_reader_is() {
    for name in NAMES {
        let run = of_a_run(tools(), calls(name)).await;
        let stream = of_a_stream(tools(), calls(name)).await;
        for results in [run, stream] {
            assert_eq!(results.len(), CALLS);
            for result in results {
                assert_eq!(result.to_model_text(), "1000", "{name}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn another_attempt_has_its_whole_limit_as_well() {
    let tools = || {
        let policy = policy().with_effects(toolwright::tool::Effects::ReadOnly);
        let tool = Handwritten::new("again", async |_, cx: ToolContext| {
            if cx.attempt() == 1 {
                return Err(ToolError::new(ErrorCategory::NetworkError, "try again"));
            }
            let left = left(&cx);
            sleep(NEARLY).await;
            Ok(left)
        });
        Toolset::new().with(tool.with_policy(policy)).expect("one")
    };
    let run = of_a_run(tools(), calls("again")).await;
    let stream = of_a_stream(tools(), calls("again")).await;
    for result in run.into_iter().chain(stream) {
        assert_eq!(result.to_model_text(), "1000");
    }
}

/// Takes half of the grace to end when it is told.
fn tidy(heard: &Arc<AtomicU32>) -> Toolset {
    let heard = Arc::clone(heard);
    let tool = Handwritten::new("tidy", move |_, cx: ToolContext| {
        let heard = Arc::clone(&heard);
        async move {
            cx.cancelled().await;
            heard.fetch_add(1, Ordering::SeqCst);
            sleep(CallOptions::GRACE / 2).await;
            Ok(ToolOutput::text("tidied up"))
        }
    });
    Toolset::new().with(tool).expect("one tool")
}

#[tokio::test(start_paused = true)]
async fn the_grace_of_a_cancel_is_for_the_calls() {
    let heard = Arc::new(AtomicU32::new(0));
    // More calls than run at once: those that do not start are answered, and read, first.
    let many: Vec<_> = calls("tidy").into_iter().cycle().take(3 * CALLS).collect();
    let mut handle = runner(tidy(&heard), many.clone()).start("Go.");
    let mut started = 0;
    while let Some(event) = handle.next().await {
        let RunEvent::Recorded { record, .. } = event else {
            continue;
        };
        sleep(STORE).await;
        if matches!(record, Record::CallStarted { .. }) {
            started += 1;
            if started == CALLS {
                // They have begun by then.
                cancel_in(Duration::from_millis(1), handle.cancellation());
            }
        }
    }
    let outcome = handle.outcome().await.expect("is cancelled");
    let round = outcome.tool_rounds().next().expect("there is one");
    for result in &round.results[..CALLS] {
        assert_eq!(result.to_model_text(), "tidied up");
    }

    let token = CancellationToken::new();
    let cx = ToolContext::default().with_cancellation(token.clone());
    let options = DispatchOptions::new().with_context(cx);
    let tools = tidy(&heard);
    let mut stream = tools.dispatch_stream(&many, &options);
    let mut started = 0;
    while let Some(event) = stream.next().await {
        sleep(STORE).await;
        if matches!(event, DispatchEvent::Started { .. }) {
            started += 1;
            if started == CALLS {
                cancel_in(Duration::from_millis(1), token.clone());
            }
        }
    }
    for result in &stream.results().await[..CALLS] {
        assert_eq!(result.to_model_text(), "tidied up");
    }
}

#[tokio::test(start_paused = true)]
async fn the_deadline_of_a_stream_begins_when_it_is_read() {
    let calls = calls("plain");
    let options = DispatchOptions::new().with_deadline(LIMIT);
    let tools = tools();
    let stream = tools.dispatch_stream(&calls, &options);
    sleep(2 * LIMIT).await;
    for result in stream.results().await {
        assert!(!result.is_error(), "{result:?}");
    }
}

/// Calls that end one after the other, while others have more steps to go.
#[tokio::test(start_paused = true)]
async fn a_slow_reader_keeps_no_call_from_its_next_step() {
    let steps = || {
        let tool = Handwritten::new("steps", async |call: ToolCall, _| {
            // The last call has five more steps than the others.
            for _ in 0..if call.id == "7" { 15 } else { 10 } {
                sleep(Duration::from_millis(10)).await;
            }
            Ok(ToolOutput::text("done"))
        });
        let tool = tool.with_policy(policy());
        Toolset::new().with(tool).expect("one tool")
    };
    for results in [
        of_a_run(steps(), calls("steps")).await,
        of_a_stream(steps(), calls("steps")).await,
    ] {
        for result in results {
            assert_eq!(result.to_model_text(), "done", "{}", result.call_id);
        }
    }
}

/// Time is tokio's also where a middleware hands on a context that it has made.
#[tokio::test(start_paused = true)]
async fn a_context_of_a_middleware_has_the_clock_of_the_runtime() {
    let policy = ToolPolicy::default().with_timeout(Duration::from_secs(60));
    let tool = Handwritten::new("late", async |_, cx: ToolContext| {
        tokio::time::advance(Duration::from_secs(50)).await;
        Ok(left(&cx))
    });
    let tools = Toolset::new().with(tool.with_policy(policy));
    let tools = tools.expect("one tool").layer(around(
        async |call, _, next: toolwright::middleware::Next| {
            next.run(call, ToolContext::new("made")).await
        },
    ));
    let results = tools.dispatch(&calls("late")[..1]).await;
    let left: u64 = results[0].to_model_text().parse().expect("a number");
    assert!((1..=10_000).contains(&left), "{left} ms are left");
}

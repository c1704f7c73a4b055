//! A batch of one call, and one whose first calls end when they are polled first, and whose others do not.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    task::yield_now,
    time::{sleep, timeout},
};
use toolwright::{
    Dispatch, ErrorCategory, ToolCall, ToolContext, ToolError, ToolOutput, Toolset,
    dispatch::{CallOptions, DispatchOptions},
    middleware::around,
    tool::{CancellationToken, Effects, ToolPolicy},
};

use crate::handwritten::{Handwritten, echo, hang};

const KINDS: [&str; 5] = ["now", "yields", "naps", "again", "alone"];

/// Each start of a call: its id and its key.
type Starts = Arc<Mutex<Vec<(String, String)>>>;

fn tools(starts: &Starts) -> Toolset {
    let tool = |kind| {
        let starts = Arc::clone(starts);
        let work = move |call: ToolCall, cx: ToolContext| {
            let key = cx.idempotency_key().expect("it is in a batch");
            let started = (call.id.clone(), key);
            starts.lock().expect("nothing panics").push(started);
            async move {
                match kind {
                    "yields" => yield_now().await,
                    "naps" => sleep(Duration::from_millis(1)).await,
                    "again" if cx.attempt() == 1 => {
                        return Err(ToolError::new(ErrorCategory::NetworkError, "gone"));
                    }
                    _ => {}
                }
                Ok(ToolOutput::text(call.id))
            }
        };
        Handwritten::new(kind, work).with_policy(match kind {
            "again" => ToolPolicy::default().with_effects(Effects::ReadOnly),
            "alone" => ToolPolicy::default().with_sequential(),
            _ => ToolPolicy::default(),
        })
    };
    let mut all = KINDS.into_iter().map(tool);
    let tools = all.try_fold(Toolset::new(), Toolset::with);
    tools.expect("the names differ")
}

#[tokio::test(start_paused = true)]
async fn each_call_runs_as_often_as_it_should_wherever_the_first_one_waits() {
    let starts = Starts::default();
    let (tools, options) = (tools(&starts), DispatchOptions::default());
    let mut keys = BTreeSet::new();
    for pattern in 0..KINDS.len().pow(4) {
        let kinds = (0..4).map(|place| KINDS[pattern / KINDS.len().pow(place) % KINDS.len()]);
        let calls: Vec<_> = kinds
            .zip(["0", "1", "2", "3"])
            .map(|(kind, id)| ToolCall::new(id, kind, "{}"))
            .collect();
        let results = timeout(
            Duration::from_mins(1),
            tools.dispatch_with(&calls, &options),
        );
        let results = results.await.expect("it ends");
        let starts = std::mem::take(&mut *starts.lock().expect("nothing panics"));
        assert_eq!(results.len(), calls.len());
        for (call, result) in calls.iter().zip(results) {
            assert_eq!(result.to_model_text(), call.id, "{calls:?}");
            let of_call = starts.iter().filter(|(id, _)| *id == call.id);
            let of_call: Vec<_> = of_call.map(|(_, key)| key).collect();
            let attempts = if call.name == "again" { 2 } else { 1 };
            assert_eq!(of_call.len(), attempts, "{calls:?}");
            assert!(of_call.iter().all(|key| *key == of_call[0]), "{of_call:?}");
            assert!(keys.insert(of_call[0].clone()), "of another call");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_first_call_that_waits_can_be_stopped_also_inside_of_middleware() {
    let layered = Toolset::new().with(hang()).expect("one tool").layer(around(
        async |call, cx, next: toolwright::middleware::Next| next.run(call, cx).await,
    ));
    for tools in [layered, Toolset::new().with(hang()).expect("one tool")] {
        let tools = tools.with(echo()).expect("two names");
        for grace in [Duration::ZERO, Duration::from_secs(1)] {
            let token = CancellationToken::new();
            let cx = ToolContext::default().with_cancellation(token.clone());
            let options = DispatchOptions::from(CallOptions::new().with_grace(grace));
            let options = options.with_context(cx);
            let calls = ["echo", "hang", "echo"].map(|name| ToolCall::new("", name, "{}"));
            let cancel = async {
                sleep(Duration::from_secs(1)).await;
                token.cancel();
            };
            let both = async { tokio::join!(tools.dispatch_with(&calls, &options), cancel).0 };
            let results = timeout(Duration::from_secs(10), both).await.expect("ends");
            let errors = results.iter().map(|result| {
                let error = result.outcome.as_ref().err();
                error.map(|error| error.category)
            });
            let stopped = Some(ErrorCategory::Cancelled);
            assert_eq!(errors.collect::<Vec<_>>(), [None, stopped, None]);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_alone_runs_as_often_as_it_should() {
    let starts = Starts::default();
    let (tools, options) = (tools(&starts), DispatchOptions::default());
    for kind in KINDS {
        let call = ToolCall::new("0", kind, "{}");
        let results = tools.dispatch_with(std::slice::from_ref(&call), &options);
        let results = timeout(Duration::from_mins(1), results).await;
        assert_eq!(results.expect("it ends")[0].to_model_text(), "0", "{kind}");
        let attempts = if kind == "again" { 2 } else { 1 };
        let starts = std::mem::take(&mut *starts.lock().expect("nothing panics"));
        assert_eq!(starts.len(), attempts, "{kind}");
        assert!(starts.iter().all(|start| *start == starts[0]), "{starts:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_alone_has_its_grace_and_no_more() {
    let last_words = Handwritten::new("last_words", async |_, cx: ToolContext| {
        cx.cancelled().await;
        sleep(Duration::from_millis(500)).await;
        Ok(ToolOutput::text("heard"))
    });
    let tools = Toolset::new().with(last_words).expect("one tool");
    let calls = [ToolCall::new("", "last_words", "{}")];
    for (grace, is_heard) in [(0, false), (499, false), (1_000, true)] {
        let token = CancellationToken::new();
        let cx = ToolContext::default().with_cancellation(token.clone());
        let calls_options = CallOptions::new().with_grace(Duration::from_millis(grace));
        let options = DispatchOptions::from(calls_options).with_context(cx);
        let cancel = async {
            sleep(Duration::from_secs(1)).await;
            token.cancel();
        };
        let from = tokio::time::Instant::now();
        let both = async { tokio::join!(tools.dispatch_with(&calls, &options), cancel).0 };
        let results = timeout(Duration::from_secs(10), both).await.expect("ends");
        assert_eq!(
            results[0].to_model_text() == "heard",
            is_heard,
            "{grace} ms"
        );
        let took = Duration::from_millis(1_000 + grace.min(500));
        assert!(
            from.elapsed() <= took + Duration::from_millis(2),
            "{grace} ms"
        );
    }
}

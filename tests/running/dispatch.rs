//! Calls run in parallel, answer in order, and touch each other in nothing.

use std::{
    num::NonZeroUsize,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, sleep};
use toolwright::{
    Dispatch, ErrorCategory, Tool, ToolCall, ToolContext, ToolDefinition, ToolError, ToolOutput,
    ToolResult, Toolset,
    dispatch::{CallOptions, DispatchOptions, dispatch_fn},
    schema::Schema,
    tool::{Call, CancellationToken, Effects, ToolPolicy},
};

use crate::handwritten::{Handwritten, crash, echo, fail, hang};

fn tools() -> Toolset {
    let tools = Toolset::new().with(echo()).and_then(|set| set.with(fail()));
    let tools = tools
        .and_then(|set| set.with(crash()))
        .and_then(|set| set.with(hang()));
    tools
        .and_then(|set| set.with(nap()))
        .expect("the names differ")
}

/// Waits for as many milliseconds as its argument text says, then says it again.
fn nap() -> Handwritten {
    Handwritten::new("nap", async |call, _| {
        sleep(Duration::from_millis(call.arguments.parse()?)).await;
        Ok(ToolOutput::text(call.arguments))
    })
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall::new(id, name, arguments)
}

fn category(result: &ToolResult) -> Option<ErrorCategory> {
    result.outcome.as_ref().err().map(|error| error.category)
}

#[tokio::test(start_paused = true)]
async fn results_stand_in_the_order_of_the_calls() {
    let calls: Vec<_> = (0..20)
        .map(|i| call(&i.to_string(), "nap", &(100 - i * 5).to_string()))
        .collect();
    let results = tools().dispatch(&calls).await;
    for (call, result) in calls.iter().zip(&results) {
        assert_eq!(result.call_id, call.id);
        assert_eq!(result.to_model_text(), call.arguments);
    }
    assert_eq!(results.len(), calls.len());
}

#[tokio::test(start_paused = true)]
async fn two_calls_with_one_id() {
    let calls = [
        call("x", "nap", "9"),
        call("x", "nap", "1"),
        call("", "nap", "5"),
        call("", "nap", "3"),
    ];
    let results = tools().dispatch(&calls).await;
    let texts: Vec<_> = results.iter().map(ToolResult::to_model_text).collect();
    assert_eq!(texts, ["9", "1", "5", "3"]);
}

#[tokio::test(start_paused = true)]
async fn at_most_eight_run_at_once_unless_set() {
    for (concurrency, batches) in [(None, 8), (NonZeroUsize::new(64), 1)] {
        let calls: Vec<_> = (0..64).map(|_| call("", "nap", "20")).collect();
        let mut options = CallOptions::new();
        if let Some(concurrency) = concurrency {
            options = options.with_concurrency(concurrency);
        }
        let options = DispatchOptions::from(options);
        let start = Instant::now();
        tools().dispatch_with(&calls, &options).await;
        assert_eq!(start.elapsed(), Duration::from_millis(20) * batches);
    }
}

#[tokio::test(start_paused = true)]
async fn whatever_goes_wrong_is_the_result_of_that_call_alone() {
    let calls = [
        call("1", "echo", "before"),
        call("2", "crash", ""),
        call("3", "fail", ""),
        call("4", "nope", ""),
        call("5", "", ""),
        call("6", "hang", ""),
        call("7", "echo", "after"),
    ];
    let results = tools().dispatch(&calls).await;
    assert_eq!(
        results.iter().map(category).collect::<Vec<_>>(),
        [
            None,
            Some(ErrorCategory::Unknown),
            Some(ErrorCategory::ResourceNotFound),
            Some(ErrorCategory::ResourceNotFound),
            Some(ErrorCategory::ResourceNotFound),
            Some(ErrorCategory::ExecutionTimeout),
            None,
        ]
    );
    let texts: Vec<_> = results.iter().map(ToolResult::to_model_text).collect();
    assert!(!texts[1].contains("secret"), "{}", texts[1]);
    assert!(
        texts[3].contains("`nope`") && texts[3].contains("echo, fail"),
        "{}",
        texts[3]
    );
    assert!(texts[4].contains("names no tool"), "{}", texts[4]);
    assert!(
        texts[5].contains("60s") && texts[5].contains("may have taken effect"),
        "{}",
        texts[5]
    );
    let Err(panic) = &results[1].outcome else {
        panic!("it panicked")
    };
    assert_eq!(
        panic.log.as_deref(),
        Some("the tool panicked: a secret is in this text")
    );
}

#[tokio::test(start_paused = true)]
async fn a_sequential_tool_runs_alone() {
    static RUNNING: AtomicUsize = AtomicUsize::new(0);
    let busy = async |_: ToolCall, _: ToolContext| {
        let beside = RUNNING.fetch_add(1, Ordering::SeqCst);
        sleep(Duration::from_millis(5)).await;
        RUNNING.fetch_sub(1, Ordering::SeqCst);
        ToolOutput::json(&beside)
    };
    let alone = ToolPolicy::default().with_sequential();
    let tools = Toolset::new()
        .with(Handwritten::new("beside", busy))
        .and_then(|set| set.with(Handwritten::new("alone", busy).with_policy(alone)))
        .expect("the names differ");
    let names = ["beside", "beside", "alone", "beside", "alone"];
    let calls = names.map(|name| call("", name, ""));
    let results = tools.dispatch(&calls).await;
    let beside: Vec<_> = results
        .iter()
        .map(|result| result.to_model_text().into_owned())
        .collect();
    assert_eq!(beside, ["0", "1", "0", "0", "0"]);
}

#[tokio::test(start_paused = true)]
async fn the_time_limit_of_a_tool_wins_over_the_batch() {
    let policy = ToolPolicy::default()
        .with_timeout(Duration::from_millis(10))
        .with_effects(Effects::ReadOnly)
        .with_retries(0);
    let tools = Toolset::new()
        .with(hang().with_policy(policy))
        .expect("one tool");
    let start = Instant::now();
    let results = tools.dispatch(&[call("", "hang", "")]).await;
    assert_eq!(start.elapsed(), Duration::from_millis(10));
    let text = results[0].to_model_text();
    assert!(
        text.contains("10ms") && !text.contains("taken effect"),
        "{text}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_batch_keeps_what_is_finished_and_answers_the_rest() {
    let token = CancellationToken::new();
    let options = DispatchOptions::from(
        CallOptions::new().with_concurrency(NonZeroUsize::new(2).expect("not 0")),
    )
    .with_context(ToolContext::default().with_cancellation(token.clone()));
    let calls = [
        call("a", "nap", "1"),
        call("b", "hang", ""),
        call("c", "hang", ""),
        call("d", "echo", ""),
    ];
    let tools = tools();
    let batch = tools.dispatch_with(&calls, &options);
    let cancel = async {
        sleep(Duration::from_millis(5)).await;
        token.cancel();
    };
    let (results, ()) = tokio::join!(batch, cancel);
    assert_eq!(results[0].to_model_text(), "1");
    for result in &results[1..] {
        assert_eq!(category(result), Some(ErrorCategory::Cancelled));
    }
    assert!(results[2].to_model_text().contains("while it ran"));
    assert!(results[3].to_model_text().contains("not executed"));

    let results = tools.dispatch_with(&calls, &options).await;
    assert!(
        results
            .iter()
            .all(|result| result.to_model_text().contains("not executed"))
    );
}

struct Blocking(ToolDefinition);

impl Tool for Blocking {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        Call::blocking(call, cx, |call, cx| match call.arguments.as_str() {
            "panic" => panic!("blocked and broke"),
            "wait" => {
                while !cx.is_cancelled() {
                    std::thread::yield_now();
                }
                Ok(ToolOutput::default())
            }
            other => Ok(ToolOutput::text(other)),
        })
    }
}

#[tokio::test]
async fn a_blocking_tool_is_waited_for_and_told_to_stop() {
    let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
    let tools = Toolset::new()
        .with(Blocking(ToolDefinition::new(
            "block",
            "Blocks its thread.",
            schema,
        )))
        .expect("one tool");
    let results = tools.dispatch(&[call("", "block", "panic")]).await;
    assert_eq!(category(&results[0]), Some(ErrorCategory::Unknown));

    let options = DispatchOptions::from(CallOptions::new().with_timeout(Duration::from_millis(1)));
    let results = tools
        .dispatch_with(&[call("", "block", "wait")], &options)
        .await;
    assert!(results[0].to_model_text().contains("longer than 1ms"));

    let result = tools
        .call(&call("x", "block", "hello"), &ToolContext::default())
        .await;
    assert_eq!(
        (result.call_id.as_str(), &*result.to_model_text()),
        ("x", "hello")
    );
}

#[tokio::test]
async fn a_closure_runs_the_calls_of_people_without_a_toolset() {
    let calls: Vec<_> = (0..10)
        .map(|i| call(&i.to_string(), "square", &i.to_string()))
        .collect();
    let seen = Arc::new(AtomicUsize::new(0));
    // Spawned, so that the future is known to be `Send`.
    let task = tokio::spawn({
        let (calls, seen) = (calls.clone(), Arc::clone(&seen));
        async move {
            dispatch_fn(&calls, &DispatchOptions::default(), async |call, cx| {
                assert_eq!(cx.call_id(), call.id);
                seen.fetch_add(1, Ordering::SeqCst);
                let n: u32 = call.arguments.parse()?;
                if n == 3 {
                    return Err(ToolError::invalid_arguments("not three"));
                }
                assert_ne!(n, 7, "seven panics");
                Ok(n * n)
            })
            .await
        }
    });
    let results = task.await.expect("no panic leaves the batch");
    assert_eq!(seen.load(Ordering::SeqCst), 10);
    for (i, result) in results.iter().enumerate() {
        match i {
            3 => assert_eq!(category(result), Some(ErrorCategory::InvalidArguments)),
            7 => assert_eq!(category(result), Some(ErrorCategory::Unknown)),
            _ => assert_eq!(result.to_model_text(), (i * i).to_string()),
        }
    }
}

/// What a call has started is told to stop when its time is up, and when it is dropped.
#[tokio::test(start_paused = true)]
async fn a_call_that_does_not_end_tells_what_it_has_started() {
    let tokens = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&tokens);
    let tool = Handwritten::new("spawn", move |call: ToolCall, cx: ToolContext| {
        kept.lock().expect("nothing panics").push(cx.cancellation());
        async move {
            match call.arguments.as_str() {
                "wait" => std::future::pending().await,
                _ => Ok(ToolOutput::default()),
            }
        }
    });
    let tools = Toolset::new().with(tool).expect("one tool");
    let token = |place: usize| tokens.lock().expect("nothing panics")[place].clone();

    let options = DispatchOptions::from(CallOptions::new().with_timeout(Duration::from_secs(1)));
    tools
        .dispatch_with(&[call("", "spawn", "wait")], &options)
        .await;
    assert!(token(0).is_cancelled(), "its time was up");

    tools
        .dispatch_with(&[call("", "spawn", "end")], &options)
        .await;
    assert!(!token(1).is_cancelled(), "it came to its own end");

    let calls = [call("", "spawn", "wait")];
    let batch = tools.dispatch(&calls);
    assert!(
        tokio::time::timeout(Duration::from_secs(1), batch)
            .await
            .is_err()
    );
    assert!(token(2).is_cancelled(), "it was dropped");
}

#[tokio::test]
async fn a_closure_that_panics_at_once_is_one_result() {
    let calls = [call("a", "boom", ""), call("b", "fine", "")];
    let run = |call: &ToolCall, _| {
        assert_ne!(call.name, "boom", "before there is a future");
        async { Ok::<_, ToolError>("fine") }
    };
    let results = dispatch_fn(&calls, &DispatchOptions::default(), run).await;
    assert!(results[0].is_error());
    assert_eq!(results[1].to_model_text(), "fine");
}

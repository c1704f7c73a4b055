//! Calls that are told to stop: by a cancel, by the end of their time, by being dropped.

use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    runtime::Handle,
    time::{Instant, sleep},
};
use toolwright::{
    Dispatch, ErrorCategory, ModelResponse, Runner, Tool, ToolCall, ToolContext, ToolDefinition,
    ToolError, ToolOutput, ToolResult, Toolset,
    dispatch::{CallOptions, DispatchOptions, dispatch_fn},
    run::{Finish, Record},
    runner::RunEvent,
    schema::Schema,
    testing::ScriptedModel,
    tool::{Call, CancellationToken, Effects, ToolPolicy},
};

use crate::{
    cancelling::cancel_in,
    handwritten::{Handwritten, echo, hang},
};

/// Ends as many milliseconds after it was told to stop as its argument says, with its last words.
fn slow_to_stop() -> Handwritten {
    Handwritten::new("slow", async |call, cx| {
        cx.cancelled().await;
        sleep(Duration::from_millis(call.arguments.parse()?)).await;
        Ok(ToolOutput::text("last words"))
    })
}

fn set(tools: impl IntoIterator<Item = Handwritten>) -> Toolset {
    let mut tools = tools.into_iter();
    tools
        .try_fold(Toolset::new(), Toolset::with)
        .expect("the names differ")
}

fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall::new("", name, arguments)
}

fn texts(results: &[ToolResult]) -> Vec<String> {
    results
        .iter()
        .map(|result| result.to_model_text().into_owned())
        .collect()
}

/// The first call cancels the batch. The second one has started by then, and has not had its turn.
#[tokio::test(start_paused = true)]
async fn what_has_started_does_not_begin_after_a_cancel() {
    for grace in [Duration::ZERO, Duration::from_secs(5)] {
        let token = CancellationToken::new();
        let options = DispatchOptions::from(CallOptions::new().with_grace(grace))
            .with_context(ToolContext::default().with_cancellation(token.clone()));
        let begun = Arc::new(AtomicUsize::new(0));
        let (counted, cancels) = (Arc::clone(&begun), token.clone());
        let tools = set([Handwritten::new("cancel", move |_, _| {
            counted.fetch_add(1, Ordering::Relaxed);
            cancels.cancel();
            async { Ok(ToolOutput::text("done")) }
        })]);
        let calls = [call("cancel", "{}"), call("cancel", "{}")];
        let check = |results: &[ToolResult]| {
            assert_eq!(begun.swap(0, Ordering::Relaxed), 1, "bodies that began");
            let [first, second] = results else {
                panic!("one for each call: {results:?}");
            };
            assert_eq!(first.to_model_text(), "done");
            let error = second.outcome.as_ref().expect_err("it never ran");
            assert_eq!(error.category, ErrorCategory::Cancelled);
            assert!(error.message.contains("not executed"), "{error}");
        };
        check(&tools.dispatch_with(&calls, &options).await);

        let token = CancellationToken::new();
        let options = options.with_context(ToolContext::default().with_cancellation(token.clone()));
        let results = dispatch_fn(&calls, &options, |_, _| {
            let (begun, token) = (&begun, &token);
            async move {
                begun.fetch_add(1, Ordering::Relaxed);
                token.cancel();
                Ok::<_, ToolError>("done")
            }
        });
        check(&results.await);
    }
}

/// Cancels a batch after a second and says how long it went on.
async fn cancel(tools: &Toolset, calls: &[ToolCall], grace: Duration) -> (Vec<String>, Duration) {
    let token = CancellationToken::new();
    let options = DispatchOptions::from(CallOptions::new().with_grace(grace))
        .with_context(ToolContext::default().with_cancellation(token.clone()));
    let stop = async {
        sleep(Duration::from_secs(1)).await;
        token.cancel();
        Instant::now()
    };
    let (results, cancelled) = tokio::join!(tools.dispatch_with(calls, &options), stop);
    (texts(&results), cancelled.elapsed())
}

#[tokio::test(start_paused = true)]
async fn what_ends_within_the_grace_is_kept() {
    let tools = set([slow_to_stop(), hang(), echo()]);
    let calls = [call("slow", "50"), call("slow", "500"), call("hang", "")];
    let (texts, took) = cancel(&tools, &calls, CallOptions::GRACE).await;
    assert_eq!(texts[0], "last words");
    for text in &texts[1..] {
        assert!(
            text.contains("while it ran; it may have taken effect"),
            "{text}"
        );
    }
    assert_eq!(took, Duration::from_millis(250));

    let (texts, took) = cancel(&tools, &calls[..1], CallOptions::GRACE).await;
    assert_eq!(
        (texts[0].as_str(), took),
        ("last words", Duration::from_millis(50))
    );

    let (texts, took) = cancel(&tools, &calls, Duration::ZERO).await;
    assert!(texts.iter().all(|text| text.contains("while it ran")));
    assert_eq!(took, Duration::ZERO);

    let (texts, _) = cancel(&tools, &[call("slow", "0")], Duration::ZERO).await;
    assert_eq!(texts, ["last words"], "what ends when it is told is kept");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_run_waits_for_its_calls_as_long() {
    for (grace, kept, took) in [(250, true, 50), (20, false, 20), (0, false, 0)] {
        let model = ScriptedModel::new([ModelResponse::from_calls([
            call("slow", "50"),
            call("hang", ""),
            call("echo", ""),
        ])]);
        let runner = Runner::builder(model)
            .tools(set([slow_to_stop(), hang(), echo()]))
            .calls(
                CallOptions::new()
                    .with_grace(Duration::from_millis(grace))
                    .with_concurrency(NonZeroUsize::new(2).unwrap()),
            );
        let mut handle = runner.build().expect("builds").start("question");
        let mut cancelled = Instant::now();
        while let Some(event) = handle.next().await {
            if let RunEvent::Recorded { record, .. } = event {
                match record {
                    Record::CallStarted { call, .. } if call.index == 1 => {
                        // They have begun by then.
                        let soon = Duration::from_millis(1);
                        cancelled = Instant::now() + soon;
                        cancel_in(soon, handle.cancellation());
                    }
                    Record::CallFinished { call, .. } if call.index == 0 => {
                        assert_eq!(cancelled.elapsed(), Duration::from_millis(took));
                    }
                    _ => {}
                }
            }
        }
        assert_eq!(cancelled.elapsed(), Duration::from_millis(grace));
        let outcome = handle.outcome().await.expect("is an outcome");
        assert_eq!(outcome.finish, Finish::Cancelled);
        let texts = texts(&outcome.tool_rounds().next().expect("one round").results);
        assert_eq!(texts[0] == "last words", kept, "{texts:?}");
        assert!(texts[1].contains("while it ran"));
        assert!(texts[2].contains("not executed"));
    }
}

#[tokio::test(start_paused = true)]
async fn at_its_deadline_a_batch_answers_everything() {
    let reads = ToolPolicy::default().with_effects(Effects::ReadOnly);
    let tools = set([hang(), echo(), slow_to_stop().with_policy(reads)]);
    let calls = [
        call("echo", "fine"),
        call("hang", ""),
        call("slow", "0"),
        call("echo", ""),
    ];
    let options = DispatchOptions::from(
        CallOptions::new().with_concurrency(NonZeroUsize::new(2).expect("is not 0")),
    )
    .with_deadline(Duration::from_secs(5));
    let start = Instant::now();
    let results = tools.dispatch_with(&calls, &options).await;
    assert_eq!(start.elapsed(), Duration::from_secs(5));
    let texts = texts(&results);
    assert_eq!(texts[0], "fine");
    assert!(texts[1].contains("executionTimeout") && texts[1].contains("taken effect"));
    assert!(texts[2].contains("executionTimeout") && texts[2].contains("5s"));
    assert!(texts[3].contains("not executed"), "{texts:?}");
}

#[tokio::test(start_paused = true)]
async fn a_call_knows_how_much_time_it_has() {
    let tool = Handwritten::new("time", async |_, cx| {
        sleep(Duration::from_secs(1)).await;
        let left = cx.remaining().map(|left| left.as_secs());
        Ok(ToolOutput::text(format!("{left:?}")))
    });
    let tools = set([tool]);
    for (timeout, deadline, left) in [
        (Some(5), None, "Some(4)"),
        (Some(5), Some(3), "Some(2)"),
        (None, None, "None"),
    ] {
        let options = DispatchOptions::from(
            CallOptions::new().with_timeout(timeout.map(Duration::from_secs)),
        )
        .with_deadline(deadline.map(Duration::from_secs));
        let results = tools.dispatch_with(&[call("time", "")], &options).await;
        assert_eq!(results[0].to_model_text(), left);
    }
}

/// Says when it has started, and blocks until it is let go.
struct Blocking(ToolDefinition, CancellationToken, Arc<AtomicBool>);

impl Tool for Blocking {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        let (started, release) = (self.1.clone(), Arc::clone(&self.2));
        Call::blocking(call, cx, move |_, _| {
            started.cancel();
            while !release.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
            Ok(ToolOutput::default())
        })
    }
}

#[tokio::test]
async fn a_function_that_blocks_is_said_to_run_on() {
    let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
    let definition = ToolDefinition::new("block", "Blocks its thread.", schema);
    let release = Arc::new(AtomicBool::new(false));
    let started = CancellationToken::new();
    let tool = Blocking(definition, started.clone(), Arc::clone(&release));
    let tools = Toolset::new().with(tool).expect("one tool");
    let token = CancellationToken::new();
    let options = DispatchOptions::from(CallOptions::new().with_grace(Duration::from_millis(1)))
        .with_context(ToolContext::default().with_cancellation(token.clone()));
    let calls = [call("block", "")];
    let stop = async {
        started.cancelled().await;
        token.cancel();
    };
    let (results, ()) = tokio::join!(tools.dispatch_with(&calls, &options), stop);
    let text = results[0].to_model_text();
    assert!(
        text.contains("may still be running; it may have taken effect"),
        "{text}"
    );
    release.store(true, Ordering::SeqCst);
}

/// Counts those that are there.
struct Alive(Arc<AtomicUsize>);

impl Alive {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(count))
    }
}

impl Drop for Alive {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_with_a_task_of_its_own_ends_with_the_batch() {
    let alive = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&alive);
    let work = move |call: ToolCall, _| {
        let alive = Alive::new(&counted);
        async move {
            let _alive = alive;
            match call.arguments.as_str() {
                "panic" => panic!("in a task"),
                "hang" => std::future::pending().await,
                other => Ok(ToolOutput::text(other)),
            }
        }
    };
    let policy = ToolPolicy::default().with_spawn();
    let tools = set([Handwritten::new("task", work).with_policy(policy)]);
    let calls = ["fine", "panic", "hang"].map(|text| call("task", text));
    let options = DispatchOptions::from(CallOptions::new().with_timeout(Duration::from_secs(1)));
    let results = tools.dispatch_with(&calls, &options).await;
    let texts = texts(&results);
    assert_eq!(texts[0], "fine");
    assert!(texts[1].contains("internal error"), "{texts:?}");
    assert!(texts[2].contains("was stopped"), "{texts:?}");

    let batch = tools.dispatch(&calls[2..]);
    assert!(
        tokio::time::timeout(Duration::from_millis(1), batch)
            .await
            .is_err()
    );
    sleep(Duration::from_millis(1)).await;
    assert_eq!(alive.load(Ordering::SeqCst), 0);
    assert_eq!(Handle::current().metrics().num_alive_tasks(), 0);
}

struct PanicsInDrop;

impl Drop for PanicsInDrop {
    fn drop(&mut self) {
        panic!("while it is dropped");
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_while_a_call_is_dropped_is_its_result() {
    let tool = Handwritten::new("drop", async |_, _| {
        let _panics = PanicsInDrop;
        std::future::pending().await
    });
    let tools = set([tool, echo()]);
    let calls = [call("drop", ""), call("echo", "fine")];
    let options = DispatchOptions::from(CallOptions::new().with_timeout(Duration::from_secs(1)));
    let results = tools.dispatch_with(&calls, &options).await;
    let category = results[0]
        .outcome
        .as_ref()
        .err()
        .map(|error| error.category);
    assert_eq!(category, Some(ErrorCategory::Unknown));
    assert_eq!(results[1].to_model_text(), "fine");

    let (texts, _) = cancel(&tools, &calls, Duration::ZERO).await;
    assert!(texts[0].contains("internal error"), "{texts:?}");
}

//! A batch and a run end when they are over, wherever their calls wait.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures_util::{StreamExt, stream::FuturesUnordered};
use tokio::time::{Instant, sleep};
use toolwright::{
    Dispatch, ModelResponse, Runner, Tool, ToolCall, ToolContext, ToolDefinition, ToolError,
    ToolOutput, ToolResult, Toolset,
    dispatch::{CallOptions, DispatchOptions, OversizedOutput},
    middleware::{Next, after, around, before, layered},
    run::{Finish, Record},
    runner::RunEvent,
    schema::Schema,
    testing::ScriptedModel,
    tool::{Call, CancellationToken, ToolPolicy},
};

use crate::{
    cancelling::cancel_in,
    handwritten::{Handwritten, echo, hang},
};

fn set(tool: impl Tool) -> Toolset {
    Toolset::new().with(tool).expect("one tool")
}

fn call(name: &str) -> ToolCall {
    ToolCall::new("", name, "x".repeat(400))
}

/// Tools whose calls wait for ever around the tool or in it, and what a result says of each.
fn waiting() -> Vec<(&'static str, Toolset, &'static str)> {
    let never = std::future::pending::<()>;
    vec![
        (
            "echo",
            set(echo()).layer(before(move |call, _| async move {
                never().await;
                Ok(call)
            })),
            "start",
        ),
        (
            "echo",
            set(echo()).layer(after(move |_, _, outcome| async move {
                never().await;
                outcome
            })),
            "may have taken effect",
        ),
        (
            "hang",
            set(hang()).layer(around(async |call, cx, next: Next| {
                let task = tokio::spawn(next.run(call, cx));
                task.await.expect("it is not aborted")
            })),
            "may have taken effect",
        ),
        (
            "hang",
            set(hang()).layer(around(async |call, cx, next: Next| {
                let mut inside = FuturesUnordered::from_iter([Box::pin(next.run(call, cx))]);
                inside.next().await.expect("one is in it")
            })),
            "may have taken effect",
        ),
        ("echo", set(echo()), "left out"),
    ]
}

fn options() -> CallOptions {
    let sink = async |_: OversizedOutput| std::future::pending().await;
    CallOptions::new()
        .with_timeout(None)
        .with_max_output(200)
        .with_overflow(sink)
}

/// The text of the one result, which has to come before an hour has passed, and when it came.
async fn run(tools: &Toolset, name: &str, options: &DispatchOptions) -> (String, Duration) {
    let (start, calls) = (Instant::now(), [call(name)]);
    let batch = tools.dispatch_with(&calls, options);
    let results = tokio::time::timeout(Duration::from_hours(1), batch).await;
    let results = results.expect("the batch ends");
    let text = match &results[0].outcome {
        Ok(output) => output.to_text().into_owned(),
        Err(error) => error.message.clone(),
    };
    (text, start.elapsed())
}

#[tokio::test(start_paused = true)]
async fn at_the_deadline_a_call_is_over_wherever_it_waits() {
    for (place, (name, tools, says)) in waiting().into_iter().enumerate() {
        // Errors are cut as well.
        let mut options = options();
        if says != "left out" {
            options = options.with_max_output(None);
        }
        let options = DispatchOptions::from(options).with_deadline(Duration::from_secs(5));
        let (text, took) = run(&tools, name, &options).await;
        assert!(text.contains(says), "{place}: {text}");
        assert_eq!(took, Duration::from_secs(5), "{place}: {text}");
    }
    sleep(Duration::from_millis(1)).await;
    let tasks = tokio::runtime::Handle::current().metrics();
    assert_eq!(tasks.num_alive_tasks(), 0, "what was detached is stopped");
}

#[tokio::test(start_paused = true)]
async fn after_the_grace_a_cancelled_call_is_over_wherever_it_waits() {
    for (place, (name, tools, says)) in waiting().into_iter().enumerate() {
        for grace in [0, 250] {
            let token = CancellationToken::new();
            let mut options = options().with_grace(Duration::from_millis(grace));
            if says != "left out" {
                options = options.with_max_output(None);
            }
            let context = ToolContext::default().with_cancellation(token.clone());
            let options = DispatchOptions::from(options).with_context(context);
            let stop = async {
                sleep(Duration::from_secs(1)).await;
                token.cancel();
            };
            let ((text, took), ()) = tokio::join!(run(&tools, name, &options), stop);
            assert!(text.contains(says), "{place}: {text}");
            assert_eq!(took, Duration::from_millis(1_000 + grace), "{place}");
        }
    }
    sleep(Duration::from_millis(1)).await;
    let tasks = tokio::runtime::Handle::current().metrics();
    assert_eq!(tasks.num_alive_tasks(), 0, "what was detached is stopped");
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_run_ends_wherever_its_calls_wait() {
    for (name, tools, says) in waiting() {
        if says == "left out" {
            continue;
        }
        let model = ScriptedModel::new([ModelResponse::from_calls([call(name)])]);
        let runner = Runner::builder(model).tools(tools).build();
        let mut handle = runner.expect("builds").start("question");
        let read = async {
            while let Some(event) = handle.next().await {
                if let RunEvent::Recorded { record, .. } = event
                    && matches!(record, Record::CallStarted { .. })
                {
                    // It has begun by then, and waits.
                    cancel_in(Duration::from_millis(1), handle.cancellation());
                }
            }
            handle.outcome().await.expect("is an outcome")
        };
        let outcome = tokio::time::timeout(Duration::from_hours(1), read).await;
        let outcome = outcome.expect("a cancelled run ends");
        assert_eq!(outcome.finish, Finish::Cancelled);
        let round = outcome.tool_rounds().next().expect("one round");
        let text = round.results[0].to_model_text();
        assert!(text.contains(says), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_limit_of_a_tool_begins_where_the_tool_does() {
    let tool = Handwritten::new("time", async |_, cx| {
        sleep(Duration::from_millis(500)).await;
        let left = cx.remaining().expect("it has a limit");
        Ok(ToolOutput::text(format!("{left:?}")))
    });
    let policy = ToolPolicy::default().with_timeout(Duration::from_secs(1));
    let slow = before(async |call, cx: ToolContext| {
        sleep(Duration::from_secs(5)).await;
        assert_eq!(cx.remaining(), None, "nothing limits a middleware");
        Ok(call)
    });
    let tools = set(tool.with_policy(policy)).layer(slow);
    let results = tools.dispatch(&[call("time")]).await;
    assert_eq!(results[0].to_model_text(), "500ms");
    let result = tools.call(&call("time"), &ToolContext::default()).await;
    assert_eq!(result.to_model_text(), "500ms");
}

/// A tool made of another one.
struct Wrapped<T>(T);

impl<T: Tool> Tool for Wrapped<T> {
    fn definition(&self) -> &ToolDefinition {
        self.0.definition()
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        self.0.call(call, cx)
    }

    fn policy(&self) -> ToolPolicy {
        self.0.policy()
    }
}

#[tokio::test]
async fn a_wrapper_needs_to_know_nothing_of_middleware() {
    let policy = ToolPolicy::default().with_spawn();
    let inside = layered(
        echo().with_policy(policy),
        after(async |_, _, outcome: Result<ToolOutput, ToolError>| Ok(outcome?.with_text("!"))),
    );
    let tools = set(Wrapped(inside));
    let results = tools.dispatch(&[ToolCall::new("", "echo", "hi")]).await;
    assert_eq!(results[0].to_model_text(), "hi\n!");
}

/// Counts its calls, each of which waits until it is let go.
struct Blocking {
    definition: ToolDefinition,
    ran: Arc<AtomicUsize>,
    released: CancellationToken,
}

impl Blocking {
    fn new() -> Self {
        let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
        Self {
            definition: ToolDefinition::new("block", "Blocks its thread.", schema),
            ran: Arc::default(),
            released: CancellationToken::new(),
        }
    }
}

impl Tool for Blocking {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        let (ran, released) = (Arc::clone(&self.ran), self.released.clone());
        Call::blocking(call, cx, move |_, _| {
            ran.fetch_add(1, Ordering::SeqCst);
            while !released.is_cancelled() {
                std::thread::yield_now();
            }
            Ok(ToolOutput::default())
        })
    }
}

/// Runs four calls that block on a pool of one thread until one of them runs, then does something
/// with the batch. Says what it gave, and how many calls ran in the end.
fn four_on_one_thread<T>(
    meanwhile: impl AsyncFnOnce(Toolset, CancellationToken, CancellationToken) -> T,
) -> (T, usize) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(1)
        .build();
    runtime.expect("builds").block_on(async {
        let tool = Blocking::new();
        let (ran, released) = (Arc::clone(&tool.ran), tool.released.clone());
        let (started, seen) = (CancellationToken::new(), Arc::clone(&ran));
        let watch = started.clone();
        let watcher = std::thread::spawn(move || {
            while seen.load(Ordering::SeqCst) == 0 {
                std::thread::yield_now();
            }
            watch.cancel();
        });
        let given = meanwhile(set(tool), started, released.clone()).await;
        released.cancel();
        watcher.join().expect("does not panic");
        // The pool has one thread: when this has its turn, what was before it is done.
        tokio::task::spawn_blocking(|| ()).await.expect("runs");
        (given, ran.load(Ordering::SeqCst))
    })
}

#[test]
fn what_waits_for_a_thread_does_not_start_after_a_cancel() {
    let (texts, ran) = four_on_one_thread(async |tools, started, _| {
        let token = CancellationToken::new();
        let options = DispatchOptions::from(CallOptions::new().with_grace(Duration::ZERO))
            .with_context(ToolContext::default().with_cancellation(token.clone()));
        let calls = [(); 4].map(|()| call("block"));
        let stop = async {
            started.cancelled().await;
            token.cancel();
        };
        let (results, ()) = tokio::join!(tools.dispatch_with(&calls, &options), stop);
        results
            .iter()
            .map(ToolResult::to_model_text)
            .map(std::borrow::Cow::into_owned)
            .collect::<Vec<_>>()
    });
    assert!(texts[0].contains("may still be running"), "{texts:?}");
    for text in &texts[1..] {
        assert!(text.contains("before it started"), "{texts:?}");
        assert!(!text.contains("taken effect"), "{texts:?}");
    }
    assert_eq!(ran, 1);
}

#[test]
fn what_waits_for_a_thread_is_not_started_in_the_grace() {
    let ((), ran) = four_on_one_thread(async |tools, started, released| {
        let token = CancellationToken::new();
        let options = DispatchOptions::from(CallOptions::new().with_grace(Duration::from_hours(1)))
            .with_context(ToolContext::default().with_cancellation(token.clone()));
        let calls = [(); 4].map(|()| call("block"));
        let stop = async {
            started.cancelled().await;
            token.cancel();
            tokio::task::yield_now().await;
            released.cancel();
        };
        tokio::join!(tools.dispatch_with(&calls, &options), stop);
    });
    assert_eq!(ran, 1);
}

#[test]
fn what_waits_for_a_thread_does_not_start_after_its_batch_was_dropped() {
    let ((), ran) = four_on_one_thread(async |tools, started, _| {
        let calls = [(); 4].map(|()| call("block"));
        tokio::select! {
            _ = tools.dispatch(&calls) => panic!("nothing lets it go"),
            () = started.cancelled() => {}
        }
    });
    assert_eq!(ran, 1);
}

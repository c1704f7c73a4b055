//! What running calls say, and who hears it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError, mpsc},
};

use futures_util::stream::{self, Stream};
use serde_json::json;
use toolwright::{
    Dispatch, ErrorCategory, ModelResponse, Runner, ToolCall, ToolContext, ToolError, ToolOutput,
    Toolset,
    dispatch::{CallOptions, DispatchOptions},
    run::{CallId, Record},
    runner::RunEvent,
    testing::{self, ScriptedModel},
    tool,
    tool::{CallUpdate, Extension, ExtensionRef, Progress, ProgressReport, Updates},
    toolset,
};

/// Read some files, one after the other.
#[tool]
async fn read_files(#[context] progress: Progress, count: u64) -> u64 {
    for done in 1..=count {
        progress.step(done, count, format!("file {done}"));
    }
    count
}

/// Read half of a file.
#[tool]
fn read_half(#[context] cx: &ToolContext) {
    cx.progress().fraction(0.5, "half of it");
    cx.progress().fraction(f64::NAN, "nobody can show this");
}

/// Count down in pieces.
#[tool]
async fn count_down() -> Updates<impl Stream<Item = Result<u8, ToolError>>> {
    Updates(stream::iter([2, 1, 0].map(Ok)))
}

fn step(done: f64, total: f64, message: &str) -> CallUpdate {
    let report = ProgressReport::new(done).with_total(total);
    CallUpdate::Progress(report.with_message(message))
}

fn partial(number: u8) -> CallUpdate {
    CallUpdate::Partial(ToolOutput::json(&number).expect("a number serialises"))
}

#[tokio::test]
async fn a_test_sees_every_update() {
    let tools = toolset![read_files, read_half];
    let observed = testing::observe(&tools, "read_files", json!({"count": 2})).await;
    let steps = [step(1.0, 2.0, "file 1"), step(2.0, 2.0, "file 2")];
    assert_eq!(observed.updates, steps);
    assert_eq!(observed.outcome.unwrap().to_text(), "2");
    let observed = testing::observe(&tools, "read_half", json!({})).await;
    assert_eq!(observed.updates, [step(0.5, 1.0, "half of it")]);
}

#[tokio::test]
async fn a_batch_tells_by_the_place_of_the_call() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let listener = heard.clone();
    let options = DispatchOptions::new()
        .with_updates(move |index, update| listener.lock().unwrap().push((index, update)));
    let call = |arguments| ToolCall::new("", "read_files", arguments);
    let calls = [call(r#"{"count":0}"#), call(r#"{"count":1}"#)];
    let tools = toolset![read_files];
    tools.dispatch_with(&calls, &options).await;
    assert_eq!(*heard.lock().unwrap(), [(1, step(1.0, 1.0, "file 1"))]);
}

/// Keep the handle for later.
#[tool]
async fn keep_handle(
    #[context] progress: Progress,
    #[context] kept: Extension<Arc<Mutex<Option<Progress>>>>,
) {
    *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
}

#[tokio::test]
async fn nothing_is_heard_of_a_call_that_has_ended() {
    let kept = Arc::new(Mutex::new(None::<Progress>));
    let heard = Arc::new(Mutex::new(0));
    let listener = heard.clone();
    let cx = ToolContext::default()
        .with_extension(kept.clone())
        .with_progress(Progress::new(move |_| *listener.lock().unwrap() += 1));
    let call = ToolCall::new("", "keep_handle", "");
    toolset![keep_handle].call(&call, &cx).await;
    let progress = kept.lock().unwrap().take().expect("the tool kept it");
    assert!(!progress.is_heard() && cx.progress().is_heard());
    progress.fraction(1.0, "too late");
    assert_eq!(*heard.lock().unwrap(), 0);
    cx.progress().fraction(1.0, "from the program itself");
    assert_eq!(*heard.lock().unwrap(), 1);
}

#[test]
fn a_listener_that_panics_stays_a_listener() {
    let heard = Arc::new(Mutex::new(0));
    let count = heard.clone();
    let progress = Progress::new(move |_| {
        *count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        panic!("a listener's mistake")
    });
    for _ in 0..2 {
        progress.fraction(0.1, "whoever reports is none the worse for it");
    }
    let heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
    assert_eq!(*heard, 2);
    Progress::default().fraction(0.1, "nobody listens");
}

/// Tell which parts of the context are there.
#[tool]
async fn optional(
    #[context] cloned: Option<Extension<u8>>,
    #[context] borrowed: Option<ExtensionRef<'_, String>>,
) -> String {
    format!("{:?} {:?}", cloned.map(|c| c.0), borrowed.map(|b| b.len()))
}

#[tokio::test]
async fn an_extension_may_be_absent() {
    let tools = toolset![optional];
    let call = ToolCall::new("", "optional", "");
    for (cx, text) in [
        (ToolContext::default(), "None None"),
        (ToolContext::default().with_extension(7_u8), "Some(7) None"),
        (
            ToolContext::default().with_extension("ada".to_owned()),
            "None Some(3)",
        ),
    ] {
        assert_eq!(tools.call(&call, &cx).await.to_model_text(), text);
    }
}

/// Report, and fail for a while.
#[tool(read_only, retries = 1)]
async fn report_and_fail(#[context] progress: Progress) -> Result<(), ToolError> {
    progress.fraction(0.5, "on the way");
    Err(ToolError::new(
        ErrorCategory::NetworkError,
        "come back later",
    ))
}

fn runner(tools: Toolset, call: ToolCall) -> Runner {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call]),
        ModelResponse::from_text("done"),
    ]);
    let runner = Runner::builder(model).tools(tools).streaming(false);
    runner.build().expect("is consistent")
}

/// What a reader sees of a run, from the start of the call to its result.
async fn seen(runner: &Runner) -> Vec<CallUpdate> {
    let mut handle = runner.start("Go.");
    let mut updates = Vec::new();
    let (mut started, mut finished) = (false, false);
    while let Some(event) = handle.next().await {
        match event {
            RunEvent::Update { call, name, update } => {
                assert!(started && !finished, "an update outside of its call");
                assert_eq!((call.round, call.index), (0, 0));
                assert_eq!(handle.call(call).expect("is known").name, name);
                updates.push(update);
            }
            RunEvent::Recorded { record, .. } => {
                started |= matches!(record, Record::CallStarted { .. });
                finished |= matches!(record, Record::CallFinished { .. });
            }
            _ => {}
        }
    }
    let outcome = handle.outcome().await.expect("the script ends");
    assert_eq!(outcome.text, "done");
    updates
}

#[tokio::test]
async fn a_run_publishes_the_latest_of_a_call_before_its_result() {
    let call = ToolCall::new("a", "read_files", r#"{"count":9}"#);
    let updates = seen(&runner(toolset![read_files], call)).await;
    assert_eq!(updates, [step(9.0, 9.0, "file 9")]);
}

#[tokio::test]
async fn a_reader_that_keeps_up_sees_every_partial_result() {
    let runner = runner(toolset![count_down], ToolCall::new("a", "count_down", ""));
    assert_eq!(seen(&runner).await, [2, 1, 0].map(partial));
}

/// Report from another thread, and wait until that was read.
#[tool]
fn report_and_wait(
    #[context] progress: Progress,
    #[context] read: Extension<Arc<Mutex<mpsc::Receiver<()>>>>,
) {
    progress.fraction(0.5, "waiting for the reader");
    let read = read.lock().unwrap_or_else(PoisonError::into_inner);
    read.recv().expect("the reader is there");
}

#[tokio::test]
async fn a_report_from_another_thread_wakes_the_reader() {
    let (was_read, read) = mpsc::channel();
    let model = ScriptedModel::new([
        ModelResponse::from_calls([ToolCall::new("a", "report_and_wait", "")]),
        ModelResponse::from_text("done"),
    ]);
    let runner = Runner::builder(model)
        .tools(toolset![report_and_wait])
        .calls(CallOptions::new().with_extension(Arc::new(Mutex::new(read))));
    let mut handle = runner.build().expect("is consistent").start("Go.");
    while let Some(event) = handle.next().await {
        if let RunEvent::Update { .. } = event {
            was_read.send(()).expect("the tool waits");
        }
    }
    assert_eq!(handle.outcome().await.unwrap().text, "done");
}

#[tokio::test]
async fn an_event_is_stored_and_read_again() {
    let runner = runner(toolset![count_down], ToolCall::new("a", "count_down", ""));
    let mut handle = runner.start("Go.");
    while let Some(event) = handle.next().await {
        let stored = serde_json::to_string(&event).unwrap();
        assert_eq!(serde_json::from_str::<RunEvent>(&stored).unwrap(), event);
    }
}

#[tokio::test(start_paused = true)]
async fn every_update_names_its_tool_also_after_an_attempt_that_failed() {
    let calls = [
        ToolCall::new("a", "report_and_fail", ""),
        ToolCall::new("b", "read_files", r#"{"count":2}"#),
        ToolCall::new("c", "count_down", ""),
    ];
    let model = ScriptedModel::new([
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("done"),
    ]);
    let runner = Runner::builder(model).tools(toolset![report_and_fail, read_files, count_down]);
    let mut handle = runner.build().expect("is consistent").start("Go.");
    let mut named = BTreeMap::<String, usize>::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Update { call, name, .. } = event {
            assert_eq!(handle.call(call).expect("is known").name, name);
            *named.entry(name).or_default() += 1;
        }
    }
    assert_eq!(handle.outcome().await.unwrap().text, "done");
    let named: Vec<_> = named.keys().map(String::as_str).collect();
    assert_eq!(named, ["count_down", "read_files", "report_and_fail"]);
}

#[test]
fn an_update_without_a_name_is_read() {
    let call = CallId { round: 0, index: 1 };
    let update = step(1.0, 2.0, "half");
    let stored = json!({"type": "update", "content": {"call": call, "update": update}});
    let name = String::new();
    let event = RunEvent::Update { call, name, update };
    assert_eq!(serde_json::to_value(&event).unwrap(), stored);
    assert_eq!(serde_json::from_value::<RunEvent>(stored).unwrap(), event);
}

/// Report, and go on after a few turns of others.
#[tool]
async fn report_and_go_on(
    #[context] progress: Progress,
    #[context] kept: Extension<Arc<Mutex<Option<Progress>>>>,
) {
    *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
}

/// Report, and never come back.
#[tool(timeout = "200ms")]
async fn report_for_ever(
    #[context] progress: Progress,
    #[context] kept: Extension<Arc<Mutex<Option<Progress>>>>,
) {
    *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress);
    std::future::pending::<()>().await;
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_reports_faster_than_anybody_reads_holds_up_nobody() {
    for (name, takes) in [("report_and_go_on", 0), ("report_for_ever", 200)] {
        let kept = Arc::new(Mutex::new(None::<Progress>));
        let model = ScriptedModel::new([
            ModelResponse::from_calls([
                ToolCall::new("a", name, ""),
                ToolCall::new("b", "read_files", r#"{"count":0}"#),
            ]),
            ModelResponse::from_text("done"),
        ]);
        let runner = Runner::builder(model)
            .tools(toolset![report_and_go_on, report_for_ever, read_files])
            .calls(CallOptions::new().with_extension(kept.clone()));
        let mut handle = runner.build().expect("is consistent").start("Go.");
        let start = tokio::time::Instant::now();
        let mut events = 0;
        while handle.next().await.is_some() {
            events += 1;
            assert!(events < 200, "`{name}` holds up its run");
            // There is always something that nobody has read.
            if let Some(progress) = &*kept.lock().unwrap() {
                progress.fraction(0.5, "and on");
            }
            if takes > 0 {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        }
        assert_eq!(handle.outcome().await.unwrap().text, "done");
        let took = start.elapsed().as_millis();
        assert!(took < takes + 150, "{took} ms");
    }
}

/// Report many times.
#[tool]
async fn report_often(#[context] progress: Progress) {
    for done in 0..1_000 {
        progress.step(done, 1_000, "a secret");
    }
    tokio::task::yield_now().await;
}

#[tokio::test]
async fn what_nobody_reads_is_not_redacted() {
    let redacted = Arc::new(Mutex::new(0));
    let count = redacted.clone();
    let redact = toolwright::redact::redact_fn(move |text| {
        *count.lock().unwrap() += 1;
        text.replace("secret", "thing").into()
    });
    let call = ToolCall::new("a", "report_often", "");
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call.clone()]),
        ModelResponse::from_text("done"),
    ]);
    let tools = toolset![report_often];
    let runner = Runner::builder(model)
        .tools(tools.clone())
        .calls(CallOptions::new().with_redaction(redact));
    let seen = seen(&runner.build().expect("is consistent")).await;
    assert_eq!(seen, [step(999.0, 1_000.0, "a thing")]);
    assert!(*redacted.lock().unwrap() < 10);
}

#[tokio::test]
async fn what_a_stream_says_is_redacted() {
    let calls = CallOptions::new().with_redaction(toolwright::redact::redact_fn(|text| {
        text.replace("secret", "thing").into()
    }));
    let options = DispatchOptions::from(calls);
    let (tools, calls) = (
        toolset![report_often],
        [ToolCall::new("a", "report_often", "")],
    );
    let mut stream = tools.dispatch_stream(&calls, &options);
    let mut seen = Vec::new();
    while let Some(event) = stream.next().await {
        if let toolwright::dispatch::DispatchEvent::Update { update, .. } = event {
            seen.push(update);
        }
    }
    assert_eq!(seen, [step(999.0, 1_000.0, "a thing")]);
}

/// Report from another thread, and end while that is being heard.
#[tool]
async fn report_and_end(
    #[context] progress: Progress,
    #[context] heard: Extension<Arc<tokio::sync::Notify>>,
) {
    std::thread::spawn(move || progress.fraction(0.5, "somebody takes their time over it"));
    heard.notified().await;
}

#[tokio::test]
async fn a_listener_that_takes_its_time_does_not_hold_up_the_end_of_a_call() {
    let redacting = |slow: Arc<dyn Fn() + Send + Sync>| {
        toolwright::redact::redact_fn(move |text| {
            slow();
            text.into()
        })
    };
    for in_redaction in [true, false] {
        let heard = Arc::new(tokio::sync::Notify::new());
        let (results, is_over) = mpsc::channel::<()>();
        let is_over = Mutex::new(is_over);
        let notify = heard.clone();
        let first = std::sync::atomic::AtomicBool::new(true);
        let slow: Arc<dyn Fn() + Send + Sync> = Arc::new(move || {
            if first.swap(false, std::sync::atomic::Ordering::SeqCst) {
                notify.notify_one();
                // Until the results are there.
                let _ = is_over.lock().unwrap().recv();
            }
        });
        let cx = ToolContext::default().with_extension(heard);
        let late = Arc::new(Mutex::new(0));
        let count = late.clone();
        let options = DispatchOptions::new().with_context(cx);
        let options = if in_redaction {
            let count = move |_, _| *count.lock().unwrap() += 1;
            let calls = CallOptions::new().with_redaction(redacting(slow));
            options.with_calls(calls).with_updates(count)
        } else {
            options.with_updates(move |_, _| slow())
        };
        let calls = [ToolCall::new("a", "report_and_end", "")];
        let tools = toolset![report_and_end];
        let ended = tools.dispatch_with(&calls, &options).await;
        assert!(!ended[0].is_error());
        drop(results);
        assert_eq!(
            *late.lock().unwrap(),
            0,
            "nothing is heard after the result"
        );
    }
}

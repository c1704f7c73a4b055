//! Waits before another attempt go on from the time that has passed, and do not begin anew.

use toolwright::{
    ChatModel, ErrorCategory, ModelError,
    model::{ModelErrorKind, ModelRequest, ModelStream},
    run::Delay,
    runner::RunEvent,
    store::{NewRun, Scope},
    testing::ScriptedResponse,
};

use super::*;

const WAIT: Duration = Duration::from_secs(30);

/// A store with the log of a run as it was left, at a time that is long ago.
async fn long_ago(store: &MemoryStore, run: &RunId) -> MemoryStore {
    at_times(store, run, |_| 0).await
}

/// A store with the log of a run as it was left, with each entry at this time in milliseconds.
async fn at_times(store: &MemoryStore, run: &RunId, at: fn(u64) -> u64) -> MemoryStore {
    let loaded = store.load(Scope::All, run, 0).await.expect("it is there");
    let entries = (0..).zip(&loaded.entries).map(|(place, text)| {
        let mut entry: serde_json::Value = serde_json::from_str(text).expect("is JSON");
        entry["at_ms"] = at(place).into();
        entry.to_string()
    });
    let copy = MemoryStore::new();
    let run = NewRun::new(loaded.info.clone(), entries.collect());
    copy.create(&run, OVER).await.expect("it is new");
    copy
}

/// Reads a run until something waits, and leaves it.
async fn left(runner: &Runner, waits: impl Fn(&Record) -> bool) -> RunId {
    let mut handle = runner.start("look");
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded { record, .. } = event
            && waits(&record)
        {
            return handle.id().clone();
        }
    }
    panic!("nothing waits");
}

/// The time that a run takes when it goes on.
async fn time_of(runner: &Runner, run: &RunId) -> Duration {
    let begun = tokio::time::Instant::now();
    let handle = runner.resume(run).start().await.expect("it goes on");
    let outcome = handle.outcome().await.expect("it ends");
    assert_eq!(outcome.text, "answer");
    begun.elapsed()
}

fn failing_once() -> Toolset {
    let failed = AtomicUsize::new(0);
    let tool = DynamicTool::builder("look", "Fails at its first call.").policy(
        ToolPolicy::default()
            .with_effects(Effects::ReadOnly)
            .with_retries(3),
    );
    let tool = tool.build(move |_: ToolCall, _| {
        let is_first = failed.fetch_add(1, Ordering::SeqCst) == 0;
        async move {
            if is_first {
                return Err(
                    ToolError::new(ErrorCategory::NetworkError, "busy").with_retry_after(WAIT)
                );
            }
            Ok("seen")
        }
    });
    let tool = tool.expect("is sound");
    Toolset::new().with(tool).expect("is sound")
}

#[tokio::test(start_paused = true)]
async fn a_call_that_has_waited_long_enough_runs_at_once() {
    let (tools, store) = (failing_once(), MemoryStore::new());
    let script = model([calls(&["look"])]);
    let runner = builder(&script, &tools, store.clone()).lease_time(OVER);
    let waits = |record: &Record| {
        matches!(
            record,
            Record::CallDelayed {
                why: Delay::Retry { .. },
                ..
            }
        )
    };
    let run = left(&runner.build().unwrap(), waits).await;
    let store = long_ago(&store, &run).await;
    let runner = builder(&script, &tools, store).build().unwrap();
    assert!(time_of(&runner, &run).await < WAIT / 2);
}

/// A model that is busy when it is asked first.
struct Busy(ScriptedModel, AtomicUsize);

impl ChatModel for Busy {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        if self.1.fetch_add(1, Ordering::SeqCst) > 0 {
            return self.0.stream(request);
        }
        let busy = ModelError::new(ModelErrorKind::Overloaded, "busy").with_retry_after(WAIT);
        Box::pin(futures_util::stream::iter([Err(busy)]))
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_that_has_had_its_time_is_asked_at_once() {
    let (store, busy) = (MemoryStore::new(), Busy(model([]), AtomicUsize::new(0)));
    let busy = Arc::new(busy);
    let runner_of = |store| Runner::builder(Arc::clone(&busy)).store("tests", store);
    let runner = runner_of(store.clone()).lease_time(OVER).build().unwrap();
    let run = left(&runner, |record| {
        matches!(record, Record::ModelDelayed { .. })
    })
    .await;
    let store = long_ago(&store, &run).await;
    let runner = runner_of(store).build().unwrap();
    assert!(time_of(&runner, &run).await < WAIT / 2);
}

/// A process that dies before it has noted the time of its run: the times of the entries say how much it was.
#[tokio::test(start_paused = true)]
async fn the_time_of_a_process_that_died_counts() {
    const MAX: Duration = Duration::from_secs(60);
    let (tools, _) = tools();
    let limits = toolwright::run::Limits::default()
        .with_max_time(MAX)
        .with_on_limit(toolwright::run::OnLimit::Stop);
    let silent = || ScriptedResponse::Stall(ModelResponse::default());
    let runner_of = |script: Vec<ScriptedResponse>, store| {
        let runner = builder(&ScriptedModel::new(script), &tools, store).lease_time(OVER);
        runner.limits(limits).build().unwrap()
    };
    let is_finished = |record: &Record| matches!(record, Record::CallFinished { .. });
    for (at, lost) in [
        ((|place| place * 100) as fn(u64) -> u64, 300),
        // No more than the time after which a process notes it.
        (|place| place * 60_000, 1_000),
        (|place| 1_000 - place * 100, 0),
    ] {
        let store = MemoryStore::new();
        let script = vec![calls(&["look"]).into(), silent()];
        let run = left(&runner_of(script, store.clone()), is_finished).await;
        let store = at_times(&store, &run, at).await;
        let begun = tokio::time::Instant::now();
        let runner = runner_of(vec![silent()], store);
        let handle = runner.resume(&run).start().await.expect("it goes on");
        drop(handle.outcome().await);
        assert_eq!(begun.elapsed().as_millis(), 60_000 - lost);
    }
}

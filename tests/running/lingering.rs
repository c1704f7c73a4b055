//! Work that runs on after its call has ended.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::advance;
use toolwright::{
    Dispatch, ModelResponse, Runner, Tool, ToolCall, ToolContext, ToolDefinition, ToolError,
    ToolOutput, Toolset,
    dispatch::{CallOptions, DispatchEvent, DispatchOptions},
    run::{Delay, Record},
    runner::RunEvent,
    schema::Schema,
    testing::ScriptedModel,
    tool::{Call, CancellationToken, Effects, ToolPolicy},
};

use crate::handwritten::{Handwritten, echo};

const LIMIT: Duration = Duration::from_millis(100);

/// A function that blocks until it is let go.
struct Block {
    definition: ToolDefinition,
    policy: ToolPolicy,
    state: State,
}

#[derive(Clone, Default)]
struct State {
    started: Arc<AtomicUsize>,
    ended: Arc<AtomicUsize>,
    first: CancellationToken,
    release: CancellationToken,
}

impl State {
    fn count(&self) -> (usize, usize) {
        let count = |counter: &AtomicUsize| counter.load(Ordering::SeqCst);
        (count(&self.started), count(&self.ended))
    }

    /// Lets the time limit of the first call pass when it has started.
    async fn outlive_limit(&self) {
        self.first.cancelled().await;
        advance(LIMIT).await;
    }
}

fn block(sequential: bool) -> (Block, State) {
    let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
    let mut policy = ToolPolicy::default()
        .with_effects(Effects::ReadOnly)
        .with_timeout(LIMIT);
    if sequential {
        policy = policy.with_sequential();
    }
    let state = State::default();
    let block = Block {
        definition: ToolDefinition::new("block", "Blocks its thread.", schema),
        policy,
        state: state.clone(),
    };
    (block, state)
}

impl Tool for Block {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn policy(&self) -> ToolPolicy {
        self.policy
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        let state = self.state.clone();
        Call::blocking(call, cx, move |_, _| {
            state.started.fetch_add(1, Ordering::SeqCst);
            state.first.cancel();
            while !state.release.is_cancelled() {
                std::thread::yield_now();
            }
            state.ended.fetch_add(1, Ordering::SeqCst);
            Ok(ToolOutput::default())
        })
    }
}

fn call(name: &str) -> ToolCall {
    ToolCall::new("", name, "beside")
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_still_runs_gets_no_other_beside_it() {
    let (block, state) = block(false);
    let tools = Toolset::new().with(block).expect("one tool");
    let calls = [call("block")];
    let batch = tools.dispatch(&calls);
    let (results, ()) = tokio::join!(batch, state.outlive_limit());
    let error = results[0].outcome.as_ref().expect_err("its time was over");
    assert!(error.still_running, "{error:?}");
    assert!(error.message.contains("may still be running"), "{error:?}");
    assert_eq!(state.count(), (1, 0));
    state.release.cancel();
}

/// A call that runs alone and blocks, and one after it. What is to happen when the second one waits.
async fn one_after_the_other(when_delayed: impl AsyncFn(&State)) -> (State, Vec<String>) {
    let (block, state) = block(true);
    let tools = Toolset::new().with(block).and_then(|set| set.with(echo()));
    let tools = tools.expect("the names differ");
    let (calls, options) = ([call("block"), call("echo")], DispatchOptions::new());
    let mut stream = tools.dispatch_stream(&calls, &options);
    let mut first_finished = false;
    let read = async {
        while let Some(event) = stream.next().await {
            match event {
                DispatchEvent::Finished { index: 0, .. } => first_finished = true,
                DispatchEvent::Delayed { index, why } => {
                    assert_eq!((index, why), (1, Delay::StillRunning));
                    assert!(first_finished, "its result does not wait");
                    when_delayed(&state).await;
                }
                DispatchEvent::Started { index: 1, .. } => {
                    assert_eq!(state.count(), (1, 1), "it runs alone");
                }
                _ => {}
            }
        }
        stream.results().await
    };
    let (results, ()) = tokio::join!(read, state.outlive_limit());
    let texts = results.iter().map(|result| result.to_model_text());
    let texts = texts.map(std::borrow::Cow::into_owned).collect();
    (state, texts)
}

#[tokio::test(start_paused = true)]
async fn nothing_starts_beside_what_is_to_run_alone() {
    let (_, texts) = one_after_the_other(async |state| state.release.cancel()).await;
    assert!(texts[0].contains("may still be running"), "{texts:?}");
    assert_eq!(texts[1], "beside");
}

#[tokio::test(start_paused = true)]
async fn what_never_ends_holds_up_nobody_for_ever() {
    let (state, texts) = one_after_the_other(async |_| advance(LIMIT).await).await;
    assert!(texts[1].contains("not executed"), "{texts:?}");
    assert_eq!(state.count(), (1, 0));
    state.release.cancel();
}

#[tokio::test(start_paused = true)]
async fn what_is_to_run_alone_waits_for_what_is_left() {
    let (block, state) = block(false);
    let ended = Arc::clone(&state.ended);
    let alone = Handwritten::new("alone", move |_, _| {
        let ended = ended.load(Ordering::SeqCst);
        std::future::ready(Ok(ToolOutput::text(ended.to_string())))
    });
    let alone = alone.with_policy(ToolPolicy::default().with_sequential());
    let tools = Toolset::new().with(block).and_then(|set| set.with(alone));
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call("block"), call("alone")]),
        ModelResponse::from_text("done"),
    ]);
    let runner = Runner::builder(model).tools(tools.expect("the names differ"));
    let mut handle = runner.build().expect("builds").start("question");
    let read = async {
        let mut delays = 0;
        while let Some(event) = handle.next().await {
            if let RunEvent::Recorded { record, .. } = event
                && let Record::CallDelayed { why, .. } = record
            {
                assert_eq!(why, Delay::StillRunning);
                delays += 1;
                state.release.cancel();
            }
        }
        assert_eq!(delays, 1);
        handle.outcome().await.expect("answers")
    };
    let (outcome, ()) = tokio::join!(read, state.outlive_limit());
    let round = outcome.tool_rounds().next().expect("one round");
    assert_eq!(round.results[1].to_model_text(), "1", "it was over by then");
    assert_eq!(state.count(), (1, 1));
}

/// Computes in a task of its own, without an `await`, for as long as it is told.
fn computing(started: CancellationToken, until: Until) -> Toolset {
    let work = move |_: ToolCall, cx: ToolContext| {
        let (started, until) = (started.clone(), until.clone());
        async move {
            started.cancel();
            let over = match &until {
                Until::Released(token) => token.clone(),
                Until::Told => cx.cancellation(),
            };
            while !over.is_cancelled() {
                std::hint::spin_loop();
            }
            std::future::pending::<Result<ToolOutput, ToolError>>().await
        }
    };
    let policy = ToolPolicy::default()
        .with_spawn()
        .with_timeout(Duration::from_millis(20));
    Toolset::new()
        .with(Handwritten::new("compute", work).with_policy(policy))
        .expect("one tool")
}

#[derive(Clone)]
enum Until {
    Released(CancellationToken),
    Told,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_task_that_computes_is_said_to_run_on() {
    let (release, token) = (CancellationToken::new(), CancellationToken::new());
    let started = CancellationToken::new();
    let tools = computing(started.clone(), Until::Released(release.clone()));
    let cancelled = DispatchOptions::from(CallOptions::new().with_grace(Duration::ZERO))
        .with_context(ToolContext::default().with_cancellation(token.clone()));
    let calls = [call("compute")];
    let stop = async {
        started.cancelled().await;
        token.cancel();
    };
    let (results, ()) = tokio::join!(tools.dispatch_with(&calls, &cancelled), stop);
    let error = results[0].outcome.as_ref().expect_err("was cancelled");
    // Its time may have been over before.
    assert!(error.message.contains("may still be running"), "{error:?}");
    assert!(error.still_running);
    release.cancel();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_task_that_comes_to_rest_in_the_grace_is_stopped() {
    let patient = DispatchOptions::from(CallOptions::new().with_grace(Duration::from_hours(1)));
    for _ in 0..1_000 {
        let started = CancellationToken::new();
        let tools = computing(started.clone(), Until::Told);
        let results = tools.dispatch_with(&[call("compute")], &patient).await;
        let error = results[0].outcome.as_ref().expect_err("takes too long");
        assert!(!error.still_running, "{error:?}");
        if started.is_cancelled() {
            assert!(error.message.contains("and was stopped"), "{error:?}");
            return;
        }
        // The machine was busy.
        assert!(error.message.contains("was not started"), "{error:?}");
    }
    panic!("it never started");
}

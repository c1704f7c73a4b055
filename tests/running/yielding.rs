//! Runs whose models and tools never wait leave time to others, can be cancelled and cost what they do.

use std::{
    num::NonZeroUsize,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use allocation_counter::measure;
use futures_util::{StreamExt, stream};
use toolwright::{
    ChatModel, ModelError, ModelResponse, Runner, ToolCall, Toolset,
    dispatch::CallOptions,
    model::{FinishReason, ModelErrorKind, ModelEvent, ModelRequest, ModelStream, Retry, Usage},
    run::{Failure, Finish, Limits, Record},
    runner::{RunEvent, RunHandle},
    testing::ScriptedModel,
};

use crate::handwritten::{Handwritten, echo};

/// Gives the same event for ever, and never waits. It counts.
#[derive(Clone)]
struct Endless(ModelEvent, Arc<AtomicUsize>);

impl ChatModel for Endless {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        Box::pin(stream::repeat_with(|| {
            self.1.fetch_add(1, Ordering::SeqCst);
            Ok(self.0.clone())
        }))
    }
}

fn endless() -> [Endless; 2] {
    let events = [
        ModelEvent::Text("more ".to_owned()),
        ModelEvent::from(Usage::default()),
    ];
    events.map(|event| Endless(event, Arc::default()))
}

/// Calls a tool for ever.
struct Caller;

impl ChatModel for Caller {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        let call = ToolCall::new("", "echo", format!("{{\"n\":{}}}", request.messages.len()));
        let reply = ModelResponse::from_calls([call]);
        Box::pin(stream::iter(reply.into_events().into_iter().map(Ok)))
    }
}

fn runners() -> Vec<Runner> {
    let mut runners = Vec::new();
    for streaming in [true, false] {
        for model in endless() {
            let retried = Retry::new(model.clone());
            runners.push(Runner::builder(model).streaming(streaming));
            runners.push(Runner::builder(retried).streaming(streaming));
        }
        let tools = Toolset::new().with(echo()).expect("one tool");
        let calling = Runner::builder(Caller).tools(tools).no_progress(false);
        runners.push(calling.max_rounds(u32::MAX).streaming(streaming));
    }
    let runners = runners
        .into_iter()
        .map(toolwright::runner::RunnerBuilder::build);
    runners.collect::<Result<_, _>>().expect("are consistent")
}

#[tokio::test]
async fn a_run_that_never_waits_is_cancelled_by_another_task_of_its_thread() {
    for runner in runners() {
        let handle = runner.start("Go.");
        let token = handle.cancellation();
        tokio::spawn(async move { token.cancel() });
        let outcome = handle.outcome().await.expect("is cancelled");
        assert_eq!(outcome.finish, Finish::Cancelled);

        let mut handle = runner.start("Go.");
        let token = handle.cancellation();
        tokio::spawn(async move { token.cancel() });
        while handle.next().await.is_some() {}
    }
}

/// As by an executor that knows nothing of tokio.
#[test]
fn a_poll_ends_on_any_executor() {
    for streaming in [true, false] {
        for model in endless() {
            let count = Arc::clone(&model.1);
            // Nothing is to be timed.
            let runner = Runner::builder(model).streaming(streaming);
            let runner = runner.max_time(None).model_timeout(None);
            let handle = runner.build().expect("is consistent").start("Go.");
            let token = handle.cancellation();
            let mut outcome = pin!(handle.outcome());
            for polls in 1..=20 {
                let polled = outcome
                    .as_mut()
                    .poll(&mut Context::from_waker(Waker::noop()));
                assert!(polled.is_pending());
                assert!(count.load(Ordering::SeqCst) <= polls * 200);
            }
            token.cancel();
            let polled = outcome
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()));
            assert!(polled.is_ready());
        }
    }
}

#[tokio::test]
async fn a_reply_that_is_too_long_ends_the_run() {
    for streaming in [true, false] {
        let piece = "x".repeat(1 << 20);
        let model = Endless(ModelEvent::Text(piece), Arc::default());
        let count = Arc::clone(&model.1);
        let runner = Runner::builder(model).streaming(streaming);
        let runner = runner.build().expect("is consistent");
        let error = runner.run("Go.").await.expect_err("is too long");
        let Failure::Model(ModelError { kind, message, .. }) = error.failure else {
            panic!("{error:?}");
        };
        assert_eq!(kind, ModelErrorKind::MalformedResponse);
        assert!(message.contains("64 MiB"), "{message}");
        assert_eq!(count.load(Ordering::SeqCst), 65, "it is not asked again");
    }
}

/// How many turns another task gets meanwhile.
async fn turns_beside<T>(work: impl Future<Output = T>) -> (usize, T) {
    let (turns, over) = (
        Arc::new(AtomicUsize::new(0)),
        Arc::new(AtomicBool::new(false)),
    );
    let (count, ended) = (Arc::clone(&turns), Arc::clone(&over));
    let other = tokio::spawn(async move {
        while !ended.load(Ordering::SeqCst) {
            count.fetch_add(1, Ordering::SeqCst);
            tokio::task::yield_now().await;
        }
    });
    let done = work.await;
    over.store(true, Ordering::SeqCst);
    other.await.expect("it counts");
    (turns.load(Ordering::SeqCst), done)
}

fn round(tool: Handwritten, name: &str, calls: usize) -> Runner {
    let model = ScriptedModel::new([
        ModelResponse::from_calls(vec![ToolCall::new("", name, "{}"); calls]),
        ModelResponse::from_text("done"),
    ]);
    let tools = Toolset::new().with(tool).expect("one tool");
    let builder = Runner::builder(model).tools(tools).calls(
        CallOptions::new()
            .with_concurrency(NonZeroUsize::new(calls).expect("some calls"))
            .with_timeout(None)
            .with_grace(Duration::ZERO),
    );
    let limits = Limits::agent().with_max_calls_per_response(u32::MAX);
    let builder = builder.limits(limits).max_time(None).model_timeout(None);
    builder.build().expect("is consistent")
}

const MANY: usize = 4_000;

#[tokio::test]
async fn a_round_gives_others_their_turn() {
    let (turns, outcome) = turns_beside(round(echo(), "echo", MANY).run("Go.")).await;
    assert_eq!(outcome.expect("answers").text, "done");
    assert!(turns >= MANY / 128, "{turns} turns");

    let mut handle = round(echo(), "echo", MANY).start("Go.");
    let read = async { while handle.next().await.is_some() {} };
    let (turns, ()) = turns_beside(read).await;
    assert!(turns >= MANY / 128, "{turns} turns");

    // By another way to poll a stream.
    let mut handle = round(echo(), "echo", MANY).start("Go.");
    let read = async { while StreamExt::next(&mut handle).await.is_some() {} };
    let (turns, ()) = turns_beside(read).await;
    assert!(turns >= MANY / 128, "{turns} turns");
}

#[tokio::test]
async fn short_runs_one_after_the_other_give_others_their_turn() {
    let many = async {
        for _ in 0..200 {
            round(echo(), "echo", 1).run("Go.").await.expect("answers");
        }
    };
    let (turns, ()) = turns_beside(many).await;
    assert!(turns >= 10, "{turns} turns");
}

/// Polls a run so that nobody else does anything, until it is over or so many calls have started.
fn read(handle: &mut RunHandle, until_started: Option<usize>) {
    let mut started = 0;
    while until_started != Some(started) {
        let polled = pin!(handle.next()).poll(&mut Context::from_waker(Waker::noop()));
        match polled {
            Poll::Ready(None) => break,
            Poll::Ready(Some(RunEvent::Recorded { record, .. })) => {
                started += usize::from(matches!(record, Record::CallStarted { .. }));
            }
            _ => {}
        }
    }
}

/// How many bytes are allocated by a round of so many calls, and by the cancel of so many that run.
fn bytes_of(calls: usize) -> [u64; 2] {
    let waits = Handwritten::new("wait", async |_, _| std::future::pending().await);
    let mut handle = round(echo(), "echo", calls).start("Go.");
    let whole = measure(|| read(&mut handle, None));
    let mut handle = round(waits, "wait", calls).start("Go.");
    read(&mut handle, Some(calls));
    let _ = pin!(handle.next()).poll(&mut Context::from_waker(Waker::noop()));
    handle.cancel();
    let cancel = measure(|| read(&mut handle, None));
    [whole.bytes_total, cancel.bytes_total]
}

#[test]
fn a_round_and_its_cancel_cost_as_much_as_they_have_calls() {
    let (few, many) = (bytes_of(500), bytes_of(4_000));
    for (few, many) in few.into_iter().zip(many) {
        assert!(many < 10 * few, "{few} bytes became {many}");
    }
}

/// A model that says so many pieces at once, computes each of the others where it is polled, and counts all of them.
struct Computing(usize, Arc<AtomicUsize>);

const PIECES: usize = 12;

impl ChatModel for Computing {
    fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
        Box::pin(stream::iter(1..=PIECES + 1).map(|number| {
            let begun = Instant::now();
            while number > self.0 && begun.elapsed() < Duration::from_millis(3) {
                std::hint::spin_loop();
            }
            self.1.store(number, Ordering::SeqCst);
            Ok(if number <= PIECES {
                ModelEvent::Text(number.to_string())
            } else {
                ModelEvent::Finished {
                    reason: FinishReason::Stop,
                    raw: None,
                }
            })
        }))
    }
}

#[tokio::test]
async fn a_piece_is_read_before_the_next_is_computed() {
    for at_once in 0..8 {
        let computed = Arc::<AtomicUsize>::default();
        let runner = Runner::builder(Computing(at_once, Arc::clone(&computed))).build();
        let mut handle = runner.expect("is consistent").start("Go.");
        let mut read = 0;
        while let Some(event) = handle.next().await {
            if let RunEvent::Delta(ModelEvent::Text(piece)) = event {
                read += 1;
                assert_eq!(piece, read.to_string());
                // After some pieces at once the clock is looked at more rarely.
                let next = if at_once < 4 { at_once + 1 } else { 8 };
                assert!(read <= next || read == computed.load(Ordering::SeqCst));
                assert!(computed.load(Ordering::SeqCst) <= next.max(read));
            }
        }
        assert_eq!(read, PIECES);
    }
}

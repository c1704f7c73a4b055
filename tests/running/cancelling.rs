//! A run is cancelled in each of its states. Each time it ends as cancelled, what was finished is
//! kept, and the conversation it leaves is one that a provider accepts and that goes on.

use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use toolwright::{
    ChatModel, Conversation, Message, ModelResponse, Runner, ToolCall, ToolContext, ToolError,
    ToolOutput, Toolset,
    dispatch::CallOptions,
    dynamic::DynamicTool,
    emulation::{Emulated, ToolEmulation},
    message::{Part, Turn},
    model::{ModelEvent, Usage},
    run::{Finish, Record, RunOutcome},
    runner::{RunEvent, RunHandle},
    testing::{ScriptedModel, ScriptedResponse},
    tool::CancellationToken,
};

use crate::handwritten::{Handwritten, echo, hang};

fn calls(names: &[&str]) -> ModelResponse {
    ModelResponse::from_calls(names.iter().map(|name| ToolCall::new("x", *name, "{}")))
}

fn start(script: Vec<ScriptedResponse>) -> RunHandle {
    let tools = Toolset::new()
        .with(echo())
        .and_then(|set| set.with(hang()))
        .expect("names differ");
    let runner = Runner::builder(ScriptedModel::new(script))
        .tools(tools)
        .max_rounds(2)
        .calls(CallOptions::new().with_concurrency(NonZeroUsize::new(2).expect("not none")));
    runner.build().expect("builds").start("question")
}

/// Reads until `stop` holds for an event, cancels, and reads to the end.
async fn cancel_when(mut handle: RunHandle, mut stop: impl FnMut(&RunEvent) -> bool) -> RunOutcome {
    let read = async {
        while let Some(event) = handle.next().await {
            if stop(&event) {
                handle.cancel();
            }
        }
        handle
            .outcome()
            .await
            .expect("a cancelled run is an outcome")
    };
    let outcome = tokio::time::timeout(Duration::from_hours(1), read).await;
    let outcome = outcome.expect("the event comes, and a cancelled run ends");
    assert_valid(&outcome.conversation);
    outcome
}

/// Cancels after a while, as somebody else does.
pub(crate) fn cancel_in(wait: Duration, token: CancellationToken) {
    tokio::spawn(async move {
        tokio::time::sleep(wait).await;
        token.cancel();
    });
}

/// What an event put into the log, if it did.
fn recorded(event: &RunEvent) -> Option<&Record> {
    match event {
        RunEvent::Recorded { record, .. } => Some(record),
        _ => None,
    }
}

fn assert_valid(conversation: &Conversation) {
    assert!(!conversation.requires_tool_execution());
    let mut waiting = 0;
    for turn in conversation.messages().iter().flat_map(Message::turns) {
        match turn {
            Turn::Results(round) => {
                assert_eq!(round.results.len(), waiting);
                waiting = 0;
            }
            Turn::Assistant(parts) => {
                assert_eq!(waiting, 0);
                waiting = toolwright::message::calls_of(parts).count();
            }
            Turn::User(_) => assert_eq!(waiting, 0),
        }
    }
    assert_eq!(waiting, 0);
}

fn results(outcome: &RunOutcome) -> Vec<String> {
    let turns = outcome
        .conversation
        .messages()
        .iter()
        .flat_map(Message::turns);
    let rounds = turns.filter_map(|turn| match turn {
        Turn::Results(round) => Some(&round.results),
        _ => None,
    });
    rounds
        .flatten()
        .map(|result| result.to_model_text().into_owned())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn before_it_begins() {
    let handle = start(vec![ModelResponse::from_text("never").into()]);
    handle.cancel();
    let outcome = handle.outcome().await.expect("is an outcome");
    assert_eq!(
        (outcome.finish, outcome.model_calls),
        (Finish::Cancelled, 0)
    );
    assert_valid(&outcome.conversation);
}

#[tokio::test(start_paused = true)]
async fn while_the_model_says_nothing() {
    let handle = start(vec![ScriptedResponse::Stall(ModelResponse::default())]);
    let token = handle.cancellation();
    let cancel = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        token.cancel();
    };
    let (outcome, ()) = tokio::join!(handle.outcome(), cancel);
    let outcome = outcome.expect("is an outcome");
    assert_eq!(outcome.finish, Finish::Cancelled);
    assert_valid(&outcome.conversation);
}

#[tokio::test(start_paused = true)]
async fn while_the_model_streams() {
    let handle = start(vec![ScriptedResponse::Stall(ModelResponse::from_text(
        "half a sent",
    ))]);
    let outcome = cancel_when(handle, |event| {
        matches!(event, RunEvent::Delta(ModelEvent::Text(_)))
    })
    .await;
    assert_eq!(outcome.finish, Finish::Cancelled);
}

#[tokio::test(start_paused = true)]
async fn while_the_model_streams_a_call() {
    let handle = start(vec![ScriptedResponse::Stall(calls(&["echo"]))]);
    let started =
        |event: &RunEvent| matches!(event, RunEvent::Delta(ModelEvent::CallArguments { .. }));
    let outcome = cancel_when(handle, started).await;
    assert_eq!(
        (&outcome.finish, results(&outcome).len()),
        (&Finish::Cancelled, 0)
    );
}

#[tokio::test(start_paused = true)]
async fn when_the_calls_are_known_and_none_has_started() {
    let handle = start(vec![calls(&["hang", "echo"]).into()]);
    let replied = |event: &RunEvent| matches!(recorded(event), Some(Record::Replied { .. }));
    let outcome = cancel_when(handle, replied).await;
    assert_eq!(outcome.finish, Finish::Cancelled);
    let results = results(&outcome);
    assert!(
        results.iter().all(|text| text.contains("not executed")),
        "{results:?}"
    );
    assert_eq!(results.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn while_calls_run_and_others_wait() {
    let handle = start(vec![calls(&["hang", "hang", "echo"]).into()]);
    cancel_in(Duration::from_secs(1), handle.cancellation());
    let outcome = cancel_when(handle, |_| false).await;
    assert_eq!(outcome.finish, Finish::Cancelled);
    let results = results(&outcome);
    assert!(results[0].contains("while it ran") && results[1].contains("may have taken effect"));
    assert!(results[2].contains("not executed"), "{}", results[2]);
}

#[tokio::test(start_paused = true)]
async fn when_calls_have_started_and_none_has_begun() {
    let begun = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&begun);
    let count = Handwritten::new("count", move |_, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        async { Ok(ToolOutput::text("has begun")) }
    });
    let tools = Toolset::new().with(count).expect("is the only one");
    let model = ScriptedModel::new([calls(&["count", "count"])]);
    let runner = Runner::builder(model).tools(tools).build().expect("is one");
    let started = |event: &RunEvent| matches!(recorded(event), Some(Record::CallStarted { .. }));
    let outcome = cancel_when(runner.start("question"), started).await;
    assert_eq!(outcome.finish, Finish::Cancelled);
    assert_eq!(begun.load(Ordering::Relaxed), 0, "bodies that began");
    for result in results(&outcome) {
        assert!(result.contains("not executed"), "{result}");
    }
}

#[tokio::test(start_paused = true)]
async fn when_some_calls_have_finished() {
    let handle = start(vec![calls(&["echo", "hang", "hang"]).into()]);
    let finished = |event: &RunEvent| matches!(recorded(event), Some(Record::CallFinished { .. }));
    let outcome = cancel_when(handle, finished).await;
    assert_eq!((&outcome.finish, outcome.rounds), (&Finish::Cancelled, 1));
    let results = results(&outcome);
    assert_eq!(results[0], "{}", "finished work is kept");
    assert!(results[1].contains("cancelled") && results[2].contains("cancelled"));
}

#[tokio::test(start_paused = true)]
async fn between_two_rounds() {
    let handle = start(vec![
        calls(&["echo"]).into(),
        ScriptedResponse::Stall(calls(&["echo"])),
    ]);
    let finished = |event: &RunEvent| matches!(recorded(event), Some(Record::CallFinished { .. }));
    let outcome = cancel_when(handle, finished).await;
    assert_eq!((&outcome.finish, outcome.rounds), (&Finish::Cancelled, 1));
    assert_eq!(results(&outcome), ["{}"]);
}

#[tokio::test(start_paused = true)]
async fn while_the_model_sums_up_at_the_limit() {
    let round = || ScriptedResponse::from(calls(&["echo"]));
    let handle = start(vec![
        round(),
        round(),
        ScriptedResponse::Stall(ModelResponse::from_text("So far")),
    ]);
    let outcome = cancel_when(handle, |event| {
        matches!(event, RunEvent::Delta(ModelEvent::Text(_)))
    })
    .await;
    assert_eq!((&outcome.finish, outcome.rounds), (&Finish::Cancelled, 2));
}

/// A task of a tool outlives the borrow of its context, and has the token.
#[tokio::test]
async fn a_tool_gives_its_token_away() {
    let (begun, ended) = (CancellationToken::new(), CancellationToken::new());
    let tool = DynamicTool::builder("work", "Works in a task of its own.").build({
        let (begun, ended) = (begun.clone(), ended.clone());
        move |_: ToolCall, cx: ToolContext| {
            let (ended, token) = (ended.clone(), cx.cancellation());
            begun.cancel();
            tokio::spawn(async move {
                token.cancelled().await;
                ended.cancel();
            });
            async move {
                cx.cancelled().await;
                Ok::<_, ToolError>("stopped")
            }
        }
    });
    let tools = Toolset::new().with(tool.expect("is sound"));
    let call = ToolCall::new("1", "work", "{}");
    let model = ScriptedModel::new([ModelResponse::from_calls([call])]);
    let runner = Runner::builder(model).tools(tools.expect("has one tool"));
    let mut handle = runner.build().expect("is consistent").start("Work.");
    let token = handle.cancellation();
    tokio::spawn(async move {
        begun.cancelled().await;
        token.cancel();
    });
    while handle.next().await.is_some() {}
    ended.cancelled().await;
}

/// A response that is followed by another request, and that costs 15 tokens.
async fn cancel_in_correction(first: ModelResponse, emulates: bool, streaming: bool) -> RunOutcome {
    let script = [
        ScriptedResponse::from(first.with_usage(Usage::new(10, 5))),
        ScriptedResponse::Stall(ModelResponse::default()),
    ];
    let model = ScriptedModel::new(script);
    let model: Arc<dyn ChatModel> = if emulates {
        Arc::new(Emulated::new(model, ToolEmulation::Force))
    } else {
        Arc::new(model)
    };
    let runner = Runner::builder(model)
        .tools(Toolset::new().with(echo()).expect("one tool"))
        .streaming(streaming);
    let handle = runner.build().expect("builds").start("question");
    cancel_in(Duration::from_secs(1), handle.cancellation());
    handle.outcome().await.expect("is an outcome")
}

#[tokio::test(start_paused = true)]
async fn what_was_used_before_a_correction_counts() {
    for streaming in [true, false] {
        for emulates in [true, false] {
            let first = if emulates {
                // No decision can be read in it.
                ModelResponse::from_text("{{{")
            } else {
                ModelResponse::default()
            };
            let outcome = cancel_in_correction(first, emulates, streaming).await;
            let what = format!("emulates: {emulates}, streaming: {streaming}");
            assert_eq!(outcome.finish, Finish::Cancelled, "{what}");
            assert_eq!(outcome.usage.total_tokens(), 15, "{what}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn when_it_is_over_nothing_changes() {
    let handle = start(vec![ModelResponse::from_text("done").into()]);
    let finished = |event: &RunEvent| matches!(recorded(event), Some(Record::Finished { .. }));
    let outcome = cancel_when(handle, finished).await;
    assert_eq!(
        (outcome.finish, outcome.text.as_str()),
        (Finish::Answered, "done")
    );
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_conversation_goes_on() {
    let handle = start(vec![calls(&["hang"]).into()]);
    let started = |event: &RunEvent| matches!(recorded(event), Some(Record::CallStarted { .. }));
    let mut conversation = cancel_when(handle, started).await.conversation;
    let model = ScriptedModel::new([ModelResponse::from_text("Fine.")]);
    let runner = Runner::builder(model.clone()).build().expect("builds");
    let outcome = runner
        .request("Never mind.")
        .within(&mut conversation)
        .run()
        .await
        .expect("goes on");
    assert_eq!(outcome.text, "Fine.");
    assert_eq!(
        model.requests()[0]
            .messages
            .iter()
            .flat_map(Message::turns)
            .count(),
        4
    );
}

#[tokio::test]
async fn a_model_that_never_waits_can_be_cancelled() {
    let endless = ModelResponse::new(vec![Part::Text("x".repeat(100)); 5_000]);
    let handle = start(vec![ScriptedResponse::Stall(endless)]);
    let mut deltas = 0;
    let outcome = cancel_when(handle, |event| {
        deltas += usize::from(matches!(event, RunEvent::Delta(_)));
        deltas == 3
    })
    .await;
    assert_eq!(outcome.finish, Finish::Cancelled);
}

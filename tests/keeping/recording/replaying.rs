//! A replay is the run that was recorded.

use std::{future::pending, time::Duration};

use toolwright::{
    ChatModel, ModelError, ModelResponse, Runner, ToolCall,
    emulation::{Emulated, ToolEmulation},
    middleware::{self, Middleware},
    model::{
        ModelCapabilities, ModelErrorKind, ModelEvent, ModelRequest, ModelStream, Retry, Usage,
    },
    run::{Finish, Limits, RunOutcome},
    runner::RunEvent,
    testing::{ScriptedModel, ScriptedResponse},
    tool, toolset,
};
use toolwright_recording::Recording;

use super::{Folder, QUESTION, call, recorded, runner, tools, two_rounds};

/// What a run leaves, apart from its id and its times.
fn left(outcome: &RunOutcome) -> String {
    let RunOutcome {
        finish,
        text,
        conversation,
        rounds,
        usage,
        warnings,
        ..
    } = outcome;
    let conversation = serde_json::to_string(conversation).expect("serialises");
    format!("{finish:?} {text} {conversation} {rounds} {usage:?} {warnings:?}")
}

async fn streamed(runner: &Runner, question: &str) -> RunOutcome {
    let mut handle = runner.start(question);
    while handle.next().await.is_some() {}
    handle.outcome().await.expect("it ends well")
}

#[tokio::test]
async fn a_replay_is_the_recorded_run() {
    let folder = Folder::new("same");
    let live = recorded(&folder).await;
    assert_eq!((live.rounds, live.usage.input_tokens), (2, 60));
    for streams in [false, true] {
        let replay = Recording::replay(folder.file()).expect("it is there");
        assert!(!replay.is_live());
        let runner = runner(replay.clone(), tools());
        let outcome = if streams {
            streamed(&runner, QUESTION).await
        } else {
            runner.run(QUESTION).await.expect("it answers")
        };
        assert_eq!(left(&outcome), left(&live));
        replay.finish().expect("it is the same run");
    }
}

#[tokio::test]
async fn a_streamed_run_is_recorded_like_another() {
    let (folder, other) = (Folder::new("streamed"), Folder::new("whole"));
    recorded(&other).await;
    let recording = Recording::record(folder.file(), two_rounds()).expect("can be written");
    streamed(&runner(recording.clone(), tools()), QUESTION).await;
    recording.finish().expect("is written");
    assert_eq!(folder.text(), other.text());
}

#[tokio::test(start_paused = true)]
async fn an_error_is_replayed_and_asked_again() {
    let folder = Folder::new("errors");
    let busy = ModelError::new(ModelErrorKind::Overloaded, "try again later")
        .with_status(529)
        .with_retry_after(Duration::from_secs(3));
    let broken = ModelError::new(ModelErrorKind::Transport, "it broke off")
        .with_partial(ModelResponse::new(Vec::new()).with_usage(Usage::new(4, 0)));
    let model = ScriptedModel::new([
        ScriptedResponse::from(busy),
        broken.into(),
        ModelResponse::from_text("Here I am.").into(),
    ]);
    let recording = Recording::record(folder.file(), model).expect("can be written");
    let live = streamed(&runner(recording.clone(), tools()), QUESTION).await;
    recording.finish().expect("is written");
    assert_eq!(folder.text().matches("\"error\":").count(), 2);

    let replay = Recording::replay(folder.file()).expect("it is there");
    let outcome = streamed(&runner(replay.clone(), tools()), QUESTION).await;
    assert_eq!(left(&outcome), left(&live));
    replay.finish().expect("it is the same run");

    // Whoever asks again without a runner gets the same errors.
    let replay = Recording::replay(folder.file()).expect("it is there");
    let request = requests(two_rounds(), QUESTION).await.remove(0);
    let error = replay.complete(&request).await.expect_err("it is recorded");
    assert_eq!(
        (error.kind, error.status),
        (ModelErrorKind::Overloaded, Some(529))
    );
    let answer = Retry::new(replay)
        .complete(&request)
        .await
        .expect("answers");
    assert_eq!(answer.text, "Here I am.");
}

/// The requests of a run.
async fn requests(model: ScriptedModel, question: &str) -> Vec<ModelRequest> {
    let outcome = runner(model.clone(), tools()).run(question).await;
    outcome.expect("it answers");
    model.requests()
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_was_given_up_never_ends() {
    let folder = Folder::new("given-up");
    let begun = ModelResponse::from_text("It is sun");
    let model = ScriptedModel::new([ScriptedResponse::Stall(begun)]);
    let cancelled = async |model: Recording| {
        let mut handle = runner(model, tools()).start(QUESTION);
        while let Some(event) = handle.next().await {
            if matches!(&event, RunEvent::Delta(ModelEvent::Text(_))) {
                handle.cancel();
            }
        }
        handle.outcome().await.expect("it is cancelled")
    };
    let recording = Recording::record(folder.file(), model).expect("can be written");
    let live = cancelled(recording.clone()).await;
    recording.finish().expect("is written");
    assert_eq!(live.finish, Finish::Cancelled);
    assert!(folder.text().contains("\"given_up\":"));

    let replay = Recording::replay(folder.file()).expect("it is there");
    let outcome = cancelled(replay.clone()).await;
    assert_eq!(outcome.finish, Finish::Cancelled);
    replay.finish().expect("it is the same run");
    // Also for who does not stream.
    let replay = Recording::replay(folder.file()).expect("it is there");
    let mut limits = Limits::default();
    limits.max_time = Some(Duration::from_secs(5));
    let runner = Runner::builder(replay)
        .system("Be brief.\nBe kind.")
        .tools(tools());
    let runner = runner.limits(limits).build().expect("it can be built");
    let outcome = runner.run(QUESTION).await.expect("a limit ends it");
    assert!(
        matches!(outcome.finish, Finish::Limit { .. }),
        "{:?}",
        outcome.finish
    );
}

#[tokio::test]
async fn runs_at_the_same_time_share_a_file() {
    let folder = Folder::new("several");
    let answers = ["first", "second", "third"].map(ModelResponse::from_text);
    let recording =
        Recording::record(folder.file(), ScriptedModel::new(answers)).expect("can be written");
    let live = runner(recording.clone(), tools());
    for question in ["one", "two", "three"] {
        live.run(question).await.expect("answers");
    }
    recording.finish().expect("is written");

    let replay = Recording::replay(folder.file()).expect("it is there");
    let replayed = runner(replay.clone(), tools());
    for (question, answer) in [("three", "third"), ("one", "first"), ("two", "second")] {
        assert_eq!(replayed.run(question).await.expect("answers").text, answer);
    }
    replay.finish().expect("each was asked for once");
    replayed
        .run("one")
        .await
        .expect_err("it was asked for already");
}

#[tokio::test]
async fn it_does_not_matter_which_call_ends_first() {
    /// Wait for a turn.
    #[tool(read_only)]
    async fn wait(turns: u32) -> String {
        for _ in 0..turns {
            tokio::task::yield_now().await;
        }
        "done".to_owned()
    }
    let folder = Folder::new("order");
    let model = ScriptedModel::new([
        ModelResponse::from_calls([
            call("a", "wait", r#"{"turns": 9}"#),
            call("b", "wait", r#"{"turns": 0}"#),
        ]),
        ModelResponse::from_text("Done."),
    ]);
    let recording = Recording::record(folder.file(), model).expect("can be written");
    let live = runner(recording.clone(), toolset![wait]).run("Wait.").await;
    live.expect("answers");
    recording.finish().expect("is written");
    let replay = Recording::replay(folder.file()).expect("it is there");
    let outcome = runner(replay.clone(), toolset![wait].layer(ended_in_turn()))
        .run("Wait.")
        .await;
    outcome.expect("answers");
    replay.finish().expect("it is the same run");
}

/// Makes the second call wait for the others.
fn ended_in_turn() -> impl Middleware {
    middleware::before(async |call: ToolCall, _| {
        if call.id == "b" {
            for _ in 0..30 {
                tokio::task::yield_now().await;
            }
        }
        Ok(call)
    })
}

#[tokio::test]
async fn emulation_stands_on_either_side() {
    let decided = r#"[{"name": "get_weather", "arguments": {"city": "Oslo"}}]"#;
    let script = || {
        ScriptedModel::new([
            ModelResponse::from_text(format!("{{\"tool_calls\": {decided}}}")),
            ModelResponse::from_text(r#"{"tool_calls": []}"#),
            ModelResponse::from_text("It is sunny."),
        ])
    };
    let (inside, around) = (Folder::new("inside"), Folder::new("around"));
    let emulated = |model| Emulated::new(model, ToolEmulation::Force);

    let recording = Recording::record(inside.file(), script()).expect("can be written");
    let live = runner(emulated(recording.clone()), tools())
        .run(QUESTION)
        .await;
    let live = live.expect("answers");
    recording.finish().expect("is written");
    assert_eq!(live.rounds, 1);
    let replay = Recording::replay(inside.file()).expect("it is there");
    let outcome = runner(emulated(replay.clone()), tools())
        .run(QUESTION)
        .await;
    assert_eq!(left(&outcome.expect("answers")), left(&live));
    replay.finish().expect("it is the same run");

    let model = Emulated::new(script(), ToolEmulation::Force);
    let recording = Recording::record(around.file(), model).expect("can be written");
    runner(recording.clone(), tools())
        .run(QUESTION)
        .await
        .expect("answers");
    recording.finish().expect("is written");
    let replay = Recording::replay(around.file()).expect("it is there");
    let outcome = runner(replay.clone(), tools()).run(QUESTION).await;
    assert_eq!(left(&outcome.expect("answers")), left(&live));
    replay.finish().expect("it is the same run");
}

#[tokio::test]
async fn what_the_model_takes_is_recorded() {
    struct WithoutTools(ScriptedModel);
    impl ChatModel for WithoutTools {
        fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
            self.0.stream(request)
        }
        fn capabilities(&self) -> ModelCapabilities {
            ModelCapabilities::new().with_tools(false)
        }
    }
    let folder = Folder::new("capabilities");
    let model = WithoutTools(ScriptedModel::new([ModelResponse::from_text("Hello.")]));
    let recording = Recording::record(folder.file(), model).expect("can be written");
    assert!(!recording.capabilities().tools);
    recording
        .complete(&ModelRequest::default())
        .await
        .expect("answers");
    recording.finish().expect("is written");
    let replay = Recording::replay(folder.file()).expect("it is there");
    assert!(!replay.capabilities().tools);
}

#[tokio::test]
async fn a_request_that_nobody_waits_for_is_recorded() {
    struct Silent;
    impl ChatModel for Silent {
        fn stream<'a>(&'a self, _: &'a ModelRequest) -> ModelStream<'a> {
            Box::pin(futures_util::stream::once(pending()))
        }
    }
    let folder = Folder::new("silent");
    let recording = Recording::record(folder.file(), Silent).expect("can be written");
    let request = ModelRequest::default();
    drop(recording.stream(&request));
    let asked = recording.complete(&request);
    tokio::select! {
        biased;
        _ = asked => unreachable!("it is silent"),
        () = std::future::ready(()) => {}
    }
    recording.finish().expect("is written");
    assert_eq!(
        folder.text().lines().count(),
        2,
        "what was not polled was not sent"
    );
}

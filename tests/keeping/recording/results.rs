//! Calls that are answered from a recording, so that no tool runs.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use toolwright::{
    Dispatch, ErrorCategory, Message, ModelResponse, Runner, ToolCall, ToolError, Toolset,
    approval::{ApprovalRequest, Decision},
    dispatch::CallOptions,
    testing::{self, ScriptedModel},
    tool, tools, toolset,
};
use toolwright_recording::Recording;

use super::{Folder, QUESTION, call, runner};

/// A service that says another number each time.
#[derive(Default)]
struct Counter(Arc<AtomicUsize>);

#[tools]
impl Counter {
    /// Count some more.
    #[tool(read_only)]
    async fn count(&self, step: usize) -> usize {
        self.0.fetch_add(step, Relaxed) + step
    }

    /// Fail after a while, and more often.
    #[tool(read_only)]
    async fn fail(&self) -> Result<(), ToolError> {
        self.0.fetch_add(100, Relaxed);
        Err(ToolError::new(
            ErrorCategory::NetworkError,
            "nobody answers",
        ))
    }
}

fn rounds() -> ScriptedModel {
    let count = |id: &str| call(id, "count", r#"{"step": 1}"#);
    ScriptedModel::new([
        ModelResponse::from_calls([count("a"), count("b")]),
        ModelResponse::from_calls([count("a"), call("c", "fail", "{}"), count("")]),
        ModelResponse::from_text("Enough."),
    ])
}

fn counter() -> (Arc<AtomicUsize>, Toolset) {
    let counter = Counter::default();
    (Arc::clone(&counter.0), counter.into_tools())
}

async fn recorded(folder: &Folder) -> Vec<Message> {
    let (count, tools) = counter();
    let recording = Recording::record(folder.file(), rounds()).expect("can be written");
    let tools = recording.recorded_results(tools);
    let live = runner(recording.clone(), tools).run(QUESTION).await;
    recording.finish().expect("is written");
    assert_eq!(
        count.load(Relaxed),
        304,
        "while it is recorded the tools run"
    );
    live.expect("answers").conversation.messages().to_vec()
}

#[tokio::test(start_paused = true)]
async fn no_tool_runs_and_each_call_has_its_result() {
    let folder = Folder::new("no-tool");
    let live = recorded(&folder).await;
    let (count, tools) = counter();
    let replay = Recording::replay(folder.file()).expect("it is there");
    let tools = replay.recorded_results(tools);
    let before = tokio::time::Instant::now();
    let outcome = runner(replay.clone(), tools)
        .run(QUESTION)
        .await
        .expect("answers");
    assert_eq!(outcome.conversation.messages(), live);
    replay.finish().expect("it is the same run");
    assert_eq!(count.load(Relaxed), 0);
    assert_eq!(before.elapsed(), Duration::ZERO, "nothing is tried again");
    // With the tools of today it is another run.
    let (count, tools) = counter();
    count.store(1, Relaxed);
    let replay = Recording::replay(folder.file()).expect("it is there");
    let error = runner(replay, tools)
        .run(QUESTION)
        .await
        .expect_err("the numbers differ");
    assert!(error.to_string().contains("\n- 1\n+ 2\n"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_was_not_recorded_ends_the_replay() {
    let folder = Folder::new("no-call");
    recorded(&folder).await;
    let replay = Recording::replay(folder.file()).expect("it is there");
    let (count, tools) = counter();
    let tools = replay.recorded_results(tools);
    let other = call("z", "count", r#"{"step": 7}"#);
    assert!(tools.call(&other, &testing::context()).await.is_error());
    let error = runner(replay.clone(), tools)
        .run(QUESTION)
        .await
        .expect_err("it is over");
    let shown = replay.finish().expect_err("it is another run").to_string();
    assert!(error.to_string().contains(&shown), "{error}");
    let first = "after request 0, a call would run that has no result in `";
    assert!(shown.starts_with(first), "{shown}");
    assert!(shown.contains("\n\ncount\n+ {\"step\": 7}\n"), "{shown}");
    assert_eq!(count.load(Relaxed), 0);
}

#[tokio::test]
async fn an_edited_call_is_told_to_be_edited_once() {
    /// Delete what has a name.
    #[tool(approval)]
    async fn delete(name: String) -> Result<String, ToolError> {
        match name.as_str() {
            "b" => Err(ToolError::new(ErrorCategory::Unknown, "it is in use")),
            name => Ok(format!("{name} is deleted")),
        }
    }
    let folder = Folder::new("edited");
    let edit = || {
        let edited = async |request: ApprovalRequest| {
            let name = if request.call.id == "1" { "a" } else { "b" };
            Decision::ApproveWith {
                arguments: format!("{{\"name\": \"{name}\"}}"),
            }
        };
        CallOptions::new().with_approver(edited)
    };
    let all = |id: &str| ToolCall::new(id, "delete", r#"{"name": "*"}"#);
    let model = ScriptedModel::new([
        ModelResponse::from_calls([all("1"), all("2")]),
        ModelResponse::from_text("Done."),
    ]);
    let run = async |recording: Recording| {
        let tools = recording.recorded_results(toolset![delete]);
        let runner = Runner::builder(recording.clone())
            .tools(tools)
            .calls(edit());
        let outcome = runner.build().expect("builds").run("Delete it.").await;
        recording.finish().map(|()| outcome.expect("answers"))
    };
    let live = run(Recording::record(folder.file(), model).expect("can be written")).await;
    let live = live.expect("is written");
    assert!(
        folder.text().contains("changed its arguments"),
        "{}",
        folder.text()
    );
    let again = run(Recording::replay(folder.file()).expect("it is there")).await;
    let again = again.expect("it is the same run");
    assert_eq!(again.conversation.messages(), live.conversation.messages());
}

//! Tasks of runs in a store: another driver asks for the result, and does not call again.

use std::time::Duration;

use toolwright::{
    ModelResponse, Runner, ToolCall, Toolset,
    run::{Finish, RunId, RunOutcome},
    runner::{OnChanged, RunHandle},
    store::MemoryStore,
    testing::ScriptedModel,
};

use super::{
    scripted::tool,
    task_server::{Say, TaskServer, completed, working},
};

/// A runner whose model calls `go`, if it has not, and then answers.
fn runner(store: &MemoryStore, tools: Toolset, has_called: bool) -> Runner {
    let call = ModelResponse::from_calls([ToolCall::new("1", "go", "{}")]);
    let answer = ModelResponse::from_text("done");
    let responses = [call, answer].into_iter().skip(usize::from(has_called));
    let runner = Runner::builder(ScriptedModel::new(responses)).tools(tools);
    let runner = runner
        .store("tests", store.clone())
        .on_changed_tools(OnChanged::Proceed)
        .lease_time(Duration::ZERO);
    runner.build().unwrap()
}

/// Begins a run, and lets its driver go when its task was asked for.
async fn begun(server: &TaskServer, store: &MemoryStore) -> RunId {
    let tools = server.client().await.toolset().await.unwrap();
    let mut handle = runner(store, tools, false).start("go");
    tokio::select! {
        () = driven(&mut handle) => panic!("the task has no end"),
        () = server.hears("tasks/get", 1) => handle.id().clone(),
    }
}

async fn driven(handle: &mut RunHandle) {
    while handle.next().await.is_some() {}
}

/// Resumes a run with a client of a server, and gives the result of its call.
async fn resumed(server: &TaskServer, store: &MemoryStore, run: &RunId) -> String {
    let tools = server.client().await.toolset().await.unwrap();
    let handle = runner(store, tools, true).resume(run).start().await;
    let outcome = handle.unwrap().outcome().await.unwrap();
    result(&outcome)
}

pub(super) fn result(outcome: &RunOutcome) -> String {
    let rounds: Vec<_> = outcome.tool_rounds().collect();
    let [round] = &rounds[..] else {
        panic!("{} rounds", rounds.len())
    };
    assert_eq!(round.results.len(), 1);
    round.results[0].to_model_text().into_owned()
}

#[tokio::test(start_paused = true)]
async fn a_resumed_run_asks_for_the_result() {
    let server = TaskServer::new(|number| match number {
        0..3 => working(),
        _ => completed("seven"),
    });
    let store = MemoryStore::new();
    let run = begun(&server, &store).await;
    assert_eq!(resumed(&server, &store, &run).await, "seven");
    assert_eq!(server.heard("tools/call").len(), 1);
    assert!(server.heard("tasks/cancel").is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_run_cancels_its_task() {
    let server = TaskServer::new(|_| working());
    let tools = server.client().await.toolset().await.unwrap();
    let mut handle = runner(&MemoryStore::new(), tools, false).start("go");
    tokio::select! {
        () = driven(&mut handle) => panic!("the task has no end"),
        () = server.hears("tasks/get", 1) => {}
    }
    handle.cancel();
    let outcome = handle.outcome().await.unwrap();
    assert_eq!(outcome.finish, Finish::Cancelled);
    assert!(result(&outcome).contains("may have had its effect"));
    assert_eq!(server.heard("tasks/cancel")[0]["taskId"], "t1");
}

#[tokio::test(start_paused = true)]
async fn a_task_that_is_gone_is_not_begun_again() {
    let server = TaskServer::new(|number| match number {
        0 => working(),
        _ => Say::Refuse(-32602, "it has expired"),
    });
    let store = MemoryStore::new();
    let run = begun(&server, &store).await;
    let result = resumed(&server, &store, &run).await;
    assert!(result.contains("it has expired"), "{result}");
    assert!(result.contains("may have had its effect"), "{result}");
    assert_eq!(server.heard("tools/call").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn another_server_and_another_tool_are_not_asked_for_the_task() {
    let mut changed = tool("go");
    changed["description"] = "goes elsewhere".into();
    for (name, definition) in [("other", tool("go")), ("scripted", changed)] {
        let server = TaskServer::new(|_| working());
        let store = MemoryStore::new();
        let run = begun(&server, &store).await;
        let other = TaskServer::new(|_| completed("wrong")).named(name, definition);
        let result = resumed(&other, &store, &run).await;
        assert!(result.contains("may have had its effect"), "{result}");
        assert!(other.heard("tools/call").is_empty() && other.heard("tasks/get").is_empty());
    }
}

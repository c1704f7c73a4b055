//! Results whose time is over. The clock of tokio stands until nothing else is left to do.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use tokio::{sync::Notify, time::sleep};
use toolwright::{
    ModelResponse, Runner, ToolContext, ToolError, Toolset,
    store::{MemoryStore, RunFilter, RunStatus, Scope, Store},
    testing::ScriptedModel,
    tool, toolset,
};
use toolwright_mcp::Service;

use crate::client::{begun, get, newest};

/// Wait until somebody opens the gate.
#[tool(read_only)]
async fn wait_at_gate(#[context] cx: &ToolContext) -> Result<String, ToolError> {
    cx.require::<Arc<Notify>>()?.notified().await;
    Ok("through".to_owned())
}

/// A model that says one word for all time.
fn model() -> ScriptedModel {
    ScriptedModel::new([ModelResponse::from_text("Yes.")])
}

/// A tool that is an agent.
fn agent() -> Toolset {
    let agent = Runner::builder(model()).build().unwrap();
    let agent = agent.as_tool("ask_support", "Answers questions.").unwrap();
    Toolset::new().with(agent).unwrap()
}

/// The ids of all runs, with whether they are open.
async fn runs(store: &MemoryStore) -> Vec<(String, bool)> {
    let page = store.list(Scope::All, &RunFilter::default()).await.unwrap();
    let runs = page.items.iter();
    runs.map(|run| (run.info.run_id.to_string(), run.status == RunStatus::Open))
        .collect()
}

/// A run that is over, of a runner of this name.
async fn ended(store: &MemoryStore, name: &str, owner: &str) -> String {
    let runner = Runner::builder(model()).store(name, store.clone());
    let runner = runner.build().unwrap().with_owner(owner);
    runner.run("Hello.").await.unwrap().run_id.to_string()
}

#[tokio::test(start_paused = true)]
async fn results_for_which_nobody_asks_are_deleted() {
    let store = MemoryStore::new();
    // What another process of the service has left, and what is no task.
    ended(&store, "tests", "ada").await;
    let other = ended(&store, "other", "ada").await;
    let gate = Arc::new(Notify::new());
    let service = Service::new(agent().merge(toolset![wait_at_gate]).unwrap())
        .store("tests", store.clone())
        .with_extension(Arc::clone(&gate))
        .long("ask_support")
        .long("wait_at_gate")
        .tasks_kept_for(Duration::ZERO);
    let client = newest(&service).await;
    begun(&client, "ask_support", json!({"task": "Is it there?"})).await;
    let waits = begun(&client, "wait_at_gate", json!({})).await;
    sleep(Duration::from_secs(5)).await;
    let others = vec![(other.clone(), false)];
    // The run of the agent is deleted as well, and what is not over stays.
    assert_eq!(
        runs(&store).await,
        [vec![(waits.clone(), true)], others.clone()].concat()
    );
    gate.notify_one();
    sleep(Duration::from_secs(5)).await;
    assert_eq!(runs(&store).await, others);
    let error = get(&client, &waits).await.unwrap_err();
    assert!(error.to_string().contains("no task"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn results_stay_for_their_time() {
    let store = MemoryStore::new();
    let service = Service::new(agent())
        .store("tests", store.clone())
        .long("ask_support")
        .tasks_kept_for(Duration::from_secs(60 * 60));
    let client = newest(&service).await;
    let id = begun(&client, "ask_support", json!({"task": "Is it there?"})).await;
    // It looks meanwhile, and the time of the store is that of the machine.
    sleep(Duration::from_secs(60 * 60)).await;
    assert_eq!(runs(&store).await.len(), 2);
    assert!(get(&client, &id).await.unwrap().status().is_terminal());
}

//! Agents of a task that ask.

use std::sync::{Arc, Mutex};

use rmcp::model::{DetailedTask, TaskPayload, TaskStatus};
use serde_json::{Value, json};
use toolwright::{
    Dispatch, ModelResponse, Runner, ToolCall, ToolContext, ToolError, Toolset,
    dispatch::CallOptions,
    dynamic::DynamicTool,
    runner::SubAgent,
    store::MemoryStore,
    testing::ScriptedModel,
    tool,
    tool::{ToolHints, ToolPolicy},
    toolset,
};
use toolwright_mcp::Service;

use crate::client::{begun, get, newest, past, result, text, update};

type Deleted = Arc<Mutex<Vec<String>>>;

/// Delete a file for ever.
#[tool(destructive, approval)]
async fn delete_file(
    /// The path of the file.
    path: String,
    #[context] cx: &ToolContext,
) -> Result<&'static str, ToolError> {
    cx.require::<Deleted>()?.lock().unwrap().push(path);
    Ok("deleted")
}

/// An agent that deletes a file.
fn agent(name: &str, path: &str, deleted: &Deleted) -> SubAgent {
    let call = ToolCall::new("1", "delete_file", json!({"path": path}).to_string());
    let replies = [
        ModelResponse::from_calls([call]),
        ModelResponse::from_text("Done."),
    ];
    let agent = Runner::builder(ScriptedModel::new(replies))
        .tools(toolset![delete_file])
        .calls(CallOptions::new().with_extension(Arc::clone(deleted)))
        .suspends()
        .build();
    agent.unwrap().as_tool(name, "Deletes a file.").unwrap()
}

/// A tool that has both agents at work in one call.
fn both(agents: Toolset) -> DynamicTool {
    let mut policy = ToolPolicy::of(ToolHints::NONE);
    policy.resumes = true;
    let tool = DynamicTool::builder("ask_both", "Asks both agents.").policy(policy);
    let ask = move |_: ToolCall, cx: ToolContext| {
        let agents = agents.clone();
        async move {
            let [one, other] =
                ["one", "other"].map(|name| ToolCall::new("", name, r#"{"task": "Delete it."}"#));
            let (one, other) = tokio::join!(agents.call(&one, &cx), agents.call(&other, &cx));
            let [one, other] = [one, other].map(|said| said.to_model_text().into_owned());
            Ok::<_, ToolError>(format!("{one} {other}"))
        }
    };
    tool.build(ask).unwrap()
}

/// What a task asks, by the keys.
fn asked(task: &DetailedTask) -> Vec<(String, Value)> {
    let TaskPayload::InputRequired { input_requests } = &task.payload else {
        panic!("it asks nothing: {task:?}")
    };
    let asked = input_requests.iter();
    asked
        .map(|(key, asked)| (key.clone(), serde_json::to_value(asked).unwrap()))
        .collect()
}

#[tokio::test]
async fn two_agents_of_one_call_are_answered_each() {
    let deleted = Deleted::default();
    let agents = Toolset::new()
        .with(agent("one", "a.txt", &deleted))
        .and_then(|tools| tools.with(agent("other", "b.txt", &deleted)))
        .unwrap();
    let service = Service::new(Toolset::new().with(both(agents)).unwrap())
        .store("tests", MemoryStore::new())
        .long("ask_both");
    let client = newest(&service).await;
    let id = begun(&client, "ask_both", json!({})).await;
    let task = past(&client, &id, TaskStatus::Working).await;
    let asked = asked(&task);
    assert_eq!(asked.len(), 2, "{asked:?}");
    let answers = asked.iter().map(|(key, asked)| {
        let message = asked["params"]["message"].as_str().unwrap();
        let action = if message.contains("b.txt") {
            "accept"
        } else {
            "decline"
        };
        (key.clone(), json!({"action": action}))
    });
    update(&client, &id, answers.collect()).await.unwrap();
    let task = loop {
        let task = get(&client, &id).await.unwrap();
        if task.status().is_terminal() {
            break task;
        }
    };
    assert_eq!(text(&result(&task)), "Done. Done.");
    assert_eq!(*deleted.lock().unwrap(), ["b.txt"]);
}

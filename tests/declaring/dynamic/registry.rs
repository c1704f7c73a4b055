//! Tools that come and go while runs use them.

use std::num::NonZeroUsize;

use serde_json::json;
use toolwright::{
    Dispatch, Message, ModelResponse, Runner, ToolCall, ToolError, ToolResult, Toolset,
    dispatch::CallOptions,
    dynamic::DynamicTool,
    runner::BuildError,
    testing::ScriptedModel,
    tool, toolset,
    toolset::{ToolRegistry, ToolsetError},
};

/// Say that the tool is there.
#[tool]
fn declared() -> &'static str {
    "declared"
}

fn says(name: &'static str, text: &'static str) -> DynamicTool {
    DynamicTool::builder(name, "Says what it is told to say.")
        .build(move |_, _| std::future::ready(Ok(text)))
        .expect("every rule holds")
}

fn names(registry: &ToolRegistry) -> Vec<String> {
    registry.snapshot().names().map(str::to_owned).collect()
}

#[test]
fn tools_keep_their_order() {
    let registry = ToolRegistry::from(toolset![declared]);
    registry.insert(says("b", "1")).expect("it is new");
    registry.insert(says("a", "1")).expect("it is new");
    assert_eq!(names(&registry), ["declared", "b", "a"]);
    let before = registry.snapshot();
    let replaced = registry
        .replace(says("b", "2"))
        .expect("every provider takes it");
    assert!(replaced.is_some_and(|old| std::sync::Arc::ptr_eq(&old, before.find("b").unwrap())));
    assert!(
        registry
            .replace(says("c", "1"))
            .expect("every provider takes it")
            .is_none()
    );
    assert_eq!(names(&registry), ["declared", "b", "a", "c"]);
    assert!(registry.remove("declared").is_some());
    assert!(registry.remove("declared").is_none());
    assert_eq!(names(&registry), ["b", "a", "c"]);
    assert_eq!(before.len(), 3);
}

#[test]
fn a_change_that_fails_changes_nothing() {
    let registry = ToolRegistry::from(toolset![declared]);
    let twice = registry.insert(says("declared", "1"));
    assert!(matches!(twice, Err(ToolsetError::Duplicate { .. })));
    let half = registry.update(|tools| tools.with(says("a", "1"))?.with(says("a", "2")));
    assert!(half.is_err());
    assert_eq!(names(&registry), ["declared"]);
}

#[tokio::test]
async fn tools_are_found_after_one_before_them_is_gone() {
    let registry = ToolRegistry::new();
    for name in ["a", "b", "c"] {
        registry.insert(says(name, name)).expect("it is new");
    }
    assert!(registry.remove("b").is_some());
    registry.insert(says("d", "d")).expect("it is new");
    let tools = registry.snapshot();
    for name in ["a", "c", "d"] {
        let call = ToolCall::new("1", name, "{}");
        let results = tools.dispatch(&[call]).await;
        assert_eq!(results[0].to_model_text(), name);
    }
}

#[tokio::test]
async fn a_name_that_is_not_there_is_answered_in_few_words() {
    let registry = ToolRegistry::new();
    for number in 0..200 {
        let name = format!("tool_{number}");
        let tool = DynamicTool::builder(name, "Says what it is told to say.");
        let tool = tool.build(async |_, _| Ok::<_, ToolError>("x"));
        registry
            .insert(tool.expect("every rule holds"))
            .expect("it is new");
    }
    let tools = registry.snapshot();
    let told = async |name: String| {
        let results = tools.dispatch(&[ToolCall::new("1", name, "{}")]).await;
        results[0].to_model_text().into_owned()
    };
    let near = told("tool_1x".to_owned()).await;
    assert!(near.contains("available: tool_1, "), "{near}");
    assert!(near.contains(", and 150 more, code: "), "{near}");
    assert!(told("x".repeat(50_000)).await.len() < 1_000);
}

#[test]
fn changes_from_many_threads_are_all_made() {
    const NAMES: [&str; 4] = ["a", "b", "c", "d"];
    let registry = ToolRegistry::new();
    std::thread::scope(|scope| {
        for name in NAMES {
            let registry = &registry;
            scope.spawn(move || {
                for _ in 0..100 {
                    registry
                        .insert(says(name, "1"))
                        .expect("nobody else adds it");
                    assert!(registry.remove(name).is_some());
                }
                registry
                    .insert(says(name, "1"))
                    .expect("nobody else adds it");
            });
        }
    });
    let mut names = names(&registry);
    names.sort();
    assert_eq!(names, NAMES);
}

/// A tool that adds one tool and removes another while it runs.
fn changing(registry: &ToolRegistry) -> DynamicTool {
    let registry = registry.clone();
    DynamicTool::builder("change", "Changes which tools there are.")
        .build(move |_, _| {
            registry.remove("old");
            let added = registry.replace(says("new", "new"));
            async move { added.map(|_| "changed").map_err(ToolError::internal) }
        })
        .expect("every rule holds")
}

#[tokio::test]
async fn a_run_sees_one_state_for_each_round() {
    let registry = ToolRegistry::new();
    registry.insert(changing(&registry)).expect("it is new");
    registry.insert(says("old", "old")).expect("it is new");
    let call = |name: &str| ToolCall::new("1", name, "{}");
    let model = ScriptedModel::new([
        // The second call is of a tool that the first one removes.
        ModelResponse::from_calls([call("change"), call("old"), call("new")]),
        ModelResponse::from_calls([call("new"), call("old")]),
        ModelResponse::from_text("Done."),
    ]);
    let runner = Runner::builder(model.clone())
        .registry(registry.clone())
        .calls(CallOptions::new().with_concurrency(NonZeroUsize::MIN))
        .build()
        .expect("the settings agree");
    let outcome = runner.run("Go.").await.expect("it answers");
    assert_eq!(outcome.text, "Done.");

    let shown: Vec<Vec<String>> = model
        .requests()
        .iter()
        .map(|request| {
            request
                .tools
                .iter()
                .map(|tool| tool.name.to_string())
                .collect()
        })
        .collect();
    assert_eq!(
        shown,
        [
            vec!["change", "old"],
            vec!["change", "new"],
            vec!["change", "new"]
        ]
    );
    let results: Vec<_> = outcome
        .conversation
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::Assistant(message) => Some(&message.tool_rounds),
            Message::User(_) => None,
        })
        .flatten()
        .flat_map(|round| round.results.iter().map(ToolResult::to_model_text))
        .collect();
    let unknown = |name: &str, available: &str| {
        format!(
            "Tool execution failed (resourceNotFound): there is no tool called `{name}`\n\
             Details: available: {available}, code: unknown_tool"
        )
    };
    assert_eq!(
        results,
        [
            "changed".to_owned(),
            "old".to_owned(),
            unknown("new", "change, old"),
            "new".to_owned(),
            unknown("old", "change, new"),
        ]
    );
    assert_eq!(runner.tools().len(), 2);
}

#[tokio::test]
async fn rounds_without_a_change_show_the_same_bytes() {
    let registry = ToolRegistry::from(toolset![declared]);
    let model = ScriptedModel::new([
        ModelResponse::from_calls([ToolCall::new("1", "declared", json!({}).to_string())]),
        ModelResponse::from_text("Done."),
    ]);
    let runner = Runner::builder(model.clone()).registry(registry).build();
    runner
        .expect("the settings agree")
        .run("Go.")
        .await
        .expect("it answers");
    let requests = model.requests();
    let first = |index: usize| requests[index].tools.as_ptr();
    assert_eq!(first(0), first(1));
}

#[test]
fn tools_and_a_registry_are_one_too_many() {
    let builder = Runner::builder(ScriptedModel::new([ModelResponse::from_text("")]));
    let both = builder
        .tools(Toolset::new())
        .registry(ToolRegistry::new())
        .build();
    assert_eq!(both.err(), Some(BuildError::ToolsAndRegistry));
}

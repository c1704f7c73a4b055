//! Arguments that are not quite right, through a dispatch and through a run.

use std::borrow::Cow;

use serde_json::json;
use toolwright::{
    Dispatch, Message, ModelResponse, Runner, ToolCall, ToolContext, ToolDefinition, ToolError,
    ToolResult, Toolset,
    arguments::{ChangeKind, Leniency},
    dispatch::{CallOptions, DispatchOptions},
    dynamic::DynamicTool,
    run::Record,
    runner::RunEvent,
    schema::Schema,
    testing::ScriptedModel,
    tool,
    tool::Effects,
    toolset,
};

/// Say how the weather will be.
#[tool(read_only)]
fn forecast(
    /// The city.
    city: &str,
    /// For how many days.
    days: u8,
    /// What to tell.
    #[tool(default)]
    about: Vec<String>,
) -> String {
    format!("{city} {days} {about:?}")
}

/// Delete files for good.
#[tool]
fn delete(
    /// Which.
    paths: Vec<String>,
    /// And how.
    #[tool(default)]
    options: Option<Options>,
) -> String {
    format!("{paths:?} {}", options.is_some())
}

#[derive(serde::Deserialize, toolwright::ToolInput)]
#[expect(dead_code, reason = "only its shape matters")]
struct Options {
    force: bool,
}

async fn dispatch(tools: &Toolset, name: &str, arguments: &str, leniency: Leniency) -> ToolResult {
    let calls = [ToolCall::new("1", name, arguments)];
    let options = DispatchOptions::from(CallOptions::new().with_leniency(leniency));
    tools.dispatch_with(&calls, &options).await.remove(0)
}

#[tokio::test]
async fn it_is_off_unless_set() {
    let tools = toolset![forecast];
    let arguments = r#"{"city": "Oslo", "days": "3"}"#;
    let strict = tools
        .dispatch(&[ToolCall::new("1", "forecast", arguments)])
        .await;
    let text = strict[0].to_model_text();
    assert!(
        text.contains("arguments.days: expected an integer"),
        "{text}"
    );
    assert!(strict[0].changes.is_empty());
    let lenient = dispatch(&tools, "forecast", arguments, Leniency::On).await;
    assert_eq!(lenient.to_model_text(), "Oslo 3 []");
    let told: Vec<_> = lenient.changes.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["arguments.days: a string became a number"]);
}

#[tokio::test]
async fn repairs_come_before_changes_of_values() {
    let arguments = "```json\n{city: 'Oslo', 'days': '3', \"about\": \"wind\",}\n```";
    let result = dispatch(&toolset![forecast], "forecast", arguments, Leniency::On).await;
    assert_eq!(result.to_model_text(), r#"Oslo 3 ["wind"]"#);
    let kinds: Vec<_> = result.changes.iter().map(|change| change.kind).collect();
    let first = kinds
        .iter()
        .position(|kind| !kind.is_repair())
        .expect("there are both");
    assert!(kinds[..first].iter().all(|kind| kind.is_repair()));
    assert_eq!(kinds[first..], [ChangeKind::ToNumber, ChangeKind::Listed]);
}

#[tokio::test]
async fn what_fits_is_not_touched() {
    let tools = toolset![forecast];
    for arguments in [
        " {\"days\" : 3.0, \"city\":\"“Oslo” 'N'\", \"about\": [\"[1]\", \"true\"] } ",
        "",
    ] {
        let call = ToolCall::new("1", "forecast", arguments);
        let definition = tools.definitions().next().expect("there is one");
        let prepared = Leniency::On.prepare(&call, definition, Effects::ReadOnly);
        assert!(matches!(prepared.call, Cow::Borrowed(_)), "{arguments}");
        assert!(prepared.changes.is_empty());
    }
}

#[tokio::test]
async fn what_was_cut_off_never_runs_a_tool_that_writes() {
    let tools = toolset![delete];
    let cut = r#"{"paths": ["a"], "options": {"force": true}"#;
    let result = dispatch(&tools, "delete", cut, Leniency::On).await;
    assert!(result.is_error() && result.changes.is_empty(), "{result:?}");
    let whole = dispatch(&tools, "delete", &format!("{cut},}}"), Leniency::On).await;
    assert_eq!(whole.to_model_text(), r#"["a"] true"#);
    assert_eq!(whole.changes[0].kind, ChangeKind::TrailingComma);

    let definition = tools.definitions().next().expect("there is one");
    let call = ToolCall::new("1", "delete", cut);
    let prepare = |effects| Leniency::On.prepare(&call, definition, effects);
    for effects in [Effects::Write, Effects::Idempotent] {
        assert!(prepare(effects).changes.is_empty());
    }
    assert_eq!(
        prepare(Effects::ReadOnly).changes[0].kind,
        ChangeKind::Unclosed
    );
}

/// Delete files that are old.
#[tool(read_only)]
fn delete_old(
    /// Which.
    filter: Filter,
    /// Only say what would be done.
    #[tool(default)]
    dry_run: bool,
) -> String {
    format!("{:?} {dry_run}", filter.older_than)
}

#[derive(serde::Deserialize, toolwright::ToolInput)]
struct Filter {
    older_than: Option<u8>,
}

#[tokio::test]
async fn no_member_changes_its_owner() {
    let tools = toolset![delete_old];
    for (arguments, is_read) in [
        (r#"{"filter":{"older_than":null,"dry_run":true}"#, false),
        (r#"{"filter":{"older_than":null},"dry_run":true}}"#, false),
        (r#"{"dry_run":true,"filter":{"older_than":null}"#, true),
        (r#"{"dry_run":true,"filter":{"older_than":null}}}"#, true),
    ] {
        let result = dispatch(&tools, "delete_old", arguments, Leniency::On).await;
        assert_eq!(!result.is_error(), is_read, "{arguments}: {result:?}");
        assert!(!is_read || result.to_model_text() == "None true");
    }
}

#[tokio::test]
async fn foreign_tools_are_led_by_their_own_schema() {
    let schema = json!({"type": "object", "properties": {
        "filter": {"$ref": "#/definitions/filter"}, "limit": {"type": ["integer", "null"]}},
        "definitions": {"filter": {"type": "object", "properties": {"open": {"type": "boolean"}}}}});
    let definition = ToolDefinition::new("list", "Lists.", Schema::from_value(&schema));
    let tool = DynamicTool::foreign(definition, |call: ToolCall, _: ToolContext| async move {
        Ok::<_, ToolError>(call.arguments)
    })
    .expect("is a tool");
    let tools = Toolset::new().with(tool).expect("has a name");
    let arguments = r#"{"filter": "{\"open\": \"true\"}", "limit": "5"}"#;
    let result = dispatch(&tools, "list", arguments, Leniency::On).await;
    assert_eq!(
        result.to_model_text(),
        r#"{"filter": {"open": true}, "limit": 5}"#
    );
    assert_eq!(result.changes.len(), 3, "{:?}", result.changes);
}

#[tokio::test]
async fn a_run_keeps_the_models_text_and_logs_the_changes() {
    let written = "{'city': 'Oslo', 'days': 3}";
    let model = ScriptedModel::new([
        ModelResponse::from_calls([ToolCall::new("1", "forecast", written)]),
        ModelResponse::from_text("Rain."),
    ]);
    let runner = Runner::builder(model)
        .tools(toolset![forecast])
        .calls(CallOptions::new().with_leniency(Leniency::On))
        .build()
        .expect("is consistent");
    let mut handle = runner.start("Weather?");
    let mut logged = Vec::new();
    while let Some(event) = handle.next().await {
        if let RunEvent::Recorded {
            record: Record::CallFinished { result, .. },
            ..
        } = event
        {
            logged.push(result);
        }
    }
    let kinds: Vec<_> = logged[0].changes.iter().map(|change| change.kind).collect();
    assert_eq!(kinds, [ChangeKind::Quotes; 3]);
    let outcome = handle.outcome().await.expect("is answered");
    let Some(Message::Assistant(reply)) = outcome.conversation.messages().last() else {
        panic!("not a response");
    };
    let (call, result) = reply.tool_rounds[0]
        .answered_calls()
        .next()
        .expect("is one");
    assert_eq!(call.arguments, written);
    assert_eq!(result.to_model_text(), "Oslo 3 []");
    assert_eq!(result.changes, logged[0].changes);
}

//! Tools under other names than those that they were declared with.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use toolwright::{
    Dispatch, ErrorCategory, ModelResponse, Runner, ToolCall, ToolContext, ToolDefinition,
    ToolError, Toolset,
    dynamic::DynamicTool,
    middleware::{self, Next},
    schema::Schema,
    testing::ScriptedModel,
    tool,
    tool::Strict,
    toolset,
    toolset::ToolsetError,
};

/// Find a customer by name.
#[tool(read_only)]
fn find(name: String) -> String {
    format!("{name} is customer 7")
}

/// Count the letters of a name.
#[tool(read_only)]
fn count(name: String) -> usize {
    name.len()
}

/// A tool of another program, which the model knows by another name.
fn foreign() -> DynamicTool {
    #[derive(serde::Deserialize)]
    struct File {
        path: String,
    }
    let schema = Schema::from_text(r#"{"type": "object"}"#).expect("is a schema");
    let definition = ToolDefinition::new("find", "Finds a file by its name.", schema);
    let run = async |call: ToolCall, _: ToolContext| {
        assert_eq!(call.name, "find", "the program knows it by its own name");
        let file: File = call.decode()?;
        Ok::<_, ToolError>(file.path)
    };
    DynamicTool::foreign(definition, run).expect("is a tool")
}

async fn called(tools: &Toolset, name: &str, arguments: &str) -> Result<String, ToolError> {
    let call = ToolCall::new("1", name, arguments);
    let result = tools.call(&call, &ToolContext::default()).await;
    match result.outcome {
        Ok(output) => Ok(output.to_text().into_owned()),
        Err(error) => Err(*error),
    }
}

#[tokio::test]
async fn a_renamed_tool_is_called_by_its_new_name_alone() {
    let tools = toolset![find, count].prefixed("crm_").unwrap();
    assert_eq!(tools.names().collect::<Vec<_>>(), ["crm_find", "crm_count"]);
    let definition = tools.definitions().next().unwrap();
    let declared = toolset![find];
    let declared = declared.definitions().next().unwrap();
    assert_eq!(definition.description, declared.description);
    assert_eq!(definition.input_schema, declared.input_schema);
    assert_eq!(tools.policy("crm_find"), toolset![find].policy("find"));

    let text = called(&tools, "crm_find", r#"{"name": "Ada"}"#).await;
    assert_eq!(text.unwrap(), "Ada is customer 7");
    let error = called(&tools, "find", r#"{"name": "Ada"}"#).await;
    let error = error.unwrap_err();
    assert_eq!(error.category, ErrorCategory::ResourceNotFound);
    assert_eq!(error.details["available"], "crm_find, crm_count");
    // An error names the tool as the model knows it.
    let error = called(&tools, "crm_find", "{}").await.unwrap_err();
    assert_eq!(error.details["tool"], "crm_find");
}

#[tokio::test]
async fn a_dynamic_tool_runs_under_its_own_name() {
    let tools = Toolset::new().with(foreign()).unwrap();
    let tools = tools.renamed("find", "find_file").unwrap();
    let text = called(&tools, "find_file", r#"{"path": "/a"}"#).await;
    assert_eq!(text.unwrap(), "/a");
    let error = called(&tools, "find_file", "{}").await.unwrap_err();
    assert_eq!(error.details["tool"], "find_file");
    // Twice renamed, it has the last name.
    let tools = tools.prefixed("disk_").unwrap();
    let error = called(&tools, "disk_find_file", "{}").await.unwrap_err();
    assert_eq!(error.details["tool"], "disk_find_file");
}

#[tokio::test]
async fn middleware_stays_around_a_renamed_tool() {
    let seen = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&seen);
    let counted = middleware::around(move |call: ToolCall, cx, next: Next| {
        assert!(call.name == "crm_find", "{}", call.name);
        counting.fetch_add(1, Relaxed);
        next.run(call, cx)
    });
    let later = Arc::clone(&seen);
    let inside = middleware::around(move |call: ToolCall, cx, next: Next| {
        assert_eq!(later.fetch_add(1, Relaxed), 1, "it is inside of the other");
        next.run(call, cx)
    });
    let tools = toolset![find]
        .layer(counted)
        .prefixed("crm_")
        .unwrap()
        .strict(Strict::OpenAi)
        .layer(inside);
    let text = called(&tools, "crm_find", r#"{"name": "Ada"}"#).await;
    assert_eq!(text.unwrap(), "Ada is customer 7");
    assert_eq!(seen.load(Relaxed), 2);
}

#[tokio::test]
async fn sets_that_clash_are_one_in_a_run() {
    let files = Toolset::new().with(foreign()).unwrap();
    let clash = toolset![find].merge(files.clone()).unwrap_err();
    assert!(clash.to_string().contains("prefixed"), "{clash}");
    let tools = toolset![find].merge(files.prefixed("disk_").unwrap());
    let calls = [
        ToolCall::new("1", "disk_find", r#"{"path": "/a"}"#),
        ToolCall::new("2", "find", r#"{"name": "Ada"}"#),
    ];
    let model = ScriptedModel::new([
        ModelResponse::from_calls(calls),
        ModelResponse::from_text("Done."),
    ]);
    let runner = Runner::builder(model).tools(tools.unwrap()).build();
    let outcome = runner.unwrap().run("Find them.").await.unwrap();
    let round = outcome.tool_rounds().next().unwrap();
    let texts: Vec<_> = round
        .results
        .iter()
        .map(|one| one.to_model_text())
        .collect();
    assert_eq!(texts, ["/a", "Ada is customer 7"]);
}

#[test]
fn names_that_cannot_be_are_refused() {
    let tools = toolset![find, count];
    let name = |error: ToolsetError| match error {
        ToolsetError::Name { name } | ToolsetError::Duplicate { name } => name,
        other => panic!("{other}"),
    };
    assert_eq!(
        name(tools.prefixed("my tools.").unwrap_err()),
        "my tools.find"
    );
    let long = "x".repeat(61);
    assert_eq!(
        name(tools.prefixed(&long).unwrap_err()),
        format!("{long}find")
    );
    assert_eq!(name(tools.renamed("find", "count").unwrap_err()), "count");
    assert_eq!(name(tools.renamed("find", "").unwrap_err()), "");
    let unknown = tools.renamed("fimd", "seek").unwrap_err();
    assert!(
        unknown.to_string().contains("did you mean `find`?"),
        "{unknown}"
    );
    // One that keeps its name is no clash.
    let same = tools.renamed("find", "find").unwrap();
    assert_eq!(same.names().collect::<Vec<_>>(), ["find", "count"]);
}

//! Tools that are known only at run time.

mod allowance;
mod bounded;
mod built;
mod foreign;
mod hostile;
mod older;
mod patterns;
mod refused;
mod registry;
mod told;
mod unions;

use serde_json::Value;
use toolwright::{
    Dispatch, ToolCall, ToolContext, ToolDefinition, ToolError, ToolResult, Toolset,
    dynamic::{DefinitionError, DynamicTool},
    schema::Schema,
};

/// A foreign tool of a schema that says which name and arguments it got.
fn foreign(name: &str, schema: &str) -> Result<DynamicTool, DefinitionError> {
    let schema = Schema::from_text(schema).expect("it is JSON");
    let definition = ToolDefinition::new(name.to_owned(), "A tool of somebody else.", schema);
    DynamicTool::foreign(definition, async |call: ToolCall, _cx| {
        Ok::<_, ToolError>(format!("{} {}", call.name, call.arguments))
    })
}

/// What is wrong with a schema, one a line.
fn violations(schema: &str) -> Vec<String> {
    let error = foreign("theirs", schema).expect_err("the schema is refused");
    assert_eq!(error.untold(), 0);
    error.violations().iter().map(ToString::to_string).collect()
}

async fn call(tool: &DynamicTool, arguments: &Value) -> ToolResult {
    call_with_text(tool, &arguments.to_string()).await
}

async fn call_with_text(tool: &DynamicTool, arguments: &str) -> ToolResult {
    let tools = Toolset::new()
        .with(tool.clone())
        .expect("the name is taken");
    let name = tools.names().next().expect("there is one").to_owned();
    let call = ToolCall::new("1", name, arguments);
    tools.call(&call, &ToolContext::default()).await
}

/// What the model is told of arguments that do not fit; `None` if they fit.
async fn refusal(tool: &DynamicTool, arguments: &Value) -> Option<String> {
    call(tool, arguments)
        .await
        .outcome
        .err()
        .map(|error| error.message)
}

//! The schema of a decision, for servers that can constrain what a model writes.

use serde_json::{Value, json};
use toolwright_runtime::{
    Schema, ToolDefinition,
    model::{AnswerSchema, ModelRequest, ToolChoice},
};

/// The tools that may be called now.
pub(super) fn allowed(request: &ModelRequest) -> impl Iterator<Item = &ToolDefinition> {
    request
        .tools
        .iter()
        .filter(|tool| match &request.tool_choice {
            ToolChoice::Tool(name) => tool.name == name.as_str(),
            ToolChoice::None => false,
            ToolChoice::Auto | ToolChoice::Required => true,
        })
}

/// The schema of `{"tools": […]}`.
pub(super) fn answer(request: &ModelRequest) -> AnswerSchema {
    let calls: Vec<Value> = allowed(request).map(call).collect();
    let mut tools = json!({"type": "array", "items": {"anyOf": calls}});
    if super::needs_call(request) {
        tools["minItems"] = json!(1);
    }
    if request.settings.parallel_tool_calls == Some(false) {
        tools["maxItems"] = json!(1);
    }
    let schema = json!({
        "type": "object",
        "properties": {"tools": tools},
        "required": ["tools"],
        "additionalProperties": false,
    });
    AnswerSchema::new("tool_decision", Schema::from_value(&schema))
        .with_description("The tools that are called next.")
}

fn call(tool: &ToolDefinition) -> Value {
    let mut arguments = tool.input_schema.to_value();
    // A reference names a place in the tool's own schema, which is another one here. The prompt has all of it.
    if refers(&arguments) {
        arguments = json!({"type": "object"});
    }
    json!({
        "type": "object",
        "properties": {"name": {"type": "string", "enum": [tool.name]}, "arguments": arguments},
        "required": ["name", "arguments"],
        "additionalProperties": false,
    })
}

/// Returns true if a schema may have a reference.
fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(entries) => entries
            .iter()
            .any(|(key, value)| matches!(key.as_str(), "$ref" | "$dynamicRef") || refers(value)),
        Value::Array(items) => items.iter().any(refers),
        _ => false,
    }
}

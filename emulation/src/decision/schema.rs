//! The schema of a decision, for servers that can constrain what a model writes.

use serde_json::{Value, json};
use toolwright_core::{
    Schema, ToolDefinition,
    model::{AnswerSchema, ModelRequest, ToolChoice},
};

use super::definitions::Definitions;

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
    let mut definitions = Definitions::default();
    let calls = allowed(request).enumerate();
    let calls: Vec<Value> = calls
        .map(|(place, tool)| call(tool, place, &mut definitions))
        .collect();
    let mut tools = json!({"type": "array", "items": {"anyOf": calls}});
    if super::needs_call(request) {
        tools["minItems"] = json!(1);
    }
    if request.settings.parallel_tool_calls == Some(false) {
        tools["maxItems"] = json!(1);
    }
    let mut schema = json!({
        "type": "object",
        "properties": {"tools": tools},
        "required": ["tools"],
        "additionalProperties": false,
    });
    definitions.write(&mut schema);
    AnswerSchema::new("tool_decision", Schema::from_value(&schema))
        .with_description("The tools that are called next.")
}

fn call(tool: &ToolDefinition, place: usize, definitions: &mut Definitions) -> Value {
    // Where a reference cannot be led, the arguments are free. The prompt has all of the schema.
    let arguments = definitions.take(place, tool.input_schema.to_value());
    let arguments = arguments.unwrap_or_else(|| json!({"type": "object"}));
    json!({
        "type": "object",
        "properties": {"name": {"type": "string", "enum": [tool.name]}, "arguments": arguments},
        "required": ["name", "arguments"],
        "additionalProperties": false,
    })
}

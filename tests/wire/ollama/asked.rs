//! A recorded request, as one of ours.

use serde_json::{Value, json};
use toolwright::{
    ToolDefinition, ToolResult,
    message::Part,
    model::{ModelRequest, ModelSettings},
    schema::Schema,
};

use crate::turn::{Turn, push_result};

pub(super) fn asked(recorded: &Value) -> ModelRequest {
    let mut request = ModelRequest::new([]);
    let mut messages = recorded["messages"].as_array().into_iter().flatten();
    let system = messages.find(|message| message["role"] == "system");
    request.system = system.map(|message| text(message).to_owned());
    request.tools = tools(recorded).into_iter().collect();
    request.settings = settings(recorded);
    request
}

fn text(message: &Value) -> &str {
    message["content"].as_str().expect("is text")
}

pub(super) fn turns(recorded: &Value) -> Vec<Turn> {
    let mut turns = Vec::new();
    for message in recorded["messages"].as_array().expect("is one") {
        match message["role"].as_str() {
            Some("system") => {}
            Some("user") => turns.push(Turn::User(vec![Part::Text(text(message).to_owned())])),
            Some("assistant") => {
                let reply = json!({"message": message, "done": true, "done_reason": "stop"});
                turns.push(Turn::Reply(reply));
            }
            _ => push_result(&mut turns, ToolResult::success("", text(message))),
        }
    }
    turns
}

pub(super) fn definition(tool: &Value) -> ToolDefinition {
    let function = &tool["function"];
    let text = |name: &str| function[name].as_str().unwrap_or_default().to_owned();
    let schema = Schema::from_value(&function["parameters"]);
    ToolDefinition::new(text("name"), text("description"), schema)
}

pub(super) fn tools(recorded: &Value) -> Vec<ToolDefinition> {
    let tools = recorded["tools"].as_array().into_iter().flatten();
    tools.map(definition).collect()
}

fn settings(recorded: &Value) -> ModelSettings {
    let mut settings = ModelSettings::new();
    settings.reasoning_effort = match &recorded["think"] {
        Value::Null => None,
        Value::String(level) => Some(level.clone()),
        switch => Some(switch.to_string()),
    };
    let options = &recorded["options"];
    settings.temperature = options["temperature"].as_f64();
    settings.seed = options["seed"].as_i64();
    let tokens = options["num_predict"].as_u64();
    settings.max_output_tokens = tokens.and_then(|tokens| u32::try_from(tokens).ok());
    if recorded["format"].is_object() {
        settings = settings.with_extra("format", recorded["format"].clone());
    }
    settings
}

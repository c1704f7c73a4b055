//! What is sent to Ollama, compared with what was sent when the exchanges were recorded: the recorded
//! request is read into a request of ours, and ours, encoded, must say the same, field by field.
//!
//! [`as_we_write`] is the list of differences that are allowed, each with its reason.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Map, Value, json};
use toolwright::{
    Message, ModelRequest, ModelSettings, Part, Schema, ToolCall, ToolDefinition, ToolResult,
    ToolRound, message::AssistantMessage, profile::Profile, provider::ollama,
};

use super::replay::Exchange;

pub(super) fn trials(folder: &Path) -> Vec<Trial> {
    let exchanges = Exchange::read_all(folder).into_iter();
    exchanges
        .filter(|exchange| exchange.body().is_object())
        .map(|exchange| {
            Trial::test(format!("sent::ollama::{}", exchange.name), move || {
                check(exchange.body());
                Ok(())
            })
        })
        .collect()
}

fn check(recorded: &Value) {
    let request = read(recorded);
    let model = recorded["model"].as_str().expect("has one");
    let body = match recorded["stream"].as_bool() {
        Some(false) => ollama::encode(model, &request),
        _ => ollama::encode_stream(model, &request),
    };
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    assert_same(&body, &as_we_write(recorded));
    assert_eq!(ollama::warnings(&request), []);
}

/// The fields of two bodies are the same.
pub(super) fn assert_same(body: &Value, expected: &Value) {
    let fields = |value: &Value| value.as_object().expect("is one").clone();
    let (body, expected) = (fields(body), fields(expected));
    let names = |fields: &Map<String, Value>| fields.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&body), names(&expected));
    for (name, value) in &expected {
        assert_eq!(&body[name], value, "{name}");
    }
}

/// A recorded request, written as we write it.
pub(super) fn as_we_write(recorded: &Value) -> Value {
    let mut body = recorded.as_object().expect("is one").clone();
    // A stream goes without saying to the server, and not to us.
    body.entry("stream").or_insert(true.into());
    // Fields that say nothing.
    for (name, nothing) in [
        ("tools", json!([])),
        ("options", json!({})),
        ("format", json!("")),
        ("keep_alive", Value::Null),
    ] {
        body.retain(|field, value| field != name || *value != nothing);
    }
    // A temperature is no integer here.
    if let Some(temperature) = recorded["options"]["temperature"].as_f64() {
        body["options"]["temperature"] = temperature.into();
    }
    if let Some(tools) = body.get_mut("tools") {
        for tool in tools.as_array_mut().expect("is one") {
            // What the server drops of a schema is not sent.
            let rendered = Profile::ollama().render(&definition(tool));
            let rendered = rendered.expect("is taken");
            tool["function"]["description"] = rendered.description.into();
            tool["function"]["parameters"] = rendered.parameters.expect("are some").to_value();
        }
    }
    let mut names = Vec::new();
    for message in body["messages"].as_array_mut().expect("is one") {
        for call in message["tool_calls"].as_array_mut().into_iter().flatten() {
            // It is the only type there is, and the API does not document it.
            call.as_object_mut().expect("is one").remove("type");
            names.push(call["function"]["name"].clone());
        }
        if message["role"] == "tool" {
            // Older clients do not say whose result it is.
            message["tool_name"] = names.remove(0);
        }
        let fields = message.as_object_mut().expect("is one");
        fields.retain(|name, value| name != "tool_calls" || !value.is_null());
    }
    body.into()
}

fn definition(tool: &Value) -> ToolDefinition {
    let function = &tool["function"];
    let text = |name: &str| function[name].as_str().unwrap_or_default().to_owned();
    let schema = Schema::from_value(&function["parameters"]);
    ToolDefinition::new(text("name"), text("description"), schema)
}

/// The tools of a recorded request.
pub(super) fn definitions(recorded: &Value) -> impl Iterator<Item = ToolDefinition> {
    let tools = recorded["tools"].as_array().into_iter().flatten();
    tools.map(definition)
}

/// The settings of a recorded request.
pub(super) fn settings(recorded: &Value) -> ModelSettings {
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

/// A recorded request as one of ours.
fn read(recorded: &Value) -> ModelRequest {
    let mut request = ModelRequest::new([]);
    for message in recorded["messages"].as_array().expect("is one") {
        let text = || message["content"].as_str().expect("is text").to_owned();
        match message["role"].as_str() {
            Some("system") => request.system = Some(text()),
            Some("user") => request.messages.push(Message::user(text())),
            Some("assistant") => add_reply(&mut request.messages, parts_of(message)),
            _ => {
                let result = ToolResult::success("", text());
                let Some(Message::Assistant(message)) = request.messages.last_mut() else {
                    panic!("a result without a call");
                };
                let round = message.tool_rounds.last_mut().expect("there is a call");
                round.results.push(result);
            }
        }
    }
    request.tools = definitions(recorded).collect();
    request.settings = settings(recorded);
    request
}

fn add_reply(messages: &mut Vec<Message>, reply: Vec<Part>) {
    if !matches!(messages.last(), Some(Message::Assistant(_))) {
        messages.push(Message::Assistant(AssistantMessage::default()));
    }
    let Some(Message::Assistant(message)) = messages.last_mut() else {
        unreachable!("it has just been added")
    };
    if reply.iter().any(|part| matches!(part, Part::Call(_))) {
        let results = Vec::new();
        message.tool_rounds.push(ToolRound { reply, results });
    } else {
        message.parts = reply;
    }
}

fn parts_of(message: &Value) -> Vec<Part> {
    let text = |name: &str| message[name].as_str().map(str::to_owned);
    let mut parts = Vec::new();
    parts.extend(text("thinking").map(Part::Reasoning));
    parts.extend(text("content").map(Part::Text));
    for call in message["tool_calls"].as_array().into_iter().flatten() {
        let function = &call["function"];
        let name = function["name"].as_str().expect("has one");
        let arguments = function["arguments"].to_string();
        parts.push(Part::Call(ToolCall::new("", name, arguments)));
    }
    parts
}

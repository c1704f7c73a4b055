//! A recorded request, as one of ours.

use serde_json::{Value, json};
use toolwright::{
    ToolDefinition, ToolResult,
    message::{Image, Part},
    model::{ModelRequest, ModelSettings, ToolChoice},
    schema::Schema,
};

use crate::turn::{Turn, push_result};

/// The fields that a request of ours has names for. Any other is one of the user's own.
const KNOWN: [&str; 14] = [
    "model",
    "messages",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "stream",
    "stream_options",
    "temperature",
    "seed",
    "max_tokens",
    "max_completion_tokens",
    "reasoning_effort",
    "reasoning",
    "thinking",
];

pub(super) fn asked(body: &Value) -> ModelRequest {
    let mut request = ModelRequest::new([]);
    let messages = body["messages"].as_array().expect("is one");
    let system = messages.iter().find(|message| message["role"] == "system");
    request.system = system.map(|message| text_of(&message["content"]));
    request.tools = tools(body).into_iter().collect();
    let choice = &body["tool_choice"];
    let name = choice["function"]["name"].as_str();
    request.tool_choice = match (choice.as_str(), name) {
        (Some("required" | "any"), _) => ToolChoice::Required,
        (Some("none"), _) => ToolChoice::None,
        (_, Some(name)) => ToolChoice::Tool(name.to_owned()),
        _ => ToolChoice::Auto,
    };
    let mut settings = ModelSettings::new();
    settings.parallel_tool_calls = body["parallel_tool_calls"].as_bool();
    settings.temperature = body["temperature"].as_f64();
    settings.seed = body["seed"].as_i64();
    let tokens = (body["max_tokens"].as_u64()).or(body["max_completion_tokens"].as_u64());
    settings.max_output_tokens = tokens.and_then(|tokens| u32::try_from(tokens).ok());
    settings.reasoning_effort = body["reasoning_effort"].as_str().map(str::to_owned);
    for (name, value) in body.as_object().expect("is one") {
        let is_known = KNOWN.contains(&&**name);
        match (name.as_str(), effort_in(name, value)) {
            // DeepSeek refuses both together, which was to be recorded.
            ("thinking", Some(_)) if name_is_forced(body) => {
                settings = settings.with_extra(name, value.clone());
            }
            (_, Some(effort)) => settings.reasoning_effort = Some(effort),
            ("reasoning" | "thinking", None) => {
                settings = settings.with_extra(name, value.clone());
            }
            ("tools", _) if !has_definitions(body) => {
                settings = settings.with_extra(name, value.clone());
            }
            _ if !is_known => settings = settings.with_extra(name, value.clone()),
            _ => {}
        }
    }
    request.settings = settings;
    request
}

fn name_is_forced(body: &Value) -> bool {
    body["tool_choice"].is_object()
}

/// The effort that a field of a vendor's own says, and nothing besides.
fn effort_in(name: &str, value: &Value) -> Option<String> {
    let fields = value.as_object().filter(|fields| fields.len() == 1)?;
    match name {
        "reasoning" => fields.get("effort")?.as_str().map(str::to_owned),
        "thinking" => Some(match fields.get("type")?.as_str()? {
            "disabled" => "none".to_owned(),
            _ => "high".to_owned(),
        }),
        _ => None,
    }
}

/// Whether the tools are what definitions of ours say. All else is a field of the user's own.
fn has_definitions(body: &Value) -> bool {
    let known = ["name", "description", "parameters", "strict"];
    let mut tools = body["tools"].as_array().into_iter().flatten();
    tools.all(|tool| {
        let function = tool["function"].as_object();
        function.is_some_and(|function| {
            function.keys().all(|name| known.contains(&&**name))
                && function.get("strict").is_none_or(|strict| *strict == false)
        })
    })
}

pub(super) fn tools(body: &Value) -> Vec<ToolDefinition> {
    let tools = body["tools"].as_array().into_iter().flatten();
    let tools = tools.filter(|tool| tool["function"].is_object());
    tools.map(definition).collect()
}

pub(super) fn definition(tool: &Value) -> ToolDefinition {
    let function = &tool["function"];
    let text = |name: &str| function[name].as_str().unwrap_or_default().to_owned();
    let schema = Schema::from_value(&function["parameters"]);
    ToolDefinition::new(text("name"), text("description"), schema)
}

pub(super) fn turns(body: &Value) -> Vec<Turn> {
    let mut turns = Vec::new();
    for message in body["messages"].as_array().expect("is one") {
        match message["role"].as_str() {
            Some("system") => {}
            Some("assistant") if is_empty(message) => {}
            Some("user") => turns.push(Turn::User(parts_of(&message["content"]))),
            Some("assistant") => {
                let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
                turns.push(Turn::Reply(json!({"choices": [choice]})));
            }
            _ => {
                let id = message["tool_call_id"].as_str().unwrap_or_default();
                let result = ToolResult::success(id, text_of(&message["content"]));
                push_result(&mut turns, result);
            }
        }
    }
    turns
}

/// Whether the message is one of the model in which nothing is said.
pub(super) fn is_empty(message: &Value) -> bool {
    let fields = message.as_object().expect("is one");
    message["role"] == "assistant"
        && fields
            .keys()
            .all(|name| name == "role" || name == "content")
        && text_of(&message["content"]).is_empty()
}

fn parts_of(content: &Value) -> Vec<Part> {
    let Value::Array(parts) = content else {
        return vec![Part::Text(text_of(content))];
    };
    let parts = parts.iter().map(|part| match part["type"].as_str() {
        Some("image_url") => {
            let url = part["image_url"]["url"].as_str().expect("has one");
            Part::Image(Image::from_url(url))
        }
        _ => Part::Text(text_of(&part["text"])),
    });
    parts.collect()
}

/// A text, also where it is written as a list of parts.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(|part| text_of(&part["text"])).collect(),
        _ => String::new(),
    }
}

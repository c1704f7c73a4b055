//! A recorded request, as one of ours.

use serde_json::{Value, json};
use toolwright::{
    ToolDefinition, ToolOutput, ToolResult,
    message::{Image, Opaque, Part},
    model::{ModelRequest, ModelSettings, ToolChoice},
    provider::{Codec, OpenAiResponsesCodec},
    schema::Schema,
    tool::OutputPart,
};

use super::written::{has_definitions, items_of as items, plain_text, system_of};
use crate::turn::{Turn, push_result};

pub(super) fn asked(recorded: &Value) -> ModelRequest {
    let system = system_of(&mut items(recorded));
    let mut request = ModelRequest::new([]);
    request.system = system.or(recorded["instructions"].as_str().map(str::to_owned));
    let mut settings = ModelSettings::new();
    settings.temperature = recorded["temperature"].as_f64();
    settings.parallel_tool_calls = recorded["parallel_tool_calls"].as_bool();
    let tokens = recorded["max_output_tokens"].as_u64();
    settings.max_output_tokens = tokens.and_then(|tokens| u32::try_from(tokens).ok());
    match recorded["reasoning"].as_object() {
        Some(reasoning) if reasoning.len() == 1 => {
            let effort = reasoning["effort"].as_str().expect("is a word");
            settings.reasoning_effort = Some(effort.to_owned());
        }
        Some(reasoning) => settings = settings.with_extra("reasoning", reasoning.clone()),
        None => {}
    }
    for name in ["background", "previous_response_id", "service_tier", "text"] {
        if let Some(value) = recorded.get(name) {
            settings = settings.with_extra(name, value.clone());
        }
    }
    if has_definitions(recorded) {
        request.tools = tools(recorded).into_iter().collect();
    } else if let Some(tools) = recorded.get("tools") {
        settings = settings.with_extra("tools", tools.clone());
    }
    let choice = &recorded["tool_choice"];
    request.tool_choice = match (choice.as_str(), choice["type"].as_str()) {
        (Some("required"), _) => ToolChoice::Required,
        (Some("none"), _) => ToolChoice::None,
        (_, Some("function")) => {
            ToolChoice::Tool(choice["name"].as_str().expect("has one").to_owned())
        }
        _ => ToolChoice::Auto,
    };
    // A choice of another form is a field of the user's own.
    if choice["type"] == "allowed_tools" {
        settings = settings.with_extra("tool_choice", choice.clone());
    }
    request.settings = settings;
    request
}

pub(super) fn tools(recorded: &Value) -> Vec<ToolDefinition> {
    let tools = recorded["tools"].as_array().into_iter().flatten();
    let tools = tools.filter(|tool| tool["type"] == "function");
    let text = |tool: &Value, name: &str| tool[name].as_str().unwrap_or_default().to_owned();
    let definitions = tools.map(|tool| {
        let schema = Schema::from_value(&tool["parameters"]);
        ToolDefinition::new(text(tool, "name"), text(tool, "description"), schema)
    });
    definitions.collect()
}

pub(super) fn turns(recorded: &Value) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut reply = Vec::new();
    let mut items = items(recorded);
    system_of(&mut items);
    for item in items {
        if item["type"] == "function_call_output" {
            end_reply(&mut turns, &mut reply);
            push_result(&mut turns, result_of(&item));
        } else if item["role"] == "user" {
            end_reply(&mut turns, &mut reply);
            let parts = match plain_text(&item["content"]) {
                Some(text) => vec![Part::Text(text)],
                None => parts_of(&item["content"]),
            };
            turns.push(Turn::User(parts));
        } else {
            reply.push(item);
        }
    }
    end_reply(&mut turns, &mut reply);
    turns
}

fn end_reply(turns: &mut Vec<Turn>, items: &mut Vec<Value>) {
    if !items.is_empty() {
        let output = std::mem::take(items);
        turns.push(Turn::Reply(
            json!({"status": "completed", "output": output}),
        ));
    }
}

fn parts_of(content: &Value) -> Vec<Part> {
    let parts = content.as_array().expect("is a list").iter();
    let parts = parts.map(|part| match part["type"].as_str() {
        Some("input_text") => Part::Text(part["text"].as_str().expect("is text").to_owned()),
        Some("input_image") => Part::Image(image_of(part)),
        _ => Part::Opaque(Opaque {
            provider: OpenAiResponsesCodec::PROVIDER.to_owned(),
            data: part.clone(),
        }),
    });
    parts.collect()
}

fn image_of(part: &Value) -> Image {
    Image::from_url(part["image_url"].as_str().expect("has one"))
}

fn result_of(item: &Value) -> ToolResult {
    let id = item["call_id"].as_str().expect("has one");
    let parts = match &item["output"] {
        Value::String(text) => vec![OutputPart::Text(text.clone())],
        parts => parts_of(parts)
            .into_iter()
            .map(|part| match part {
                Part::Text(text) => OutputPart::Text(text),
                Part::Image(image) => OutputPart::Image(image),
                part => panic!("no tool of ours returns {part:?}"),
            })
            .collect(),
    };
    ToolResult::success(id, ToolOutput { parts })
}

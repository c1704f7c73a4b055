//! A recorded request, as one of ours.

use serde_json::{Value, json};
use toolwright::{
    ToolDefinition, ToolOutput, ToolResult,
    message::{Image, Opaque, Part},
    model::{ModelRequest, ModelSettings, ToolChoice},
    provider::{Codec, GeminiCodec},
    schema::Schema,
    tool::OutputPart,
};

use super::camel_case::in_camel_case;
use crate::turn::{Turn, push_result};

pub(super) fn asked(recorded: &Value) -> ModelRequest {
    let recorded = &in_camel_case(recorded);
    let mut request = ModelRequest::new([]);
    let parts = &recorded["systemInstruction"]["parts"];
    let system = parts.get(0).unwrap_or(parts)["text"].as_str();
    request.system = system.map(str::to_owned);
    let mut settings = ModelSettings::new();
    let mut config = recorded["generationConfig"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    settings.temperature = config
        .remove("temperature")
        .and_then(|value| value.as_f64());
    let tokens = config
        .remove("maxOutputTokens")
        .and_then(|value| value.as_u64());
    settings.max_output_tokens = tokens.and_then(|tokens| u32::try_from(tokens).ok());
    settings.seed = config.remove("seed").and_then(|value| value.as_i64());
    if let Some(thinking) = config.remove("thinkingConfig") {
        let effort = match (&thinking["thinkingLevel"], &thinking["thinkingBudget"]) {
            (Value::String(level), _) => Some(level.clone()),
            (_, Value::Number(budget)) => Some(budget.to_string()),
            _ => None,
        };
        match effort {
            Some(effort) => settings = settings.with_reasoning_effort(effort),
            None => _ = config.insert("thinkingConfig".into(), thinking),
        }
    }
    if !config.is_empty() {
        settings = settings.with_extra("generationConfig", config);
    }
    for name in ["safetySettings", "modelArmorConfig"] {
        let value = recorded.get(name).filter(|value| **value != json!([]));
        if let Some(value) = value {
            settings = settings.with_extra(name, value.clone());
        }
    }
    let tools = recorded["tools"].as_array().cloned().unwrap_or_default();
    match &tools[..] {
        [tool]
            if tool.as_object().is_some_and(|tool| tool.len() == 1)
                && tool["functionDeclarations"].is_array() =>
        {
            let declarations = tool["functionDeclarations"].as_array().expect("is one");
            request.tools = declarations.iter().map(definition).collect();
        }
        [] => {}
        // The server's own tools are a field of the user's own.
        _ => settings = settings.with_extra("tools", tools),
    }
    let choice = &recorded["toolConfig"]["functionCallingConfig"];
    let allowed = choice["allowedFunctionNames"]
        .as_array()
        .map_or(&[][..], Vec::as_slice);
    let mode = choice["mode"].as_str().unwrap_or("AUTO").to_uppercase();
    match (&*mode, allowed) {
        ("ANY", [name]) => {
            request.tool_choice = ToolChoice::Tool(name.as_str().expect("is one").to_owned());
        }
        ("ANY", []) => request.tool_choice = ToolChoice::Required,
        ("NONE", _) => request.tool_choice = ToolChoice::None,
        ("AUTO", _) => {}
        _ => settings = settings.with_extra("toolConfig", recorded["toolConfig"].clone()),
    }
    request.settings = settings;
    request
}

fn definition(declaration: &Value) -> ToolDefinition {
    let text = |name: &str| declaration[name].as_str().unwrap_or_default().to_owned();
    let schema = declaration.get("parametersJsonSchema").cloned();
    let schema = schema.unwrap_or_else(|| json!({"type": "object"}));
    ToolDefinition::new(
        text("name"),
        text("description"),
        Schema::from_value(&schema),
    )
}

pub(super) fn tools(recorded: &Value) -> Vec<ToolDefinition> {
    let recorded = in_camel_case(recorded);
    let tools = recorded["tools"].as_array().into_iter().flatten();
    let declared = tools.filter_map(|tool| tool["functionDeclarations"].as_array());
    declared.flatten().map(definition).collect()
}

pub(super) fn turns(recorded: &Value) -> Vec<Turn> {
    let mut turns = Vec::new();
    for content in in_camel_case(recorded)["contents"]
        .as_array()
        .expect("is one")
    {
        let parts = content["parts"].as_array().expect("is one");
        if content["role"] == "model" {
            let reply = json!({"candidates": [{"content": content, "finishReason": "STOP"}]});
            turns.push(Turn::Reply(reply));
            continue;
        }
        let (results, said): (Vec<_>, Vec<_>) = parts
            .iter()
            .partition(|part| part.get("functionResponse").is_some());
        for result in results {
            push_result(&mut turns, result_of(result));
        }
        if !said.is_empty() {
            turns.push(Turn::User(said.into_iter().map(part_of).collect()));
        }
    }
    turns
}

fn part_of(part: &Value) -> Part {
    match part["text"].as_str() {
        Some(text) => Part::Text(text.to_owned()),
        None => Part::Opaque(Opaque {
            provider: GeminiCodec::PROVIDER.to_owned(),
            data: part.clone(),
        }),
    }
}

fn result_of(part: &Value) -> ToolResult {
    let response = &part["functionResponse"];
    let id = response["id"].as_str().unwrap_or_default();
    let said = response["response"].as_object().expect("is one");
    if let Some(error) = said.get("error") {
        return ToolResult::error_message(id, error.as_str().expect("is text"));
    }
    if let Some(media) = response["parts"].as_array() {
        let parts = media.iter().map(|part| {
            let file = &part["fileData"];
            OutputPart::Image(Image::from_url(file["fileUri"].as_str().expect("has one")))
        });
        return ToolResult::success(id, parts.collect::<ToolOutput>());
    }
    let value = match said.values().next() {
        Some(value) if said.len() == 1 => value.clone(),
        _ => Value::from(said.clone()),
    };
    match value {
        Value::String(text) => ToolResult::success(id, text),
        value => ToolResult::success(id, ToolOutput::json(&value).expect("is JSON")),
    }
}

//! A recorded request, as one of ours.

use serde_json::{Value, json};
use toolwright::{
    ToolDefinition, ToolOutput, ToolResult,
    message::{Image, Opaque, Part},
    model::{ModelRequest, ModelSettings, ToolChoice},
    provider::{AnthropicCodec, Codec},
    schema::Schema,
    tool::OutputPart,
};

use crate::turn::{Turn, push_result};

pub(super) fn asked(body: &Value) -> ModelRequest {
    let mut request = ModelRequest::new([]);
    request.system = match &body["system"] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        blocks => Some(blocks[0]["text"].as_str().expect("is text").to_owned()),
    };
    let mut settings = ModelSettings::new();
    settings.temperature = body["temperature"].as_f64();
    let tokens = body["max_tokens"].as_u64().expect("is needed");
    settings.max_output_tokens = u32::try_from(tokens).ok();
    settings.stop_sequences =
        serde_json::from_value(body["stop_sequences"].clone()).unwrap_or_default();
    for name in ["thinking", "output_config", "mcp_servers"] {
        if let Some(value) = body.get(name) {
            settings = settings.with_extra(name, value.clone());
        }
    }
    // What no definition of ours says is a field of the user's own.
    let ours = |tool: &Value| {
        let known = ["name", "description", "input_schema"];
        let fields = tool.as_object().expect("is one");
        fields.contains_key("input_schema") && fields.keys().all(|name| known.contains(&&**name))
    };
    let all = body["tools"].as_array().cloned().unwrap_or_default();
    if all.iter().all(ours) {
        request.tools = tools(body).into_iter().collect();
    } else {
        settings = settings.with_extra("tools", all);
    }
    let choice = &body["tool_choice"];
    request.tool_choice = match choice["type"].as_str() {
        Some("any") => ToolChoice::Required,
        Some("none") => ToolChoice::None,
        Some("tool") => ToolChoice::Tool(choice["name"].as_str().expect("has one").to_owned()),
        _ => ToolChoice::Auto,
    };
    if choice["disable_parallel_tool_use"] == true {
        settings.parallel_tool_calls = Some(false);
    }
    request.settings = settings;
    request
}

pub(super) fn tools(body: &Value) -> Vec<ToolDefinition> {
    let tools = body["tools"].as_array().into_iter().flatten();
    let tools = tools.filter(|tool| tool.get("input_schema").is_some());
    let text = |tool: &Value, name: &str| tool[name].as_str().unwrap_or_default().to_owned();
    let definitions = tools.map(|tool| {
        let schema = Schema::from_value(&tool["input_schema"]);
        ToolDefinition::new(text(tool, "name"), text(tool, "description"), schema)
    });
    definitions.collect()
}

pub(super) fn turns(body: &Value) -> Vec<Turn> {
    let mut turns = Vec::new();
    for message in body["messages"].as_array().expect("is one") {
        let blocks = match &message["content"] {
            Value::String(text) => vec![json!({"type": "text", "text": text})],
            blocks => blocks.as_array().expect("is one").clone(),
        };
        if message["role"] == "assistant" {
            turns.push(Turn::Reply(json!({"content": blocks})));
            continue;
        }
        let (results, said): (Vec<_>, Vec<_>) = blocks
            .into_iter()
            .partition(|block| block["type"] == "tool_result");
        for result in &results {
            push_result(&mut turns, result_of(result));
        }
        if !said.is_empty() {
            turns.push(Turn::User(said.iter().map(part_of).collect()));
        }
    }
    turns
}

fn part_of(block: &Value) -> Part {
    match block["type"].as_str() {
        Some("text") => Part::Text(block["text"].as_str().expect("is text").to_owned()),
        Some("image") if block["source"]["type"] != "file" => Part::Image(image_of(block)),
        _ => Part::Opaque(Opaque {
            provider: AnthropicCodec::PROVIDER.to_owned(),
            data: block.clone(),
        }),
    }
}

fn image_of(block: &Value) -> Image {
    let field = |name: &str| block["source"][name].as_str().expect("is text").to_owned();
    match block["source"]["type"].as_str() {
        Some("url") => Image::from_url(field("url")),
        _ => Image::Base64 {
            media_type: field("media_type"),
            data: field("data").into(),
        },
    }
}

fn result_of(block: &Value) -> ToolResult {
    let id = block["tool_use_id"].as_str().expect("has one");
    let parts = match &block["content"] {
        Value::String(text) => vec![OutputPart::Text(text.clone())],
        Value::Array(blocks) => blocks
            .iter()
            .map(|block| match part_of(block) {
                Part::Text(text) => OutputPart::Text(text),
                Part::Image(image) => OutputPart::Image(image),
                part => panic!("no tool of ours returns {part:?}"),
            })
            .collect(),
        _ => Vec::new(),
    };
    if block["is_error"] == true {
        let text = ToolOutput { parts }.to_text().into_owned();
        return ToolResult::error_message(id, text);
    }
    ToolResult::success(id, ToolOutput { parts })
}

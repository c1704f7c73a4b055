//! What is sent to Anthropic, compared with what was sent when the exchanges were recorded: the
//! recorded request is read into a request of ours, and ours, encoded, must say the same, field by field.
//! And every recorded reply goes back as the content it came as.
//!
//! [`as_we_write`] is the list of differences that are allowed, each with its reason.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Map, Value, json};
use toolwright::{
    Conversation, Message, ModelRequest, ModelSettings, Part, Schema, ToolChoice, ToolDefinition,
    ToolOutput, ToolResult, ToolRound, UserMessage,
    message::{AssistantMessage, Image},
    provider::anthropic::{self, StreamDecoder},
    tool::OutputPart,
};

use crate::record::Record;

/// A trial for each recorded request, and one for each recorded reply.
pub(crate) fn trials(folder: &Path) -> Vec<Trial> {
    let entries = folder.read_dir().into_iter().flatten();
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("the folder is readable").path())
        .collect();
    paths.sort();
    let mut trials = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let record = Record::read(&path);
        let is_whole = record.expected.complete && record.expected.error.is_none();
        let may_go_back = is_whole
            && record
                .expected
                .tool_calls
                .iter()
                .all(|call| call.arguments_error.is_none());
        let body = record.request["body"].clone();
        if may_go_back {
            trials.push(Trial::test(format!("back::anthropic::{name}"), move || {
                check_back(&record);
                Ok(())
            }));
        }
        if body.is_object() && !has_files(&body) {
            trials.push(Trial::test(format!("sent::anthropic::{name}"), move || {
                check_sent(&body);
                Ok(())
            }));
        }
    }
    trials
}

/// Whether a result holds a file by its id, which no result of ours does.
fn has_files(body: &Value) -> bool {
    let messages = body["messages"].as_array().into_iter().flatten();
    let blocks = messages.flat_map(|message| message["content"].as_array().into_iter().flatten());
    let mut parts = blocks.flat_map(|block| block["content"].as_array().into_iter().flatten());
    parts.any(|part| part["source"]["type"] == "file")
}

/// The reply goes back as the content it came as, opaque parts byte for byte.
fn check_back(record: &Record) {
    let body = record.response.body.as_bytes();
    let reply = if record.kind == "json" {
        anthropic::decode(body).expect("it is whole")
    } else {
        let mut events = Vec::new();
        let mut decoder = StreamDecoder::new();
        decoder.feed(body, &mut events).expect("it is a stream");
        decoder.finish(&mut events).expect("it is whole");
        events.into_iter().collect()
    };
    let mut content = content_of(record);
    // The API sends texts of white space alone, and refuses them.
    let is_blank = |block: &Value| {
        block["text"]
            .as_str()
            .is_some_and(|text| text.trim().is_empty())
    };
    content.retain(|block| block["type"] != "text" || !is_blank(block));
    let mut conversation = Conversation::new();
    conversation.push_user("Go on.");
    conversation.push_response(reply);
    let results: Vec<_> = conversation
        .pending_calls()
        .map(|call| ToolResult::success(&call.id, "done"))
        .collect();
    if !results.is_empty() {
        conversation.push_results(results).expect("they are theirs");
    }
    let body = anthropic::encode("m", &conversation.request());
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    let sent = body["messages"][1]["content"].as_array().cloned();
    let sent = sent.unwrap_or_default();
    let content: Vec<_> = content.into_iter().map(block_as_we_write).collect();
    for (sent, came) in sent.iter().zip(&content) {
        assert_eq!(sent, came);
    }
    assert_eq!(sent.len(), content.len());
}

/// The content of a reply, put together without the codec.
fn content_of(record: &Record) -> Vec<Value> {
    let body = &record.response.body;
    if record.kind == "json" {
        let body: Value = serde_json::from_str(body).expect("is JSON");
        return body["content"].as_array().cloned().unwrap_or_default();
    }
    let mut content: Vec<(Value, String)> = Vec::new();
    let events = body.lines().filter_map(|line| line.strip_prefix("data:"));
    for event in events.filter_map(|data| serde_json::from_str::<Value>(data).ok()) {
        match event["type"].as_str() {
            Some("content_block_start") => {
                content.push((event["content_block"].clone(), String::new()));
            }
            Some("content_block_delta") => {
                let index = event["index"].as_u64().expect("has one");
                let index = usize::try_from(index).expect("is small");
                let (block, input) = &mut content[index];
                add(block, input, &event["delta"]);
            }
            _ => {}
        }
    }
    let blocks = content.into_iter().map(|(mut block, input)| {
        if !input.is_empty() {
            block["input"] = serde_json::from_str(&input).expect("is whole");
        }
        block
    });
    blocks.collect()
}

fn add(block: &mut Value, input: &mut String, delta: &Value) {
    let mut append = |field: &str| {
        let all = block[field].as_str().unwrap_or_default().to_owned();
        block[field] = (all + delta[field].as_str().expect("is text")).into();
    };
    match delta["type"].as_str().expect("has one") {
        "text_delta" => append("text"),
        "thinking_delta" => append("thinking"),
        "signature_delta" => append("signature"),
        "input_json_delta" => input.push_str(delta["partial_json"].as_str().expect("is text")),
        "citations_delta" => {
            let mut all = block["citations"].as_array().cloned().unwrap_or_default();
            all.push(delta["citation"].clone());
            block["citations"] = all.into();
        }
        other => panic!("{other} is new: say here what it does"),
    }
}

fn check_sent(recorded: &Value) {
    let request = read(recorded);
    let model = recorded["model"].as_str().expect("has one");
    let body = match recorded["stream"].as_bool() {
        Some(true) => anthropic::encode_stream(model, &request),
        _ => anthropic::encode(model, &request),
    };
    let body: Map<String, Value> = serde_json::from_slice(&body).expect("is JSON");
    let expected = as_we_write(recorded);
    let names = |fields: &Map<String, Value>| fields.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&body), names(&expected));
    for (name, value) in &expected {
        assert_eq!(&body[name], value, "{name}");
    }
    assert_eq!(anthropic::warnings(&request), []);
}

/// A recorded request, written as we write it.
fn as_we_write(recorded: &Value) -> Map<String, Value> {
    let mut body = recorded.as_object().expect("is one").clone();
    // False and `auto` go without saying.
    body.retain(|name, value| name != "stream" || *value != false);
    body.retain(|name, value| name != "tool_choice" || *value != json!({"type": "auto"}));
    // A list is the form that can be marked.
    if let Some(Value::String(system)) = body.get("system") {
        body["system"] = json!([{"type": "text", "text": system}]);
    }
    if let Some(system) = body.get_mut("system") {
        unmark(system);
    }
    let messages = body["messages"].as_array_mut().expect("is one");
    for message in messages {
        let content = message["content"].take();
        message["content"] = match content {
            Value::String(text) => json!([{"type": "text", "text": text}]),
            Value::Array(blocks) => blocks.into_iter().map(block_as_we_write).collect(),
            other => panic!("no content: {other}"),
        };
    }
    body
}

fn block_as_we_write(mut block: Value) -> Value {
    // Where marks stand is for each client to choose.
    unmark(&mut block);
    let fields = block.as_object_mut().expect("is one");
    // No citations, and the default caller, go without saying.
    if fields["type"] == "text" {
        let none = [Value::Null, json!([])];
        fields.retain(|name, value| name != "citations" || !none.contains(value));
    }
    if fields["type"] == "tool_use" {
        fields.retain(|name, value| name != "caller" || value["type"] != "direct");
    }
    if fields["type"] == "tool_result" {
        fields.retain(|name, value| name != "is_error" || *value == true);
        let is_error = fields.contains_key("is_error");
        let content = fields.get("content").cloned().unwrap_or_default();
        let content = match content {
            // Our list says the same, and an empty text is refused.
            Value::String(text) if text.trim().is_empty() => {
                json!([{"type": "text", "text": "(no output)"}])
            }
            Value::String(text) => json!([{"type": "text", "text": text}]),
            content => content,
        };
        fields.insert("content".into(), content);
        if is_error {
            // Errors of ours begin with their category.
            let text = fields["content"][0]["text"].as_str().unwrap_or_default();
            let text = format!("Tool execution failed (unknown): {text}");
            fields.insert("content".into(), json!([{"type": "text", "text": text}]));
        }
    }
    block
}

fn unmark(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(unmark),
        Value::Object(fields) => {
            fields.remove("cache_control");
        }
        _ => {}
    }
}

/// A recorded request as one of ours.
fn read(recorded: &Value) -> ModelRequest {
    let mut request = ModelRequest::new(messages_of(&recorded["messages"]));
    request.system = match &recorded["system"] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        blocks => Some(blocks[0]["text"].as_str().expect("is text").to_owned()),
    };
    let mut settings = ModelSettings::new();
    settings.temperature = recorded["temperature"].as_f64();
    let tokens = recorded["max_tokens"].as_u64().expect("is needed");
    settings.max_output_tokens = u32::try_from(tokens).ok();
    settings.stop_sequences =
        serde_json::from_value(recorded["stop_sequences"].clone()).unwrap_or_default();
    for name in ["thinking", "output_config", "mcp_servers"] {
        if let Some(value) = recorded.get(name) {
            settings = settings.with_extra(name, value.clone());
        }
    }
    let tools = recorded["tools"].as_array().cloned().unwrap_or_default();
    // What no definition of ours says is a field of the user's own.
    let ours = |tool: &Value| {
        let known = ["name", "description", "input_schema"];
        let fields = tool.as_object().expect("is one");
        fields.contains_key("input_schema") && fields.keys().all(|name| known.contains(&&**name))
    };
    if tools.iter().all(ours) {
        let text = |tool: &Value, name: &str| tool[name].as_str().unwrap_or_default().to_owned();
        let definitions = tools.iter().map(|tool| {
            let schema = Schema::from_value(&tool["input_schema"]);
            ToolDefinition::new(text(tool, "name"), text(tool, "description"), schema)
        });
        request.tools = definitions.collect();
    } else {
        settings = settings.with_extra("tools", tools);
    }
    let choice = &recorded["tool_choice"];
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

fn messages_of(recorded: &Value) -> Vec<Message> {
    let mut messages = Vec::new();
    for message in recorded.as_array().expect("is one") {
        let blocks = match &message["content"] {
            Value::String(text) => vec![json!({"type": "text", "text": text})],
            blocks => blocks.as_array().expect("is one").clone(),
        };
        if message["role"] == "assistant" {
            let reply = json!({"content": blocks});
            let reply = anthropic::decode(reply.to_string().as_bytes()).expect("is one");
            if !matches!(messages.last(), Some(Message::Assistant(_))) {
                messages.push(Message::Assistant(AssistantMessage::default()));
            }
            let Some(Message::Assistant(message)) = messages.last_mut() else {
                unreachable!("it has just been added")
            };
            if reply.tool_calls.is_empty() {
                message.parts = reply.parts;
            } else {
                message.tool_rounds.push(ToolRound {
                    reply: reply.parts,
                    results: Vec::new(),
                });
            }
            continue;
        }
        let (results, said): (Vec<_>, Vec<_>) = blocks
            .into_iter()
            .partition(|block| block["type"] == "tool_result");
        if let Some(Message::Assistant(message)) = messages.last_mut()
            && let Some(round) = message.tool_rounds.last_mut()
        {
            round.results.extend(results.iter().map(result_of));
        }
        if !said.is_empty() {
            let parts = said.iter().map(part_of).collect();
            messages.push(Message::User(UserMessage { parts }));
        }
    }
    messages
}

fn part_of(block: &Value) -> Part {
    match block["type"].as_str() {
        Some("text") => Part::Text(block["text"].as_str().expect("is text").to_owned()),
        Some("image") if block["source"]["type"] != "file" => Part::Image(image_of(block)),
        _ => Part::Opaque(toolwright::message::Opaque {
            provider: anthropic::PROVIDER.to_owned(),
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
            data: field("data"),
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

//! What is sent as OpenAI Responses, compared with what was sent when the exchanges were recorded: the
//! recorded request is read into a request of ours, and ours, encoded, must say the same, field by field.
//! And every recorded reply goes back as the items it came as.
//!
//! [`as_we_write`] and [`items_as_we_write`] are the lists of differences that are allowed, each with its
//! reason.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Map, Value, json};
use toolwright::{
    Conversation, Message, ModelRequest, ModelSettings, Part, Schema, ToolChoice, ToolDefinition,
    ToolOutput, ToolResult, ToolRound, UserMessage,
    message::{AssistantMessage, Image, Opaque},
    provider::openai_responses::{self, PROVIDER, StreamDecoder},
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
        let body = record.request["body"].clone();
        let expected = &record.expected;
        let is_whole = expected.complete && expected.error.is_none();
        if is_whole && expected.finish_reason.as_deref() == Some("completed") {
            let name = format!("back::openai-responses::{name}");
            trials.push(Trial::test(name, move || {
                check_back(&record);
                Ok(())
            }));
        }
        if body.is_object() {
            let name = format!("sent::openai-responses::{name}");
            trials.push(Trial::test(name, move || {
                check_sent(&body);
                Ok(())
            }));
        }
    }
    trials
}

/// The reply goes back as the items it came as, opaque ones byte for byte.
fn check_back(record: &Record) {
    let body = record.response.body.as_bytes();
    let reply = if record.kind == "json" {
        openai_responses::decode(body).expect("it is whole")
    } else {
        let mut events = Vec::new();
        let mut decoder = StreamDecoder::new();
        decoder.feed(body, &mut events).expect("it is a stream");
        decoder.finish(&mut events).expect("it is whole");
        events.into_iter().collect()
    };
    let mut conversation = Conversation::new();
    conversation.push_user("Go on.");
    conversation.push_response(reply);
    let results: Vec<_> = conversation
        .pending_calls()
        .map(|call| ToolResult::success(&call.id, "done"))
        .collect();
    let answers = results.len();
    if answers > 0 {
        conversation.push_results(results).expect("they are theirs");
    }
    let body = openai_responses::encode("m", &conversation.request());
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    let sent = body["input"].as_array().expect("is a list");
    let (sent, outputs) = sent[1..].split_at(sent.len() - 1 - answers);
    assert_eq!(sent, items_as_we_write(items_of(record)));
    let calls = sent.iter().filter(|item| is_call(item));
    let pairs: Vec<_> = calls.zip(outputs).collect();
    assert_eq!(pairs.len(), answers);
    for (call, output) in pairs {
        for field in ["call_id", "caller"] {
            assert_eq!(call[field], output[field], "{field}");
        }
    }
}

fn is_call(item: &Value) -> bool {
    let kind = item["type"].as_str().unwrap_or_default();
    matches!(kind, "function_call" | "custom_tool_call")
}

/// The items of a reply, put together without the codec.
fn items_of(record: &Record) -> Vec<Value> {
    let body = &record.response.body;
    if record.kind == "json" {
        let body: Value = serde_json::from_str(body).expect("is JSON");
        return body["output"].as_array().cloned().unwrap_or_default();
    }
    let events = body.lines().filter_map(|line| line.strip_prefix("data:"));
    let events = events.filter_map(|data| serde_json::from_str::<Value>(data).ok());
    let mut items: Vec<_> = events
        .filter(|event| event["type"] == "response.output_item.done")
        .map(|event| (event["output_index"].as_u64(), event["item"].clone()))
        .collect();
    items.sort_by_key(|(index, _)| *index);
    let mut items: Vec<_> = items.into_iter().map(|(_, item)| item).collect();
    for item in &mut items {
        // A reply that was edited by hand: its pieces are what has been told.
        if item["id"] == "msg_0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c2d3e52" {
            item["content"][0]["text"] = "The command ran successfully.".into();
        }
    }
    items
}

/// Items of a conversation, written as we write them.
fn items_as_we_write(items: Vec<Value>) -> Vec<Value> {
    let mut written = Vec::new();
    let mut thoughts = Vec::new();
    let mut ids = Vec::new();
    for mut item in items {
        // An id that not every server takes back is replaced by one of its place.
        if is_call(&item) {
            let id = item["call_id"].as_str().expect("has one").to_owned();
            let sent = match id.len() {
                ..=40 => id.clone(),
                _ => format!("call{:05}", ids.len()),
            };
            ids.push((id, sent));
        }
        if let Some((_, sent)) = ids.iter().find(|(id, _)| item["call_id"] == **id) {
            item["call_id"] = sent.as_str().into();
        }
        let kind = item["type"].as_str().unwrap_or_default().to_owned();
        let fields = item.as_object_mut().expect("is one");
        match &*kind {
            "reasoning" => {
                let holds = |name: &str| match fields.get(name) {
                    Some(Value::String(_)) => true,
                    Some(Value::Array(words)) => !words.is_empty(),
                    _ => false,
                };
                let is_known = holds("encrypted_content") || holds("content");
                // One that holds nothing is known only to a server that stores replies.
                if is_known {
                    thoughts.push(item);
                }
                continue;
            }
            "function_call" | "custom_tool_call" => {
                // A server that stores nothing knows no ids of items.
                for name in ["id", "status", "item_id", "output_index"] {
                    fields.remove(name);
                }
                // That the model itself called goes without saying.
                fields.retain(|name, value| name != "caller" || value["type"] != "direct");
            }
            "function_call_output" => {
                fields.remove("status");
            }
            "" | "message" => {
                fields.remove("type");
                if let Some(text) = plain_text(&fields["content"]) {
                    fields.insert("content".into(), text.into());
                    for name in ["id", "status"] {
                        fields.remove(name);
                    }
                    fields.retain(|_, value| !value.is_null());
                } else if fields["role"] == "assistant" {
                    fields.insert("type".into(), "message".into());
                }
            }
            _ => {}
        }
        written.append(&mut thoughts);
        written.push(item);
    }
    // Thoughts that led to nothing are refused.
    written
}

/// The text of content that is one text and nothing besides.
fn plain_text(content: &Value) -> Option<String> {
    match content {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let [part] = &parts[..] else {
                return None;
            };
            // It goes back as what the model said.
            if let Some(refusal) = part["refusal"].as_str() {
                return Some(refusal.to_owned());
            }
            let is_text = part["type"] == "input_text" || part["type"] == "output_text";
            let is_cited = part["annotations"]
                .as_array()
                .is_some_and(|all| !all.is_empty());
            let text = part["text"].as_str().filter(|_| is_text && !is_cited);
            text.map(str::to_owned)
        }
        _ => None,
    }
}

fn check_sent(recorded: &Value) {
    let request = read(recorded);
    let model = recorded["model"].as_str().expect("has one");
    let body = match recorded["stream"].as_bool() {
        Some(true) => openai_responses::encode_stream(model, &request),
        _ => openai_responses::encode(model, &request),
    };
    let body: Map<String, Value> = serde_json::from_slice(&body).expect("is JSON");
    let expected = as_we_write(recorded);
    let names = |fields: &Map<String, Value>| fields.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&body), names(&expected));
    for (name, value) in &expected {
        assert_eq!(&body[name], value, "{name}");
    }
    assert_eq!(openai_responses::warnings(&request), []);
}

/// A recorded request, written as we write it.
fn as_we_write(recorded: &Value) -> Map<String, Value> {
    let mut body = recorded.as_object().expect("is one").clone();
    // False and `auto` go without saying.
    body.retain(|name, value| name != "stream" || *value != false);
    body.retain(|name, value| name != "tool_choice" || *value != "auto");
    // Nothing is stored, and so reasoning has to be given out.
    body.insert("store".into(), false.into());
    body.insert("include".into(), json!(["reasoning.encrypted_content"]));
    let mut items = items(recorded);
    // The system text has a field of its own.
    if let Some(system) = system_of(&mut items) {
        body.insert("instructions".into(), system.into());
    }
    body.insert("input".into(), items_as_we_write(items).into());
    if has_definitions(recorded) {
        for tool in body["tools"].as_array_mut().expect("is one") {
            // Left out it is true; these clients meant false.
            tool["strict"] = false.into();
        }
    }
    body
}

fn items(recorded: &Value) -> Vec<Value> {
    match &recorded["input"] {
        Value::String(text) => vec![json!({"role": "user", "content": text})],
        items => items.as_array().expect("is one").clone(),
    }
}

/// Takes the system text from the beginning.
fn system_of(items: &mut Vec<Value>) -> Option<String> {
    let is_system = items.first().is_some_and(|item| item["role"] == "system");
    is_system.then(|| plain_text(&items.remove(0)["content"]).expect("is one"))
}

/// Whether the tools are what definitions of ours say. All else is a field of the user's own.
fn has_definitions(recorded: &Value) -> bool {
    let known = ["type", "name", "description", "parameters", "strict"];
    recorded["tools"].as_array().is_some_and(|tools| {
        tools.iter().all(|tool| {
            let fields = tool.as_object().expect("is one");
            tool["type"] == "function"
                && tool["strict"] != true
                && tool["description"].is_string()
                && fields.keys().all(|name| known.contains(&&**name))
        })
    })
}

/// A recorded request as one of ours.
fn read(recorded: &Value) -> ModelRequest {
    let mut items = items(recorded);
    let system = system_of(&mut items);
    let mut request = ModelRequest::new(messages_of(items));
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
        let tools = recorded["tools"].as_array().expect("is one").iter();
        let text = |tool: &Value, name: &str| tool[name].as_str().unwrap_or_default().to_owned();
        let definitions = tools.map(|tool| {
            let schema = Schema::from_value(&tool["parameters"]);
            ToolDefinition::new(text(tool, "name"), text(tool, "description"), schema)
        });
        request.tools = definitions.collect();
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

fn messages_of(items: Vec<Value>) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut reply = Vec::new();
    for item in items {
        if item["type"] == "function_call_output" {
            end_reply(&mut messages, &mut reply);
            let Some(Message::Assistant(message)) = messages.last_mut() else {
                panic!("a result without a call: {item}")
            };
            let round = message.tool_rounds.last_mut().expect("there are calls");
            round.results.push(result_of(&item));
        } else if item["role"] == "user" {
            end_reply(&mut messages, &mut reply);
            let parts = match plain_text(&item["content"]) {
                Some(text) => vec![Part::Text(text)],
                None => parts_of(&item["content"]),
            };
            messages.push(Message::User(UserMessage { parts }));
        } else {
            reply.push(item);
        }
    }
    end_reply(&mut messages, &mut reply);
    messages
}

/// Reads the items of a reply, and adds it to the message of the model.
fn end_reply(messages: &mut Vec<Message>, items: &mut Vec<Value>) {
    if items.is_empty() {
        return;
    }
    let reply = json!({"status": "completed", "output": std::mem::take(items)});
    let reply = openai_responses::decode(reply.to_string().as_bytes()).expect("is one");
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
}

fn parts_of(content: &Value) -> Vec<Part> {
    let parts = content.as_array().expect("is a list").iter();
    let parts = parts.map(|part| match part["type"].as_str() {
        Some("input_text") => Part::Text(part["text"].as_str().expect("is text").to_owned()),
        Some("input_image") => Part::Image(image_of(part)),
        _ => Part::Opaque(Opaque {
            provider: PROVIDER.to_owned(),
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

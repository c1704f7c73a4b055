//! What is sent to Gemini, compared with what was sent when the exchanges were recorded: the recorded
//! request is read into a request of ours, and ours, encoded, must say the same, field by field. And
//! every recorded reply goes back as the parts it came as.
//!
//! [`as_we_write`] is the list of differences that are allowed, each with its reason.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Map, Value, json};
use toolwright::{
    Conversation, Message, ModelRequest, ModelResponse, ModelSettings, Part, Schema, ToolChoice,
    ToolDefinition, ToolOutput, ToolResult, ToolRound, UserMessage,
    message::{AssistantMessage, Image, Opaque},
    provider::gemini::{self, StreamDecoder},
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
        let request = record.request.clone();
        if is_whole {
            trials.push(Trial::test(format!("back::gemini::{name}"), move || {
                check_back(&record);
                Ok(())
            }));
        }
        if request["body"].is_object() {
            trials.push(Trial::test(format!("sent::gemini::{name}"), move || {
                check_sent(&request);
                Ok(())
            }));
        }
    }
    trials
}

fn decoded(record: &Record) -> ModelResponse {
    let body = record.response.body.as_bytes();
    if record.kind != "sse" {
        return gemini::decode(body).expect("it is whole");
    }
    let mut events = Vec::new();
    let mut decoder = StreamDecoder::new();
    decoder.feed(body, &mut events).expect("it is a stream");
    decoder.finish(&mut events).expect("it is whole");
    events.into_iter().collect()
}

/// The reply goes back as the parts it came as, what only the server can read byte for byte.
fn check_back(record: &Record) {
    let mut conversation = Conversation::new();
    conversation.push_user("Go on.");
    conversation.push_response(decoded(record));
    let results: Vec<_> = conversation
        .pending_calls()
        .map(|call| ToolResult::success(&call.id, "done"))
        .collect();
    // Calls of a reply that ended otherwise do not run; the conversation answers them.
    if !results.is_empty() {
        conversation.push_results(results).expect("they are theirs");
    }
    let body = gemini::encode("gemini-2.5-flash", &conversation.request());
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    let sent = body["contents"][1]["parts"].as_array().cloned();
    let came = joined(parts_of(record));
    assert_eq!(sent.unwrap_or_default(), came);
}

/// The parts of a reply, put together without the codec.
fn parts_of(record: &Record) -> Vec<Value> {
    let body = &record.response.body;
    let chunks: Vec<Value> = if record.kind == "sse" {
        let data = body.lines().filter_map(|line| line.strip_prefix("data:"));
        data.map(|data| serde_json::from_str(data).expect("is JSON"))
            .collect()
    } else {
        match serde_json::from_str(body).expect("is JSON") {
            Value::Array(chunks) => chunks,
            whole => vec![whole],
        }
    };
    let of = |chunk: &Value| {
        chunk["candidates"][0]["content"]["parts"]
            .as_array()
            .cloned()
    };
    chunks.iter().filter_map(of).flatten().collect()
}

/// The parts as they go back.
fn joined(parts: Vec<Value>) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    // What came last is a text that more is joined to.
    let mut open = false;
    for mut part in parts {
        let is_signed = part.get("thoughtSignature").is_some();
        // A summary for people, and the empty end of a stream.
        if !is_signed && (part["thought"] == true || part["text"] == "") {
            open &= part["thought"] != true;
            continue;
        }
        if let Some(call) = part.get_mut("functionCall") {
            if call.get("name").is_none() {
                let open = all
                    .iter_mut()
                    .rev()
                    .find_map(|part| part.get_mut("functionCall"));
                add_pieces(&mut open.expect("has begun")["args"], call);
                continue;
            }
            call.as_object_mut().expect("is one").remove("willContinue");
            // Our arguments are always there.
            if call.get("args").is_none() {
                call["args"] = json!({});
            }
        }
        // A stream cuts texts anywhere, and texts that nobody signed are one.
        let is_text = part["text"].is_string() && !is_signed;
        match all.last_mut().filter(|_| open && is_text) {
            Some(last) => {
                let text = |part: &Value| part["text"].as_str().expect("is text").to_owned();
                last["text"] = (text(last) + &text(&part)).into();
            }
            None => all.push(part),
        }
        open = is_text;
    }
    all
}

/// Puts pieces of arguments where their paths say, which are of names and numbers alone.
fn add_pieces(arguments: &mut Value, call: &Value) {
    for piece in call["partialArgs"].as_array().into_iter().flatten() {
        let path = piece["jsonPath"].as_str().expect("has one");
        let path = path.replace('[', ".").replace(']', "");
        let mut place = &mut *arguments;
        for step in path.split('.').skip(1) {
            place = match step.parse::<usize>() {
                Ok(index) => {
                    if place.is_null() {
                        *place = json!([]);
                    }
                    let items = place.as_array_mut().expect("is one");
                    items.resize(items.len().max(index + 1), Value::Null);
                    &mut items[index]
                }
                Err(_) => &mut place[step],
            };
        }
        let more = piece["stringValue"]
            .as_str()
            .expect("only texts were recorded");
        *place = (place.as_str().unwrap_or_default().to_owned() + more).into();
    }
}

fn check_sent(request: &Value) {
    let recorded = in_camel_case(&request["body"]);
    let ours = read(&recorded);
    let path = request["path"].as_str().expect("has one");
    let model = path.rsplit('/').next().expect("has a last segment");
    let body = gemini::encode(model, &ours);
    let mut body: Map<String, Value> = serde_json::from_slice(&body).expect("is JSON");
    let expected = as_we_write(&recorded, &mut body);
    let names = |fields: &Map<String, Value>| fields.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&body), names(&expected));
    for (name, value) in &expected {
        assert_eq!(&body[name], value, "{name}");
    }
    assert_eq!(gemini::warnings(&ours), []);
}

/// The same with names in the one form that we write, and without what is `null`. Google's servers take
/// both. Schemas, arguments and results have names of their own.
fn in_camel_case(value: &Value) -> Value {
    let own = [
        "parameters",
        "parametersJsonSchema",
        "args",
        "response",
        "responseSchema",
    ];
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| {
                let name = camel_case(name);
                let value = if own.contains(&&*name) {
                    value.clone()
                } else {
                    in_camel_case(value)
                };
                (name, value)
            })
            .collect(),
        Value::Array(values) => values.iter().map(in_camel_case).collect(),
        value => value.clone(),
    }
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |all, word| {
        let (head, tail) = word.split_at(word.len().min(1));
        all + &head.to_ascii_uppercase() + tail
    })
}

/// A recorded request, written as we write it. What our request cannot say is taken out of `ours`.
fn as_we_write(recorded: &Value, ours: &mut Map<String, Value>) -> Map<String, Value> {
    let mut body = recorded.as_object().expect("is one").clone();
    // Nothing set goes without saying.
    body.retain(|_, value| *value != json!({}) && *value != json!([]));
    if let Some(system) = body.get_mut("systemInstruction") {
        // It is one text, in a list, and has no role.
        let text = match &system["parts"] {
            Value::Array(parts) => parts[0]["text"].clone(),
            part => part["text"].clone(),
        };
        *system = json!({"parts": [{"text": text}]});
        if text == "" {
            body.remove("systemInstruction");
        }
    }
    // `AUTO` goes without saying, and modes are upper case.
    if let Some(config) = body.get_mut("toolConfig") {
        let config = &mut config["functionCallingConfig"];
        let mode = config["mode"].as_str().expect("has one").to_uppercase();
        config["mode"] = mode.as_str().into();
        if mode == "AUTO" {
            body.remove("toolConfig");
        }
    }
    // A whole number is one with a fraction.
    if let Some(config) = body.get_mut("generationConfig")
        && let Some(temperature) = config.get_mut("temperature")
    {
        *temperature = json!(temperature.as_f64());
    }
    for content in body["contents"].as_array_mut().expect("is one") {
        let parts = all(&mut content["parts"]);
        // An empty text that is not signed says nothing.
        parts.retain(|part| part["text"] != "" || part.get("thoughtSignature").is_some());
        parts.iter_mut().for_each(part_as_we_write);
    }
    // What a client declares in a `parameters` of its own form is sent by us in the other field, and
    // `tests/profiles` checks what is in it. Here only which tools there are.
    for body in [&mut body, ours] {
        for tool in body.get_mut("tools").into_iter().flat_map(all) {
            for declaration in tool
                .get_mut("functionDeclarations")
                .into_iter()
                .flat_map(all)
            {
                let fields = declaration.as_object_mut().expect("is one");
                fields.retain(|name, _| !name.starts_with("parameters"));
            }
        }
    }
    body
}

fn all(list: &mut Value) -> &mut Vec<Value> {
    list.as_array_mut().expect("is a list")
}

fn part_as_we_write(part: &mut Value) {
    let fields = part.as_object_mut().expect("is one");
    // False goes without saying.
    fields.retain(|name, value| name != "thought" || *value == true);
    let Some(response) = fields.get_mut("functionResponse") else {
        return;
    };
    // The address of a file of Google's has no extension, and the media type is not asked for.
    for file in response.get_mut("parts").into_iter().flat_map(all) {
        let file = file["fileData"]
            .as_object_mut()
            .expect("only files were recorded");
        file.retain(|name, value| name != "mimeType" || *value == "image/png");
    }
    // Every client chooses the names in a result; ours are those of the documentation.
    let said = response["response"].as_object().expect("is one");
    response["response"] = match said.get("error") {
        // Errors of ours begin with their category.
        Some(error) => {
            let error = error.as_str().expect("is text");
            json!({"error": format!("Tool execution failed (unknown): {error}")})
        }
        None if said.is_empty() => json!({"output": "(1 image)"}),
        None if said.len() == 1 => json!({"output": said.values().next()}),
        None => json!({"output": said}),
    };
}

/// A recorded request as one of ours.
fn read(recorded: &Value) -> ModelRequest {
    let mut request = ModelRequest::new(messages_of(&recorded["contents"]));
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

fn messages_of(recorded: &Value) -> Vec<Message> {
    let mut messages = Vec::new();
    for content in recorded.as_array().expect("is one") {
        let parts = content["parts"].as_array().expect("is one");
        if content["role"] == "model" {
            let reply = json!({"candidates": [{"content": content, "finishReason": "STOP"}]});
            let reply = gemini::decode(reply.to_string().as_bytes()).expect("is one");
            if !matches!(messages.last(), Some(Message::Assistant(_))) {
                messages.push(Message::Assistant(AssistantMessage::default()));
            }
            let Some(Message::Assistant(message)) = messages.last_mut() else {
                unreachable!("it has just been added")
            };
            if reply.tool_calls.is_empty() {
                message.parts = reply.parts;
            } else {
                let results = Vec::new();
                let reply = reply.parts;
                message.tool_rounds.push(ToolRound { reply, results });
            }
            continue;
        }
        let (results, said): (Vec<_>, Vec<_>) = parts
            .iter()
            .partition(|part| part.get("functionResponse").is_some());
        if let Some(Message::Assistant(message)) = messages.last_mut()
            && let Some(round) = message.tool_rounds.last_mut()
        {
            round.results.extend(results.into_iter().map(result_of));
        }
        if !said.is_empty() {
            let parts = said.into_iter().map(part_of).collect();
            messages.push(Message::User(UserMessage { parts }));
        }
    }
    messages
}

fn part_of(part: &Value) -> Part {
    match part["text"].as_str() {
        Some(text) => Part::Text(text.to_owned()),
        None => Part::Opaque(Opaque {
            provider: gemini::PROVIDER.to_owned(),
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

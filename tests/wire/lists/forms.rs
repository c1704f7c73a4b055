//! Forms of a list of messages that say the same: what was recorded is rewritten as we write it.

use serde_json::{Map, Value, json};

use crate::{allowed::Allowed, gemini::in_camel_case};

pub(super) const OPENAI_CHAT: &[Allowed] = &[
    Allowed::written(
        "list: a message in which nothing is said is left out",
        |body| {
            let messages = body["messages"].as_array_mut().expect("is a list");
            messages.retain(|message| *message != json!({"role": "assistant", "content": ""}));
        },
    ),
    Allowed::written("list: a list of one text is that text", |body| {
        for message in list(body, "messages").filter(|message| message["role"] != "system") {
            if let Some([part]) = message["content"].as_array().map(Vec::as_slice)
                && fields_of(part).len() == 2
                && part["type"] == "text"
            {
                message["content"] = part["text"].clone();
            }
        }
    }),
    Allowed::written(
        "list: a response of calls alone has a content of `null`",
        |body| {
            for message in list(body, "messages").filter(|message| message["role"] == "assistant") {
                if matches!(message["content"].as_str(), None | Some(""))
                    && !message["content"].is_array()
                {
                    message["content"] = Value::Null;
                }
            }
        },
    ),
    Allowed::written("list: the place of a call says nothing", |body| {
        for message in list(body, "messages") {
            for call in list(message, "tool_calls") {
                fields(call).remove("index");
            }
        }
    }),
    Allowed::written("list: words of reasoning stand in one field", |body| {
        for message in list(body, "messages") {
            if message["reasoning"] == message["reasoning_content"] {
                fields(message).remove("reasoning");
            }
        }
    }),
];

pub(super) const OPENAI_RESPONSES: &[Allowed] = &[
    Allowed::written("list: a message says its type", |body| {
        for item in list(body, "input").filter(|item| item["role"] == "user") {
            item["type"] = "message".into();
        }
    }),
    Allowed::written("list: a message of one text is that text", |body| {
        for item in list(body, "input").filter(|item| item["role"] == "user") {
            if let Some([part]) = item["content"].as_array().map(Vec::as_slice)
                && part["type"] == "input_text"
            {
                item["content"] = part["text"].clone();
            }
        }
    }),
    Allowed::written("list: an id that is too long is replaced", |body| {
        let mut ids: Vec<Value> = Vec::new();
        for item in list(body, "input").filter(is_call) {
            let id = item["call_id"].clone();
            if !ids.contains(&id) {
                ids.push(id.clone());
            }
            let place = ids.iter().position(|known| *known == id);
            if id.as_str().is_some_and(|id| id.len() > 40) {
                item["call_id"] = format!("call{:05}", place.unwrap_or_default()).into();
            }
        }
    }),
];

pub(super) const ANTHROPIC: &[Allowed] = &[
    Allowed::written("list: a text is a list of one block", |body| {
        if body["system"].is_string() {
            to_block(&mut body["system"]);
        }
        for message in list(body, "messages") {
            to_block(&mut message["content"]);
            for block in list(message, "content").filter(|block| block["type"] == "tool_result") {
                to_block(&mut block["content"]);
            }
        }
    }),
    Allowed::written(
        "list: that a result is no error goes without saying",
        |body| {
            for message in list(body, "messages") {
                for block in list(message, "content") {
                    if block["is_error"] == false {
                        fields(block).remove("is_error");
                    }
                }
            }
        },
    ),
];

pub(super) const GEMINI: &[Allowed] = &[
    Allowed::written(
        "list: Google's servers take names of both forms, and `null`",
        |body| {
            *body = in_camel_case(body);
        },
    ),
    Allowed::written("list: an empty system text says nothing", |body| {
        let system = &body["systemInstruction"]["parts"];
        if *system == json!({"text": ""}) || *system == json!([{"text": ""}]) {
            fields(body).remove("systemInstruction");
        }
    }),
    Allowed::written(
        "list: that a part is no thought goes without saying",
        |body| {
            for content in list(body, "contents") {
                for part in list(content, "parts") {
                    if part["thought"] == false {
                        fields(part).remove("thought");
                    }
                }
            }
        },
    ),
    Allowed::written(
        "list: an empty text that is not signed says nothing",
        |body| {
            for content in list(body, "contents") {
                let parts = content["parts"].as_array_mut().expect("is a list");
                parts.retain(|part| *part != json!({"text": ""}));
            }
        },
    ),
    Allowed::written(
        "list: a file of Google's goes by its address alone",
        |body| {
            for content in list(body, "contents") {
                for part in list(content, "parts") {
                    let Some(response) = part.get_mut("functionResponse") else {
                        continue;
                    };
                    for part in list(response, "parts") {
                        let file = &mut part["fileData"];
                        if file["fileUri"]
                            .as_str()
                            .is_some_and(|uri| uri.contains("/files/"))
                        {
                            fields(file).remove("mimeType");
                        }
                    }
                }
            }
        },
    ),
];

pub(super) const OLLAMA: &[Allowed] = &[
    Allowed::written("list: the one type of calls is not documented", |body| {
        for message in list(body, "messages") {
            for call in list(message, "tool_calls") {
                fields(call).remove("type");
            }
        }
    }),
    Allowed::written("list: a result says whose it is", |body| {
        for message in list(body, "messages").filter(|message| message["role"] == "tool") {
            if message.get("tool_name").is_none() {
                message["tool_name"] = "get_current_weather".into();
            }
        }
    }),
];

fn is_call(item: &&mut Value) -> bool {
    let kind = item["type"].as_str().unwrap_or_default();
    kind == "function_call" || kind == "function_call_output"
}

fn to_block(content: &mut Value) {
    if let Some(text) = content.as_str() {
        *content = json!([{"type": "text", "text": text}]);
    }
}

fn fields_of(value: &Value) -> &Map<String, Value> {
    value.as_object().expect("is an object")
}

fn fields(value: &mut Value) -> &mut Map<String, Value> {
    value.as_object_mut().expect("is an object")
}

fn list<'a>(value: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    let list = value.get_mut(name).and_then(Value::as_array_mut);
    list.into_iter().flatten()
}

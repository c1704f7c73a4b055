//! How a recorded request is written by us.

use serde_json::{Map, Value, json};

use crate::allowed::Allowed;

pub(super) const ALLOWED: &[Allowed] = &[
    Allowed::written(
        "a response that is not streamed goes without saying",
        |body| {
            fields(body).retain(|name, value| name != "stream" || *value != false);
        },
    ),
    Allowed::written("the choice `auto` goes without saying", |body| {
        fields(body).retain(|name, value| name != "tool_choice" || *value != "auto");
    }),
    Allowed::written(
        "nothing is stored, and so reasoning has to be given out",
        |body| {
            body["store"] = false.into();
            body["include"] = json!(["reasoning.encrypted_content"]);
        },
    ),
    Allowed::written(
        "a model that does not reason is not asked for reasoning",
        |body| {
            let name = body["model"].as_str().unwrap_or_default();
            if name.starts_with("gpt-3.5") || name.starts_with("gpt-4") {
                fields(body).remove("include");
            }
        },
    ),
    Allowed::written("the system text has a field of its own", |body| {
        if let Some(system) = system_of(input(body)) {
            body["instructions"] = system.into();
        }
    }),
    Allowed::written(
        "left out, `strict` is true; these clients meant false",
        |body| {
            if has_definitions(body) {
                for tool in body["tools"].as_array_mut().expect("is one") {
                    tool["strict"] = false.into();
                }
            }
        },
    ),
    Allowed::written(
        "an id that not every server takes back is replaced by one of its place",
        |body| short_ids(input(body)),
    ),
    Allowed::written(
        "a thought that holds nothing is known only to a server that stores replies",
        |body| without_empty_thoughts(input(body)),
    ),
    Allowed::written(
        "a server that stores nothing knows no ids of items",
        |body| {
            without_ids(input(body));
        },
    ),
    Allowed::written(
        "a message of one text is that text, with its type",
        |body| {
            plain_messages(input(body));
        },
    ),
];

pub(super) const IN_REPLAY: &[Allowed] = &[
    Allowed::left_out("clients read arguments and write them again", |body| {
        for item in input(body)
            .iter_mut()
            .filter(|item| item["type"] == "function_call")
        {
            let text = item["arguments"].as_str().expect("is text");
            item["arguments"] = serde_json::from_str(text).expect("was read before");
        }
    }),
    Allowed::left_out(
        "clients drop of a thought what a server that stores nothing does not need",
        |body| {
            for item in input(body)
                .iter_mut()
                .filter(|item| item["type"] == "reasoning")
            {
                let fields = fields(item);
                fields.retain(|name, value| match &**name {
                    "id" | "status" => false,
                    "content" => *value != json!([]),
                    "encrypted_content" => !value.is_null(),
                    _ => true,
                });
            }
        },
    ),
    Allowed::left_out(
        "this client writes the server's search of tools as it likes",
        |body| {
            let kinds = ["tool_search_call", "tool_search_output"];
            input(body).retain(|item| !kinds.iter().any(|kind| item["type"] == *kind));
        },
    )
    .only_in(&["openai-pai-native-tool-search-streaming"]),
    Allowed::left_out("this client drops thoughts", |body| {
        input(body).retain(|item| item["type"] != "reasoning");
    })
    .only_in(&[
        "bedrock-mantle-rubyllm-providers-bedrock-mantle-responses-chat-calls-tools-thro-c97b4a",
    ]),
];

/// The items of a reply, as they go back.
pub(super) fn items(items: &mut Vec<Value>) {
    short_ids(items);
    without_empty_thoughts(items);
    without_last_thoughts(items);
    without_ids(items);
    without_direct_callers(items);
    plain_messages(items);
}

fn short_ids(items: &mut [Value]) {
    let mut ids: Vec<(String, String)> = Vec::new();
    for item in items {
        let Some(id) = item["call_id"].as_str().map(str::to_owned) else {
            continue;
        };
        if is_call(item) {
            let sent = match id.len() {
                ..=40 => id.clone(),
                _ => format!("call{:05}", ids.len()),
            };
            ids.push((id.clone(), sent));
        }
        if let Some((_, sent)) = ids.iter().find(|(known, _)| *known == id) {
            item["call_id"] = sent.as_str().into();
        }
    }
}

fn without_empty_thoughts(items: &mut Vec<Value>) {
    let holds = |value: &Value| match value {
        Value::String(_) => true,
        Value::Array(words) => !words.is_empty(),
        _ => false,
    };
    items.retain(|item| {
        item["type"] != "reasoning" || holds(&item["encrypted_content"]) || holds(&item["content"])
    });
}

fn without_last_thoughts(items: &mut Vec<Value>) {
    while items.pop_if(|item| item["type"] == "reasoning").is_some() {}
}

fn without_ids(items: &mut [Value]) {
    for item in items {
        let of_item: &[&str] = match item["type"].as_str() {
            Some("function_call" | "custom_tool_call") => {
                &["id", "status", "item_id", "output_index"]
            }
            Some("function_call_output") => &["status"],
            _ => &[],
        };
        fields(item).retain(|name, _| !of_item.contains(&&**name));
    }
}

fn without_direct_callers(items: &mut [Value]) {
    for item in items.iter_mut().filter(|item| is_call(item)) {
        fields(item).retain(|name, value| name != "caller" || value["type"] != "direct");
    }
}

fn plain_messages(items: &mut [Value]) {
    for item in items {
        let is_commentary = item["phase"] == "commentary";
        // Commentary goes back as it came.
        if is_commentary || !matches!(item["type"].as_str(), None | Some("message")) {
            continue;
        }
        let text = plain_text(&item["content"]);
        let fields = fields(item);
        fields.insert("type".into(), "message".into());
        if let Some(text) = text {
            fields.insert("content".into(), text.into());
            fields.retain(|name, value| !matches!(&**name, "id" | "status") && !value.is_null());
        }
    }
}

/// The text of content that is one text and nothing besides.
pub(super) fn plain_text(content: &Value) -> Option<String> {
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

/// The input, which is a list in every recording.
pub(super) fn items_of(body: &Value) -> Vec<Value> {
    body["input"].as_array().expect("is a list").clone()
}

/// Takes the system text from the beginning.
pub(super) fn system_of(items: &mut Vec<Value>) -> Option<String> {
    let is_system = items.first().is_some_and(|item| item["role"] == "system");
    is_system.then(|| plain_text(&items.remove(0)["content"]).expect("is one"))
}

/// Whether the tools are what definitions of ours say. All else is a field of the user's own.
pub(super) fn has_definitions(recorded: &Value) -> bool {
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

fn is_call(item: &Value) -> bool {
    let kind = item["type"].as_str().unwrap_or_default();
    matches!(kind, "function_call" | "custom_tool_call")
}

fn fields(value: &mut Value) -> &mut Map<String, Value> {
    value.as_object_mut().expect("is an object")
}

fn input(body: &mut Value) -> &mut Vec<Value> {
    body["input"].as_array_mut().expect("is a list")
}

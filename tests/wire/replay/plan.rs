//! What a recorded conversation says must happen when it is replayed.

use std::{fs, path::Path};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::loopback::Answer;

/// One recorded exchange, with its request.
#[derive(Debug, Deserialize)]
pub(crate) struct Exchange {
    pub(crate) kind: String,
    pub(crate) conversation: String,
    pub(crate) turn: u32,
    #[serde(deserialize_with = "body")]
    pub(crate) request: Value,
    response: Response,
    expected: Expected,
}

#[derive(Debug, Deserialize)]
struct Response {
    status: u16,
    body: String,
}

#[derive(Debug, Deserialize)]
struct Expected {
    text: String,
    tool_calls: Vec<Call>,
    error: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Call {
    name: String,
    arguments_raw: Option<String>,
}

/// The body of the request; `null` where only the answer was recorded.
fn body<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    Ok(Value::deserialize(deserializer)?["body"].take())
}

impl Exchange {
    pub(crate) fn read_all(folder: &Path) -> Vec<Self> {
        let entries = folder.read_dir().into_iter().flatten();
        entries
            .map(|entry| entry.expect("the folder is readable").path())
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .map(|path| {
                let text = fs::read_to_string(&path).expect("the recording is readable");
                serde_json::from_str(&text).expect("the recording has its fields")
            })
            .collect()
    }

    pub(crate) fn succeeded(&self) -> bool {
        self.response.status < 300 && self.expected.error.is_none() && !self.request.is_null()
    }

    pub(crate) fn tools(&self) -> Option<&Vec<Value>> {
        self.request["tools"].as_array()
    }

    fn messages(&self) -> &[Value] {
        self.request["messages"]
            .as_array()
            .map_or(&[], Vec::as_slice)
    }
}

/// What must happen.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) system: Option<String>,
    /// What the user asks, one run each.
    pub(crate) questions: Vec<String>,
    /// The bodies that the server answers with: the recorded ones, those of replies that are known
    /// only from the history of the first request, and one that ends a conversation that was
    /// recorded up to its last calls.
    pub(crate) replies: Vec<Answer>,
    pub(crate) replies_before_recording: usize,
    /// What the tools return: name, arguments, text.
    pub(crate) results: Vec<(String, String, String)>,
    pub(crate) last_text: String,
}

impl Plan {
    pub(crate) fn new(exchanges: &[Exchange]) -> Self {
        let mut plan = Self::default();
        let kind = &exchanges[0].kind;
        // Calls whose results have not been met yet.
        let mut waiting = Vec::new();
        let mut known = 0;
        for exchange in exchanges {
            for message in &exchange.messages()[known..] {
                match message["role"].as_str() {
                    Some("system") => plan.system = Some(text_of(&message["content"])),
                    Some("user") => plan.questions.push(text_of(&message["content"])),
                    Some("tool") => {
                        let (name, arguments): (String, String) = waiting.remove(0);
                        plan.results
                            .push((name, arguments, text_of(&message["content"])));
                    }
                    // Later replies are the recorded ones.
                    Some("assistant") if known == 0 => {
                        plan.replies.push(written_again(kind, message));
                        plan.replies_before_recording += 1;
                        for call in message["tool_calls"].as_array().into_iter().flatten() {
                            let function = &call["function"];
                            waiting.push((
                                text_of(&function["name"]),
                                text_of(&function["arguments"]),
                            ));
                        }
                    }
                    _ => {}
                }
            }
            known = exchange.messages().len();
            plan.replies.push(answer(kind, &exchange.response.body));
            for call in &exchange.expected.tool_calls {
                let arguments = call.arguments_raw.clone().unwrap_or_default();
                waiting.push((call.name.clone(), arguments));
            }
            plan.last_text.clone_from(&exchange.expected.text);
        }
        if !waiting.is_empty() {
            let results = waiting.drain(..);
            plan.results
                .extend(results.map(|(name, arguments)| (name, arguments, "ok".into())));
            plan.last_text = "The recording ends here.".into();
            let last = json!({"role": "assistant", "content": plan.last_text});
            plan.replies.push(written_again(kind, &last));
        }
        plan
    }
}

/// A reply that is known only as a message, in the form in which a server sends it.
fn written_again(kind: &str, message: &Value) -> Answer {
    let finish_reason = if message["tool_calls"].is_array() {
        "tool_calls"
    } else {
        "stop"
    };
    let part = if kind == "sse" { "delta" } else { "message" };
    let body = json!({"choices": [{"index": 0, part: message, "finish_reason": finish_reason}]});
    match kind {
        "sse" => answer(kind, &format!("data: {body}\n\ndata: [DONE]\n\n")),
        _ => answer(kind, &body.to_string()),
    }
}

/// A body as it was sent.
fn answer(kind: &str, body: &str) -> Answer {
    match kind {
        "sse" => Answer::events(body),
        _ => Answer::json(body),
    }
}

/// What a history says, however it is written down: what users and models said, which calls were
/// made with what, and what came back. Reasoning is left out: of the recorded clients one drops it,
/// one sends it as text, one under another name, and one loses a field of it.
pub(crate) fn spoken(messages: &Value) -> Vec<Value> {
    let mut spoken = Vec::new();
    for message in messages.as_array().into_iter().flatten() {
        let text = text_of(&message["content"]);
        if !text.is_empty() && !text.starts_with("<think>") {
            spoken.push(json!([message["role"], text]));
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let arguments = text_of(&call["function"]["arguments"]);
            let arguments = if arguments.is_empty() {
                "{}"
            } else {
                &arguments
            };
            let arguments: Value = serde_json::from_str(arguments).expect("calls that succeeded");
            spoken.push(json!(["call", call["function"]["name"], arguments]));
        }
    }
    spoken
}

/// A text, also where it is written as a list of parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(|part| text_of(&part["text"])).collect(),
        _ => String::new(),
    }
}

//! Ollama's own chat.

mod asked;
mod written;

use serde_json::{Value, json};
use toolwright::{
    ChatModel, ModelResponse, Ollama as Model,
    provider::{Codec as _, OllamaCodec},
};

use crate::{
    heard::Silent,
    outcome::{self, Codec, Outcome, encode},
    protocol::Protocol,
    record::{Expected, Record},
};

pub(crate) static PROTOCOL: Protocol = Protocol {
    folder: "ollama",
    correct: |_| {},
    codec: Codec {
        decode_stream,
        ..Codec::of::<OllamaCodec>(compare)
    },
    encode: encode::<OllamaCodec>,
    warnings: |_, request| OllamaCodec::new().warnings(request),
    asked: asked::asked,
    tools: asked::tools,
    turns: asked::turns,
    allowed: written::ALLOWED,
    allowed_in_replay: written::IN_REPLAY,
    came,
    replies,
    silent: &[Silent {
        reason: "a piece in which nothing is said",
        is_it: |event| event["message"]["content"] == "" && event["done"] == false,
    }],
    silent_fields: &[
        (
            "it is always a response of the model",
            &["message.role", "done"],
        ),
        ("the order says it", &["message.tool_calls.function.index"]),
        ("the time is known to who asked", &["created_at"]),
    ],
    unknown_event: "{\"something_new\": true}\n",
    model,
    text_response,
    cannot_be_said: &[],
    cannot_be_replayed: &[
        ("ollama-ollama-load-a-model", "nobody asks anything"),
        ("ollama-otel-chat-tool-calls-legacy", "nobody asks anything"),
    ],
};

fn model(record: &Record, origin: &str) -> Box<dyn ChatModel> {
    Box::new(Model::new(record.model()).with_base_url(origin))
}

fn text_response(text: &str) -> Value {
    let message = json!({"role": "assistant", "content": text});
    json!({"message": message, "done": true, "done_reason": "stop"})
}

fn replies(body: &Value) -> Vec<Vec<Value>> {
    let messages = body["messages"].as_array().expect("is a list").iter();
    let replies = messages.filter(|message| message["role"] == "assistant");
    replies.map(|message| vec![message.clone()]).collect()
}

fn came(record: &Record) -> Vec<Value> {
    let mut message = json!({"role": "assistant", "content": ""});
    for line in record.response.body.lines() {
        let line: Value = serde_json::from_str(line).expect("is JSON");
        add(&mut message, &line["message"]);
    }
    // A reply in which nothing is said does not go back.
    let is_nothing = message == json!({"role": "assistant", "content": ""});
    (!is_nothing).then_some(message).into_iter().collect()
}

/// Adds what a line says to the message, which goes back whole.
fn add(message: &mut Value, more: &Value) {
    for name in ["content", "thinking"] {
        let text = message[name].as_str().unwrap_or_default().to_owned();
        let text = text + more[name].as_str().unwrap_or_default();
        if !text.is_empty() {
            message[name] = text.into();
        }
    }
    for call in more["tool_calls"].as_array().into_iter().flatten() {
        // Ids and places of calls are not documented, and nobody has to send them.
        let function = &call["function"];
        let function = json!({"name": function["name"], "arguments": function["arguments"]});
        let calls = message["tool_calls"].as_array().cloned();
        let mut calls = calls.unwrap_or_default();
        calls.push(json!({"function": function}));
        message["tool_calls"] = calls.into();
    }
}

/// Decodes a stream. A whole reply that comes as the only line of one has no end of the line, so that it
/// is known to be whole only when it has ended.
fn decode_stream(pieces: &[&[u8]]) -> Outcome {
    let mut outcome = outcome::decode_stream::<OllamaCodec>(pieces);
    let is_one_line = !pieces.iter().any(|piece| piece.contains(&b'\n'));
    outcome.complete |= is_one_line && outcome.error.is_none();
    outcome
}

fn compare(reply: &ModelResponse, _: &Expected) {
    assert_eq!(reply.warnings, [], "nothing is left out");
    if reply.usage.is_some() {
        assert!(reply.metadata["total_duration"].is_u64());
    }
}

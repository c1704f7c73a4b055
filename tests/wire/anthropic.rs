//! Anthropic Messages.

mod asked;
mod came;
mod written;

use serde_json::{Value, json};
use toolwright::{
    Anthropic as Model, ChatModel, ModelResponse,
    message::Part,
    provider::{AnthropicCodec, Codec as _},
};

use crate::{
    heard::Silent,
    outcome::{Codec, encode},
    protocol::Protocol,
    record::{Expected, Record},
};

/// Its definition says `defer_loading`. In a run such marks are settings, which do not change.
const DEFERRED: &str = "a tool is added that no definition of ours says";

pub(crate) static PROTOCOL: Protocol = Protocol {
    folder: "anthropic",
    correct,
    codec: Codec::of::<AnthropicCodec>(compare),
    encode: encode::<AnthropicCodec>,
    warnings: |_, request| AnthropicCodec::new().warnings(request),
    asked: asked::asked,
    tools: asked::tools,
    turns: asked::turns,
    allowed: written::ALLOWED,
    allowed_in_replay: written::IN_REPLAY,
    came: came::content,
    replies,
    silent: &[
        Silent {
            reason: "it keeps the connection open",
            is_it: |event| event["type"] == "ping",
        },
        Silent {
            reason: "the next block, or the end, says that a block is over",
            is_it: |event| event["type"] == "content_block_stop",
        },
        Silent {
            reason: "the reason to end has been said before",
            is_it: |event| event["type"] == "message_stop",
        },
        Silent {
            reason: "a piece, or a text that begins, in which nothing is said yet",
            is_it: |event| {
                let is_empty = |value: &Value| value == "";
                let delta = &event["delta"];
                is_empty(&delta["partial_json"])
                    || is_empty(&delta["thinking"])
                    || is_empty(&event["content_block"]["text"])
            },
        },
    ],
    silent_fields: &[
        ("it is always a message of the model", &["role", "type"]),
        ("the model itself called", &["content.caller"]),
    ],
    unknown_event: "event: something_new\ndata: {\"type\": \"something_new\"}\n\n",
    model,
    text_response,
    cannot_be_said: &[(
        "anthropic-pai-multimodal-tool-return-matrix-direct-uploaded-file-image-f8522b.2",
        "a result holds a file by its id, which no result of ours does",
    )],
    cannot_be_replayed: &[
        (
            "anthropic-pai-multimodal-tool-return-matrix-direct-uploaded-file-image-f8522b",
            "a result holds a file by its id, which no result of ours does",
        ),
        ("anthropic-pai-tool-search-eval-anthropic", DEFERRED),
        ("anthropic-pai-tool-search-eval-anthropic-2", DEFERRED),
    ],
};

fn model(record: &Record, origin: &str) -> Box<dyn ChatModel> {
    Box::new(Model::new(record.model(), "no key").with_base_url(origin))
}

fn text_response(text: &str) -> Value {
    json!({"type": "message", "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"})
}

fn replies(body: &Value) -> Vec<Vec<Value>> {
    let messages = body["messages"].as_array().expect("is a list").iter();
    let replies = messages.filter(|message| message["role"] == "assistant");
    let contents = replies.map(|message| message["content"].as_array().cloned());
    contents.map(Option::unwrap_or_default).collect()
}

/// The corpus has the words of a refusal in its details alone.
fn correct(record: &mut Record) {
    let expected = &mut record.expected;
    let words = expected.stop_details["explanation"].as_str();
    expected.refusal = words.map(str::to_owned).or(expected.refusal.take());
}

fn compare(reply: &ModelResponse, expected: &Expected) {
    let of_type = |kinds: &[&str]| {
        let opaque = reply.parts.iter().filter_map(|part| match part {
            Part::Opaque(opaque) => opaque.data["type"].as_str(),
            _ => None,
        });
        opaque.filter(|kind| kinds.contains(kind)).count()
    };
    assert_eq!(
        of_type(&["server_tool_use", "mcp_tool_use"]),
        expected.server_tool_calls.len()
    );
    let fact = |name: &str| reply.metadata.get(name).cloned().unwrap_or_default();
    assert_eq!(fact("stop_details"), expected.stop_details);
    assert_eq!(
        fact("stop_sequence").as_str(),
        expected.stop_sequence.as_deref()
    );
    let lost: Vec<_> = reply
        .warnings
        .iter()
        .map(|warning| &*warning.code)
        .collect();
    assert!(lost.is_empty(), "nothing is left out: {lost:?}");
    if reply.model.is_some() {
        assert!(matches!(fact("id"), Value::String(_)), "there is an id");
    }
}

//! OpenAI Chat Completions and its dialects.

mod asked;
mod came;
mod vendor;
mod written;

use serde_json::{Value, json};
use toolwright::{
    ChatModel, ModelResponse, OpenAiChat as Model,
    model::ModelRequest,
    provider::{Codec as _, EncodeInput, OpenAiChatCodec},
};

use crate::{
    heard::Silent,
    outcome::Codec,
    protocol::Protocol,
    record::{Expected, Record},
};

pub(crate) static PROTOCOL: Protocol = Protocol {
    folder: "openai-chat",
    correct: |_| {},
    codec: Codec::of::<OpenAiChatCodec>(compare),
    encode,
    warnings: |record, request| OpenAiChatCodec::of(vendor::of(record)).warnings(request),
    asked: asked::asked,
    tools: asked::tools,
    turns: asked::turns,
    allowed: written::ALLOWED,
    allowed_in_replay: written::IN_REPLAY,
    came: came::messages,
    replies,
    silent: &[
        Silent {
            reason: "the reason to end has been said before",
            is_it: Value::is_null,
        },
        Silent {
            reason: "a chunk in which nothing is said, or said again",
            is_it: |chunk| {
                let choices = chunk["choices"].as_array().into_iter().flatten();
                choices.map(|choice| &choice["delta"]).all(says_nothing)
            },
        },
    ],
    silent_fields: &[
        (
            "it is always the first response of the model",
            &["choices.index", "choices.message.role", "object"],
        ),
        ("the order says it", &["choices.message.tool_calls.index"]),
        (
            "there is no other type",
            &[
                "choices.message.tool_calls.type",
                "choices.message.content.thinking.type",
            ],
        ),
        (
            "a whole response has no open thought",
            &["choices.message.content.closed"],
        ),
        ("the time is known to who asked", &["created"]),
    ],
    unknown_event: "data: {\"something_new\": true}\n\n",
    model,
    text_response,
    cannot_be_said: &[],
    cannot_be_replayed: &[
        (
            "openai-otel-open-ai-function-calls",
            "the tools are declared as `functions`, which we do not write",
        ),
        (
            "groq-pai-tool-use-failed-error-with-text-2",
            "the program corrects a model that calls no tool, which a run does by itself",
        ),
    ],
};

fn encode(record: &Record, request: &ModelRequest) -> Vec<u8> {
    let mut input = EncodeInput::new(record.model(), request);
    if record.is_streamed() {
        input = input.streamed();
    }
    let dialect = OpenAiChatCodec::of(vendor::of(record));
    dialect.encode(input).expect("is written")
}

fn model(record: &Record, origin: &str) -> Box<dyn ChatModel> {
    let model = Model::new(record.model(), "no key").with_vendor(vendor::of(record));
    Box::new(model.with_base_url(format!("{origin}/v1")))
}

fn text_response(text: &str) -> Value {
    let message = json!({"role": "assistant", "content": text});
    json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
}

fn replies(body: &Value) -> Vec<Vec<Value>> {
    let messages = body["messages"].as_array().expect("is a list").iter();
    let replies = messages.filter(|message| message["role"] == "assistant");
    replies.map(|message| vec![message.clone()]).collect()
}

/// Whether a piece holds no words. One server repeats the id and the name of a call in every piece.
fn says_nothing(delta: &Value) -> bool {
    match delta {
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.iter().all(says_nothing),
        Value::Object(fields) => fields.iter().all(|(name, value)| {
            matches!(&**name, "role" | "type" | "id" | "name" | "index") || says_nothing(value)
        }),
        _ => true,
    }
}

fn compare(reply: &ModelResponse, expected: &Expected) {
    let native = reply.metadata.get("native_finish_reason");
    assert_eq!(
        native.and_then(Value::as_str),
        expected.native_finish_reason.as_deref()
    );
    if !expected.server_tool_calls.is_empty() {
        let kept = reply.metadata["executed_tools"].as_array().map(Vec::len);
        assert_eq!(kept, Some(expected.server_tool_calls.len()));
    }
}

//! OpenAI Chat Completions and its dialects.

mod asked;
mod came;
mod vendor;
mod written;

use serde_json::{Value, json};
use toolwright::{
    ChatModel, ModelRequest, ModelResponse, OpenAiChat as Model,
    provider::openai_chat::{self, Dialect, StreamDecoder},
};

use crate::{
    outcome::{Codec, decode_stream},
    protocol::Protocol,
    record::{Expected, Record},
};

pub(crate) static PROTOCOL: Protocol = Protocol {
    folder: "openai-chat",
    correct: |_| {},
    codec: Codec {
        decode: openai_chat::decode,
        decode_error: openai_chat::decode_error,
        decode_stream: decode_stream!(StreamDecoder),
        compare,
    },
    encode,
    warnings: |record, request| Dialect::of(vendor::of(record)).warnings(request),
    asked: asked::asked,
    tools: asked::tools,
    turns: asked::turns,
    allowed: written::ALLOWED,
    allowed_in_replay: written::IN_REPLAY,
    came: came::messages,
    replies,
    model,
    text_reply,
    cannot_be_said: &[],
    cannot_be_replayed: &[(
        "openai-otel-open-ai-function-calls",
        "the tools are declared as `functions`, which we do not write",
    )],
};

fn encode(record: &Record, request: &ModelRequest) -> Vec<u8> {
    let dialect = Dialect::of(vendor::of(record));
    if record.is_streamed() {
        return dialect.encode_stream(record.model(), request);
    }
    dialect.encode(record.model(), request)
}

fn model(record: &Record, origin: &str) -> Box<dyn ChatModel> {
    let model = Model::new(record.model(), "no key").with_vendor(vendor::of(record));
    Box::new(model.with_base_url(format!("{origin}/v1")))
}

fn text_reply(text: &str) -> Value {
    let message = json!({"role": "assistant", "content": text});
    json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
}

fn replies(body: &Value) -> Vec<Vec<Value>> {
    let messages = body["messages"].as_array().expect("is a list").iter();
    let replies = messages.filter(|message| message["role"] == "assistant");
    replies.map(|message| vec![message.clone()]).collect()
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

//! OpenAI Chat Completions and its dialects.

use serde_json::Value;
use toolwright::{
    ModelResponse,
    provider::openai_chat::{self, StreamDecoder},
};

use crate::{
    outcome::{Codec, decode_stream},
    record::{Expected, Record},
};

pub(crate) fn check(record: &Record) {
    let codec = Codec {
        decode: openai_chat::decode,
        decode_error: openai_chat::decode_error,
        decode_stream: decode_stream!(StreamDecoder),
        compare,
    };
    codec.check(record);
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

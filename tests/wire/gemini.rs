//! Google's `generateContent`.

mod sent;

use serde_json::Value;
use toolwright::{
    ModelResponse, Part,
    provider::gemini::{self, StreamDecoder},
};

use crate::{
    outcome::{Codec, decode_stream},
    record::{Expected, Record},
};

pub(crate) use sent::trials;

pub(crate) fn check(record: &Record) {
    let codec = Codec {
        decode: gemini::decode,
        decode_error: gemini::decode_error,
        decode_stream: decode_stream!(StreamDecoder),
        compare,
    };
    codec.check(record);
}

fn compare(reply: &ModelResponse, expected: &Expected) {
    let opaque = reply.parts.iter().filter_map(|part| match part {
        Part::Opaque(opaque) => Some(&opaque.data),
        _ => None,
    });
    let of_server = opaque.filter(|data| data["toolCall"].is_object());
    assert_eq!(of_server.count(), expected.server_tool_calls.len());
    let fact = |name: &str| reply.metadata.get(name).cloned().unwrap_or_default();
    assert_eq!(
        fact("finishMessage").as_str(),
        expected.finish_message.as_deref()
    );
    assert_eq!(
        fact("promptFeedback")["blockReason"].as_str(),
        expected.block_reason.as_deref()
    );
    let lost: Vec<_> = reply
        .warnings
        .iter()
        .map(|warning| &*warning.code)
        .filter(|code| !matches!(*code, "other_choices" | "prompt_blocked"))
        .collect();
    assert!(lost.is_empty(), "nothing is left out: {lost:?}");
    if reply.model.is_some() {
        assert!(matches!(fact("id"), Value::String(_)), "there is an id");
    }
}

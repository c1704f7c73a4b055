//! Anthropic Messages.

use serde_json::Value;
use toolwright::{
    ModelResponse, Part,
    provider::anthropic::{self, StreamDecoder},
};

use crate::{
    outcome::{Codec, decode_stream},
    record::{Expected, Record},
};

pub(crate) fn check(record: &Record) {
    let codec = Codec {
        decode: anthropic::decode,
        decode_error: anthropic::decode_error,
        decode_stream: decode_stream!(StreamDecoder),
        compare,
    };
    codec.check(record);
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

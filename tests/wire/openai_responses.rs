//! OpenAI Responses, by OpenAI and by the servers that speak it.

use serde_json::Value;
use toolwright::{
    FinishReason, ModelResponse, Part,
    provider::openai_responses::{self, StreamDecoder},
};

use crate::{
    outcome::{Codec, decode_stream},
    record::{Expected, Record},
};

/// A reply that was edited by hand: its pieces say less than it says when it is whole.
const EDITED: &str = "resp_0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c2d3e4f";

pub(crate) fn check(record: &Record) {
    let codec = Codec {
        decode: openai_responses::decode,
        decode_error: openai_responses::decode_error,
        decode_stream: decode_stream!(StreamDecoder),
        compare,
    };
    let mut record = record.clone();
    if record.response.body.contains(EDITED) {
        // Nobody can take back what has been told.
        "The command ran successfully.".clone_into(&mut record.expected.text);
    }
    codec.check(&record);
}

fn compare(reply: &ModelResponse, expected: &Expected) {
    let items = reply.parts.iter().filter_map(|part| match part {
        Part::Opaque(opaque) => Some(&opaque.data),
        _ => None,
    });
    let items: Vec<_> = items.collect();
    for call in &expected.server_tool_calls {
        let is_it = |item: &&&Value| {
            item["type"] == call["type"] && [&item["id"], &item["call_id"]].contains(&&call["id"])
        };
        let kept = items.iter().filter(is_it).count();
        assert_eq!(kept, 1, "{call} is among {items:?}");
    }
    let ours = ["reasoning", "message", "function_call", "custom_tool_call"];
    let kept = items.iter().filter(|item| {
        let kind = item["type"].as_str().expect("has one");
        !ours.contains(&kind)
    });
    assert_eq!(kept.count(), expected.server_tool_calls.len());

    let fact = |name: &str| reply.metadata.get(name).cloned().unwrap_or_default();
    assert_eq!(
        fact("incomplete_details")["reason"].as_str(),
        expected.incomplete_reason.as_deref()
    );
    let ended_with_calls = reply.finish_reason == FinishReason::ToolCalls;
    if expected.complete && expected.error.is_none() && expected.refusal.is_none() {
        assert_eq!(ended_with_calls, !expected.tool_calls.is_empty());
    }
    if expected.error.is_none() {
        let lost: Vec<_> = reply
            .warnings
            .iter()
            .map(|warning| &*warning.code)
            .collect();
        assert!(lost.is_empty(), "nothing is left out: {lost:?}");
    }
    if reply.model.is_some() {
        assert!(matches!(fact("id"), Value::String(_)), "there is an id");
    }
}

use serde_json::{Value, json};
use toolwright_core::{
    FinishReason, ModelError, ModelResponse, Part, ToolCall,
    model::{ModelErrorKind, ModelEvent},
    tool::ToolDefinitions,
};

use super::super::GeminiCodec;
use crate::provider::{Codec, DecodeStream};

fn chunk(parts: &Value) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}, "index": 0}],
        "usageMetadata": {"promptTokenCount": 3, "totalTokenCount": 3}, "modelVersion": "m",
        "responseId": "r1"})
}

fn end(reason: &str) -> Value {
    json!({"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": reason}],
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 5}})
}

fn call(fields: &Value) -> Value {
    chunk(&json!([{"functionCall": fields}]))
}

fn stream(chunks: &[Value]) -> String {
    let written = chunks.iter().map(|chunk| format!("data: {chunk}\r\n\r\n"));
    written.collect()
}

fn decode(stream: &str) -> (ModelResponse, Result<(), ModelError>) {
    let mut events: Vec<ModelEvent> = Vec::new();
    let mut decoder = GeminiCodec::new().stream_decoder(&ToolDefinitions::default());
    let result = decoder
        .feed(stream.as_bytes(), &mut events)
        .and_then(|()| decoder.finish(&mut events));
    (events.into_iter().collect(), result)
}

fn whole(chunks: &[Value]) -> ModelResponse {
    let (response, result) = decode(&stream(chunks));
    result.expect("is whole");
    response
}

#[test]
fn words_and_calls_come_as_they_are_said() {
    let response = whole(&[
        chunk(&json!([{"text": "I ", "thought": true}])),
        chunk(&json!([{"text": "think.", "thought": true}])),
        chunk(&json!([{"text": "Hel"}])),
        chunk(&json!([{"text": "lo"}, {"functionCall": {"name": "a", "args": {}}}])),
        chunk(&json!([{"functionCall": {"name": "a", "args": {}}, "thoughtSignature": "s"}])),
        end("STOP"),
    ]);
    let said: Vec<_> = response
        .parts
        .iter()
        .filter(|part| !matches!(part, Part::Opaque(_)))
        .cloned()
        .collect();
    let call = Part::Call(ToolCall::new("", "a", "{}"));
    assert_eq!(
        said,
        [
            Part::Reasoning("I think.".into()),
            Part::Text("Hello".into()),
            call.clone(),
            call
        ]
    );
    assert_eq!(response.finish_reason, FinishReason::ToolCalls);
    assert_eq!(response.metadata["id"], "r1");
    let usage = response.usage.expect("is told");
    assert_eq!((usage.input_tokens, usage.output_tokens), (3, 5));
}

#[test]
fn the_usage_that_counts_is_the_last_that_counts() {
    let mut last = end("STOP");
    last["usageMetadata"] = json!({"trafficType": "ON_DEMAND"});
    let response = whole(&[chunk(&json!([{"text": "Hi"}])), last]);
    let usage = response.usage.expect("is told");
    assert_eq!((usage.input_tokens, usage.output_tokens), (3, 0));
    let mut silent = end("STOP");
    silent["usageMetadata"] = json!({"trafficType": "ON_DEMAND"});
    assert_eq!(whole(&[silent]).usage, None);
}

#[test]
fn arguments_in_pieces_become_one_text() {
    let piece = |path: &str, text: &str, goes_on: bool| {
        call(
            &json!({"partialArgs": [{"jsonPath": path, "stringValue": text,
            "willContinue": goes_on}], "willContinue": true}),
        )
    };
    let response = whole(&[
        chunk(
            &json!([{"functionCall": {"name": "cook", "willContinue": true},
            "thoughtSignature": "s"}]),
        ),
        piece("$.steps[0]", "Pre", true),
        piece("$.steps[0]", "heat.", false),
        call(&json!({"willContinue": true})),
        piece("$.steps[1]", "Cook.", false),
        call(&json!({})),
        call(&json!({"name": "rest"})),
        call(&json!({"name": "cook", "id": "b", "willContinue": true})),
        call(&json!({"partialArgs": [{"jsonPath": "$.n", "numberValue": 2}]})),
        call(&json!({"name": "cook", "partialArgs": [{"jsonPath": "$.ok", "boolValue": true}]})),
        end("STOP"),
    ]);
    assert_eq!(
        response.tool_calls,
        [
            ToolCall::new("", "cook", r#"{"steps":["Preheat.","Cook."]}"#),
            ToolCall::new("", "rest", ""),
            ToolCall::new("b", "cook", r#"{"n":2}"#),
            ToolCall::new("", "cook", r#"{"ok":true}"#),
        ]
    );
    assert!(
        matches!(&response.parts[1], Part::Opaque(opaque)
            if opaque.data == json!({"beside": "functionCall", "thoughtSignature": "s"})),
        "it stands beside its call: {:?}",
        response.parts
    );
    assert_eq!(response.warnings, []);
}

#[test]
fn arguments_that_were_cut_off_are_no_json() {
    let chunks = [
        call(&json!({"name": "cook", "willContinue": true})),
        call(
            &json!({"partialArgs": [{"jsonPath": "$.a", "stringValue": "x", "willContinue": true}],
            "willContinue": true}),
        ),
        end("MAX_TOKENS"),
    ];
    let response = whole(&chunks);
    assert_eq!(response.finish_reason, FinishReason::Length);
    assert_eq!(response.tool_calls[0].arguments, r#"{"a":"x""#);
    let (response, result) = decode(&stream(&chunks[..2]));
    assert_eq!(result.expect_err("was cut").kind, ModelErrorKind::Transport);
    assert_eq!(response.tool_calls[0].arguments, r#"{"a":"x""#);
}

#[test]
fn pieces_that_do_not_fit_are_an_error() {
    let (_, result) = decode(&stream(&[
        call(&json!({"name": "cook", "willContinue": true})),
        call(&json!({"partialArgs": [{"jsonPath": "$.a[7]", "stringValue": "x"}]})),
        end("STOP"),
    ]));
    let error = result.expect_err("does not fit");
    assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
    assert!(error.message.contains("$.a[7]"), "{}", error.message);
    // Pieces of nothing are counted.
    let response = whole(&[
        call(&json!({"partialArgs": [{"jsonPath": "$.a", "stringValue": "x"}]})),
        end("STOP"),
    ]);
    assert_eq!(response.warnings[0].code, "parts_left_out");
    assert_eq!(response.tool_calls, []);
}

#[test]
fn an_error_within_the_stream_keeps_what_came() {
    let error = json!({"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}});
    let (response, result) = decode(&stream(&[chunk(&json!([{"text": "Hel"}])), error]));
    let error = result.expect_err("is one");
    assert_eq!(error.kind, ModelErrorKind::Overloaded);
    assert_eq!(error.error_type.as_deref(), Some("UNAVAILABLE"));
    assert_eq!(response.text, "Hel");
    assert_eq!(response.usage.expect("was told").input_tokens, 3);
}

#[test]
fn a_stream_without_its_end_was_cut() {
    let (response, result) = decode(&stream(&[chunk(&json!([{"text": "Hel"}]))]));
    let error = result.expect_err("was cut");
    assert_eq!(error.kind, ModelErrorKind::Transport);
    assert!(error.message.contains("finish reason"), "{}", error.message);
    assert_eq!(response.text, "Hel");
}

#[test]
fn a_request_that_is_blocked_ends_the_stream() {
    let blocked = json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
        "usageMetadata": {"promptTokenCount": 3}});
    let response = whole(&[blocked.clone(), blocked]);
    assert_eq!(response.finish_reason, FinishReason::ContentFilter);
    assert_eq!(response.warnings.len(), 1, "it is said once");
}

#[test]
fn a_list_is_a_stream_that_is_read_at_its_end() {
    let events = json!([
        chunk(&json!([{"text": "Hel"}])),
        chunk(&json!([{"text": "lo"}])),
        end("STOP")
    ]);
    let (response, result) = decode(&events.to_string());
    result.expect("is whole");
    assert_eq!(response.text, "Hello");
}

#[test]
fn usage_after_an_error_is_kept() {
    let error = json!({"error": {"message": "busy", "status": "UNAVAILABLE", "code": 503}});
    let (response, result) = decode(&stream(&[chunk(&json!([])), error, end("STOP")]));
    assert_eq!(result.expect_err("is an error").message, "busy");
    assert_eq!(response.usage.expect("came").output_tokens, 5);
}

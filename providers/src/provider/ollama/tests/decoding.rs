use serde_json::{Value, json};
use toolwright_core::{
    Conversation, FinishReason, ModelResponse, Part, ToolCall, ToolResult, Toolset,
    model::ModelErrorKind, tool::ToolDefinitions,
};

use super::super::OllamaCodec;
use crate::provider::{Codec, EncodeInput, ErrorResponse};

fn reply(message: &Value) -> Value {
    json!({"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": message,
        "done": true, "done_reason": "stop"})
}

fn decoded(reply: &Value) -> ModelResponse {
    OllamaCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response")
}

fn check_error(body: &str, kind: ModelErrorKind, message: &str) {
    let error = OllamaCodec::new()
        .decode(&ToolDefinitions::default(), body.as_bytes())
        .expect_err("is no response");
    assert_eq!(error.kind, kind, "{body}");
    assert!(error.message.contains(message), "{:?}", error.message);
}

#[test]
fn a_reply_is_thinking_text_and_calls() {
    let message = json!({"role": "assistant", "thinking": "I see.", "content": "Look:",
        "tool_calls": [
            {"id": "call_1", "function": {"index": 0, "name": "look", "arguments": {"b": 1, "a": [2]}}},
            {"function": {"name": "look", "arguments": {}}},
            {"function": {"name": "look", "arguments": null}}]});
    let response = decoded(&reply(&message));
    assert_eq!(
        response.parts,
        [
            Part::Reasoning("I see.".into()),
            Part::Text("Look:".into()),
            Part::Call(ToolCall::new("call_1", "look", r#"{"a":[2],"b":1}"#)),
            Part::Call(ToolCall::new("", "look", "{}")),
            Part::Call(ToolCall::new("", "look", "")),
        ]
    );
    // `stop` ends a reply with calls, and does not keep them from running.
    assert_eq!(response.finish_reason, FinishReason::Stop);
    assert!(response.requires_tool_execution());
    assert_eq!(response.model.as_deref(), Some("m"));
}

#[test]
fn arguments_keep_their_text() {
    let body = r#"{"message":{"tool_calls":[{"function":{"name":"look","arguments":{"b": 1.50,"a":1e3}}}]},"done":true}"#;
    let response = OllamaCodec::new()
        .decode(&ToolDefinitions::default(), body.as_bytes())
        .expect("is a response");
    assert_eq!(response.tool_calls[0].arguments, r#"{"b": 1.50,"a":1e3}"#);
}

#[test]
fn words_for_the_end_have_their_meaning() {
    let check = |raw: Value, reason| {
        let mut reply = reply(&json!({"content": "a"}));
        reply["done_reason"] = raw.clone();
        let response = decoded(&reply);
        assert_eq!(response.finish_reason, reason, "{raw}");
        assert_eq!(response.raw_finish_reason.as_deref(), raw.as_str());
    };
    check(json!("stop"), FinishReason::Stop);
    check(json!("length"), FinishReason::Length);
    check(json!("load"), FinishReason::Other);
    check(json!("unload"), FinishReason::Other);
    check(json!(null), FinishReason::Other);
}

#[test]
fn usage_is_the_two_counts_and_either_may_be_missing() {
    let check = |counts: Value, expected: Option<(u64, u64)>| {
        let mut reply = reply(&json!({"content": "a"}));
        let fields = reply.as_object_mut().expect("is one");
        fields.extend(counts.as_object().expect("is one").clone());
        let usage = decoded(&reply).usage;
        let found = usage.as_ref().map(|u| (u.input_tokens, u.output_tokens));
        assert_eq!(found, expected);
        assert_eq!(usage.map(|usage| usage.raw), expected.map(|_| counts));
    };
    check(
        json!({"prompt_eval_count": 3, "eval_count": 2}),
        Some((3, 2)),
    );
    check(json!({"eval_count": 2}), Some((0, 2)));
    check(json!({}), None);
}

#[test]
fn fields_without_a_name_here_are_kept() {
    let mut reply = reply(&json!({"content": "a", "mood": "calm",
        "tool_calls": [{"function": {"name": "look", "arguments": {}, "why": 1}}]}));
    reply["total_duration"] = 7.into();
    assert_eq!(
        Value::Object(decoded(&reply).metadata),
        json!({"mood": "calm", "why": 1, "total_duration": 7})
    );
}

#[test]
fn what_came_goes_back_as_it_came() {
    let message = json!({"role": "assistant", "thinking": "I see.", "content": "Look:",
        "tool_calls": [
            {"function": {"name": "look", "arguments": {}}},
            {"function": {"name": "look", "arguments": {"a": 1}}, "signature": {"s": "x/+="}}]});
    let mut conversation = Conversation::new();
    conversation.push_user("Hi");
    conversation.push_response(decoded(&reply(&message)));
    let results = vec![ToolResult::success("", "a"), ToolResult::success("", "b")];
    conversation.push_results(results).expect("they are theirs");
    let body = OllamaCodec::new().body(EncodeInput::new("m", &conversation.request()));
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    assert_eq!(body["messages"][1], message);
    assert_eq!(
        body["messages"][3],
        json!({"role": "tool", "tool_name": "look", "content": "b"})
    );
}

#[test]
fn a_body_that_is_no_reply_says_what_it_is() {
    let malformed = ModelErrorKind::MalformedResponse;
    check_error("{}", malformed, "no completion");
    check_error("", malformed, "empty");
    check_error(r#"{"message":{"content":"a"#, malformed, "cut off");
    check_error("<html>", malformed, "HTML");
    check_error(
        r#"{"error":"registry.ollama.ai/library/gemma:2b does not support tools"}"#,
        ModelErrorKind::ToolsUnsupported,
        "gemma:2b",
    );
    check_error(
        r#"{"error":"server busy, please try again"}"#,
        ModelErrorKind::Overloaded,
        "busy",
    );
}

#[test]
fn an_error_body_has_its_kind() {
    let check = |status, text: &str, kind| {
        let body = json!({"error": text}).to_string();
        let error = OllamaCodec::new().decode_error(&ErrorResponse::new(status, body.as_bytes()));
        assert_eq!((error.kind, &*error.message), (kind, text));
    };
    check(
        400,
        "\"m\" does not support tools",
        ModelErrorKind::ToolsUnsupported,
    );
    check(
        400,
        "\"m\" does not support thinking",
        ModelErrorKind::InvalidRequest,
    );
    check(404, "model 'm' not found", ModelErrorKind::InvalidRequest);
    check(401, "unauthorized", ModelErrorKind::Authentication);
    check(
        503,
        "server busy, please try again",
        ModelErrorKind::Overloaded,
    );
}

#[test]
fn calls_of_a_reply_that_was_cut_off_must_not_run() {
    let message = json!({"tool_calls": [{"function": {"name": "look", "arguments": {}}}]});
    let mut reply = reply(&message);
    assert_eq!(
        OllamaCodec::new()
            .calls(&Toolset::new(), &reply)
            .expect("is whole"),
        [ToolCall::new("", "look", "{}")]
    );
    reply["done_reason"] = "length".into();
    let error = OllamaCodec::new()
        .calls(&Toolset::new(), &reply)
        .expect_err("is cut off");
    assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
}

use serde_json::{Value, json};
use toolwright_core::{
    Conversation, FinishReason, ModelResponse, Part, ToolCall, ToolResult, Toolset,
    model::ModelErrorKind, tool::ToolDefinitions,
};

use super::super::GeminiCodec;
use crate::provider::{Codec, EncodeInput, ErrorResponse};

fn reply(parts: &Value, finish_reason: &str) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts},
            "finishReason": finish_reason, "index": 0}],
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 4, "totalTokenCount": 16,
            "thoughtsTokenCount": 9, "cachedContentTokenCount": 2},
        "modelVersion": "gemini-x", "responseId": "r1"})
}

fn decoded(parts: &Value) -> ModelResponse {
    GeminiCodec::new()
        .decode(
            &ToolDefinitions::default(),
            reply(parts, "STOP").to_string().as_bytes(),
        )
        .expect("is a response")
}

fn check_error(body: &str, kind: ModelErrorKind, message: &str) {
    let error = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), body.as_bytes())
        .expect_err("is no response");
    assert_eq!(error.kind, kind, "{body}");
    assert!(error.message.contains(message), "{:?}", error.message);
}

/// Checks that a reply goes back as the parts it came as.
fn check_back(parts: &Value) {
    let mut conversation = Conversation::new();
    conversation.push_user("Hi");
    conversation.push_response(decoded(parts));
    let calls = conversation.pending_calls();
    let results: Vec<_> = calls
        .map(|call| ToolResult::success(&call.id, ()))
        .collect();
    if !results.is_empty() {
        conversation.push_results(results).expect("they are theirs");
    }
    let body = GeminiCodec::new().body(EncodeInput::new("gemini-2.5-pro", &conversation.request()));
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    assert_eq!(body["contents"][1]["parts"], *parts);
}

#[test]
fn a_reply_has_parts_usage_and_facts() {
    let response = decoded(&json!([
        {"text": "I think.", "thought": true},
        {"text": "Hello"},
        {"functionCall": {"id": "a", "name": "look", "args": {"x": 1}}},
    ]));
    assert_eq!(
        response.parts,
        [
            Part::Reasoning("I think.".into()),
            Part::Text("Hello".into()),
            Part::Call(ToolCall::new("a", "look", r#"{"x":1}"#)),
        ]
    );
    assert_eq!(response.finish_reason, FinishReason::ToolCalls);
    assert_eq!(response.raw_finish_reason.as_deref(), Some("STOP"));
    assert_eq!(response.model.as_deref(), Some("gemini-x"));
    assert_eq!(response.metadata["id"], "r1");
    let usage = response.usage.expect("is told");
    assert_eq!((usage.input_tokens, usage.output_tokens), (3, 13));
    assert_eq!(usage.cached_input_tokens, Some(2));
    assert_eq!(usage.reasoning_tokens, Some(9));
    assert_eq!(usage.raw["totalTokenCount"], 16);
}

#[test]
fn every_part_goes_back_as_it_came() {
    check_back(&json!([{"text": "Hello", "thoughtSignature": "s"}]));
    check_back(&json!([{"text": "A"}, {"text": "B", "thoughtSignature": "s"}, {"text": "C"}]));
    check_back(&json!([{"text": "A"}, {"text": "", "thoughtSignature": "s"}]));
    check_back(&json!([{"text": "", "thought": true, "thoughtSignature": "s"}]));
    check_back(&json!([{"text": "A", "thought": true, "thoughtSignature": "s"}, {"text": "B"}]));
    check_back(&json!([
        {"functionCall": {"id": "a", "name": "look", "args": {"x": 1}}, "thoughtSignature": "s"},
        {"functionCall": {"name": "look", "args": {}}},
        {"text": "And"},
        {"functionCall": {"name": "look", "args": {}, "new": [1]}, "partMetadata": {"a": 1}},
    ]));
    check_back(&json!([
        {"toolCall": {"id": "t", "toolType": "GOOGLE_SEARCH_WEB"}, "thoughtSignature": "1"},
        {"toolResponse": {"id": "t"}, "thoughtSignature": "2"},
        {"executableCode": {"code": "1", "language": "PYTHON"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK"}, "thought": true},
        {"inlineData": {"mimeType": "image/png", "data": "iVBORw=="}},
        {"new": 1},
    ]));
}

#[test]
fn signed_words_are_kept_apart_from_those_before() {
    let response = decoded(&json!([
        {"text": "a", "thought": true},
        {"text": "b", "thought": true, "thoughtSignature": "s"},
        {"text": "c", "thought": true},
        {"text": "d"},
        {"text": "e"},
    ]));
    let words: Vec<_> = response
        .parts
        .iter()
        .filter(|part| !matches!(part, Part::Opaque(_)))
        .cloned()
        .collect();
    let reasoning = |text: &str| Part::Reasoning(text.into());
    assert_eq!(
        words,
        [
            reasoning("a"),
            reasoning("b"),
            reasoning("c"),
            Part::Text("de".into())
        ]
    );
}

#[test]
fn arguments_are_the_text_that_came() {
    let body = r#"{"candidates": [{"finishReason": "STOP", "content": {"parts": [
        {"functionCall": {"name": "a", "args": {"z": 1.50,  "é": "\u00e9"}}},
        {"function_call": {"name": "b"}},
        {"functionCall": {"name": "c", "args": null}}]}}]}"#;
    let response = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), body.as_bytes())
        .expect("is a response");
    assert_eq!(
        response.tool_calls,
        [
            ToolCall::new("", "a", "{\"z\": 1.50,  \"é\": \"\\u00e9\"}"),
            ToolCall::new("", "b", ""),
            ToolCall::new("", "c", ""),
        ]
    );
}

#[test]
fn words_for_the_end_have_their_meaning() {
    use FinishReason::{ContentFilter, Length, MalformedCall, Other, Stop};
    for (raw, reason) in [
        ("STOP", Stop),
        ("MAX_TOKENS", Length),
        ("SAFETY", ContentFilter),
        ("RECITATION", ContentFilter),
        ("PROHIBITED_CONTENT", ContentFilter),
        ("MODEL_ARMOR", ContentFilter),
        ("MALFORMED_FUNCTION_CALL", MalformedCall),
        ("LANGUAGE", ContentFilter),
        ("SOMETHING_NEW", Other),
    ] {
        let body = json!({"candidates": [{"content": {}, "finishReason": raw,
            "finishMessage": "so it is", "safetyRatings": [{"blocked": true}]}]});
        let response = GeminiCodec::new()
            .decode(&ToolDefinitions::default(), body.to_string().as_bytes())
            .expect("is a response");
        assert_eq!(response.finish_reason, reason, "{raw}");
        assert_eq!(response.raw_finish_reason.as_deref(), Some(raw));
        assert_eq!(response.metadata["finishMessage"], "so it is");
        assert_eq!(response.metadata["safetyRatings"][0]["blocked"], true);
    }
}

#[test]
fn calls_of_a_reply_that_went_wrong_do_not_run() {
    let parts = json!([{"functionCall": {"name": "look", "args": {}}}]);
    for reason in ["MAX_TOKENS", "SAFETY", "UNEXPECTED_TOOL_CALL"] {
        let error = GeminiCodec::new()
            .calls(&Toolset::new(), &reply(&parts, reason))
            .expect_err("must not run");
        assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
        assert!(error.message.contains(reason), "{}", error.message);
        assert_eq!(error.partial.expect("is kept").tool_calls.len(), 1);
    }
    let found = GeminiCodec::new()
        .calls(&Toolset::new(), &reply(&parts, "STOP"))
        .expect("may run");
    assert_eq!(found, [ToolCall::new("", "look", "{}")]);
    let tools = Toolset::new();
    assert_eq!(
        GeminiCodec::new()
            .calls(&tools, &reply(&parts, "STOP"))
            .expect("may run"),
        found
    );
}

#[test]
fn a_request_that_is_blocked_has_an_empty_reply() {
    let body = json!({"promptFeedback": {"blockReason": "SAFETY", "blockReasonMessage": "No."},
        "usageMetadata": {"promptTokenCount": 5}, "modelVersion": "m"});
    let response = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), body.to_string().as_bytes())
        .expect("is a response");
    assert_eq!(response.finish_reason, FinishReason::ContentFilter);
    assert_eq!(response.raw_finish_reason, None);
    assert_eq!(response.parts, []);
    assert_eq!(response.metadata["promptFeedback"]["blockReason"], "SAFETY");
    let warnings: Vec<_> = response.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        ["prompt_blocked: the request was blocked with `SAFETY`: No."]
    );
    // Ratings alone block nothing.
    let mut rated = reply(&json!([{"text": "Hi"}]), "STOP");
    rated["promptFeedback"] = json!({"safetyRatings": [{"category": "A"}]});
    let response = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), rated.to_string().as_bytes())
        .expect("is a response");
    assert_eq!(response.finish_reason, FinishReason::Stop);
    assert_eq!(response.warnings, []);
}

#[test]
fn what_cannot_be_read_is_counted() {
    let deep = "[".repeat(200) + &"]".repeat(200);
    let body = format!(
        r#"{{"candidates": [{{"finishReason": "STOP", "content": {{"parts": [
        {{"text": "A"}}, {{"functionCall": 5}}, {{"new": {deep}}}, {{"text": "B", "new": {deep}}}]}}}},
        {{"index": 1, "content": {{"parts": [{{"text": "not this"}}]}}}}]}}"#
    );
    let response = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), body.as_bytes())
        .expect("is a response");
    assert_eq!(response.text, "AB");
    let codes: Vec<_> = response.warnings.iter().map(|one| &*one.code).collect();
    assert_eq!(codes, ["parts_left_out", "other_choices"]);
    assert!(
        response.warnings[0].message.starts_with("3 parts"),
        "{:?}",
        response.warnings
    );
}

#[test]
fn a_list_of_events_is_a_reply() {
    let events = json!([
        {"candidates": [{"content": {"parts": [{"text": "Hel"}]}}]},
        reply(&json!([{"text": "lo"}]), "STOP"),
    ]);
    let response = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), events.to_string().as_bytes())
        .expect("is a response");
    assert_eq!(response.text, "Hello");
    assert_eq!(response.finish_reason, FinishReason::Stop);
}

#[test]
fn grounding_is_a_fact() {
    let mut body = reply(&json!([{"text": "It rains."}]), "STOP");
    body["candidates"][0]["groundingMetadata"] = json!({"webSearchQueries": ["weather"]});
    body["candidates"][0]["citationMetadata"] = json!({"citationSources": [{"uri": "u"}]});
    let response = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), body.to_string().as_bytes())
        .expect("is a response");
    assert_eq!(
        response.metadata["groundingMetadata"],
        json!({"webSearchQueries": ["weather"]})
    );
    assert_eq!(
        response.metadata["citationMetadata"]["citationSources"][0]["uri"],
        "u"
    );
}

#[test]
fn what_is_no_reply_is_an_error() {
    use ModelErrorKind::{MalformedResponse, Overloaded};
    check_error("", MalformedResponse, "empty");
    check_error("{}", MalformedResponse, "holds no completion");
    check_error("[]", MalformedResponse, "holds no completion");
    check_error(
        r#"{"candidates": []}"#,
        MalformedResponse,
        "holds no completion",
    );
    check_error(
        r#"{"candidates": [{}]}"#,
        MalformedResponse,
        "holds no completion",
    );
    check_error("<html>", MalformedResponse, "HTML");
    check_error(r#"{"candidates": 5}"#, MalformedResponse, "cannot be read");
    check_error(
        r#"{"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}"#,
        Overloaded,
        "busy",
    );
}

#[test]
fn an_error_says_how_long_to_wait() {
    let body = json!({"error": {"code": 429, "message": "Slow down.", "status": "RESOURCE_EXHAUSTED",
        "details": [{"@type": "a"}, {"@type": "b", "retryDelay": "34.4s"}]}});
    let error =
        GeminiCodec::new().decode_error(&ErrorResponse::new(429, body.to_string().as_bytes()));
    assert_eq!(error.kind, ModelErrorKind::RateLimit);
    assert_eq!(error.retry_after.map(|wait| wait.as_millis()), Some(34_400));
    assert_eq!(error.error_type.as_deref(), Some("RESOURCE_EXHAUSTED"));
}

#[test]
fn names_may_have_the_other_form() {
    let reply = json!({"candidates": [{"content": {"parts": [
            {"text": "Hm.", "thought": true},
            {"function_call": {"name": "look", "args": {}}, "thought_signature": "c2ln"}]},
        "finish_reason": "STOP", "index": "0"}],
        "usage_metadata": {"prompt_token_count": 3, "candidates_token_count": 4,
            "thoughts_token_count": 9, "cached_content_token_count": 2}});
    let reply = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response");
    let usage = reply.usage.clone().expect("is told");
    assert_eq!((usage.input_tokens, usage.output_tokens), (3, 13));
    assert_eq!(
        (usage.cached_input_tokens, usage.reasoning_tokens),
        (Some(2), Some(9))
    );
    let mut conversation = Conversation::new();
    conversation.push_user("Hi");
    conversation.push_response(reply);
    conversation
        .push_results([ToolResult::success("", ())])
        .expect("it is theirs");
    let body: Value = serde_json::from_slice(
        &GeminiCodec::new().body(EncodeInput::new("gemini-3-pro", &conversation.request())),
    )
    .expect("is JSON");
    let signed = json!({"functionCall": {"name": "look", "args": {}}, "thoughtSignature": "c2ln"});
    assert_eq!(body["contents"][1]["parts"], json!([signed]));
}

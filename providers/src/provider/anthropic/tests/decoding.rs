use serde_json::{Value, json};
use toolwright_core::{
    FinishReason, Message, ModelRequest, ModelResponse, Part, Schema, Strict, ToolCall,
    ToolDefinition, ToolResult, ToolRound, Toolset,
    message::AssistantMessage,
    model::ModelErrorKind,
    tool::{Call, Tool, ToolContext, ToolDefinitions, ToolOutput},
};

use super::super::AnthropicCodec;
use crate::provider::{Codec, EncodeInput};

fn reply(content: &Value, stop_reason: &str) -> Value {
    json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": stop_reason, "stop_sequence": null,
        "usage": {"input_tokens": 3, "output_tokens": 4}})
}

fn decoded(content: &Value) -> ModelResponse {
    AnthropicCodec::new()
        .decode(
            &ToolDefinitions::default(),
            reply(content, "end_turn").to_string().as_bytes(),
        )
        .expect("is a response")
}

fn check_error(body: &str, kind: ModelErrorKind, message: &str) {
    let error = AnthropicCodec::new()
        .decode(&ToolDefinitions::default(), body.as_bytes())
        .expect_err("is no response");
    assert_eq!(error.kind, kind, "{body}");
    assert!(error.message.contains(message), "{:?}", error.message);
}

/// Checks that a reply with calls goes back as the content it came as.
fn check_back(content: &Value) {
    let response = decoded(content);
    let results = response.tool_calls.iter();
    let round = ToolRound {
        results: results
            .map(|call| ToolResult::success(&call.id, ()))
            .collect(),
        reply: response.parts,
    };
    let request = ModelRequest::new([
        Message::user("Hi"),
        Message::Assistant(AssistantMessage {
            tool_rounds: [round].into(),
            parts: [].into(),
        }),
    ]);
    let body: Value =
        serde_json::from_slice(&AnthropicCodec::new().body(EncodeInput::new("m", &request)))
            .expect("is JSON");
    assert_eq!(&body["messages"][1]["content"], content);
}

#[test]
fn blocks_are_parts_in_their_order() {
    let response = decoded(&json!([
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "a", "name": "look", "input": {"x": 1}},
        {"type": "tool_use", "id": "b", "name": "look", "input": {}},
    ]));
    assert_eq!(response.text, "Let me look.");
    assert_eq!(
        response.tool_calls,
        [
            ToolCall::new("a", "look", r#"{"x":1}"#),
            ToolCall::new("b", "look", "{}"),
        ]
    );
    assert_eq!(response.parts[0], Part::Reasoning("Hm.".into()));
    assert_eq!(response.parts.len(), 5);
    assert_eq!(response.usage.expect("was told").output_tokens, 4);
    assert_eq!(response.metadata["id"], "msg_1");
}

#[test]
fn what_came_goes_back_as_it_came() {
    let call = json!({"type": "tool_use", "id": "a", "name": "look", "input": {"x": 1}});
    check_back(&json!([
        {"type": "thinking", "thinking": "Hm.", "signature": "s"},
        {"type": "redacted_thinking", "data": "r"},
        {"type": "thinking", "thinking": "", "signature": "t"},
        {"type": "text", "text": "a"},
        {"type": "text", "text": "b", "citations": [{"cited_text": "c"}]},
        {"type": "text", "text": "d"},
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "srv_1",
            "content": [{"encrypted_content": "e"}]},
        {"type": "something_new", "value": [1, null]},
        call,
    ]));
    // A call that a program of the model made.
    let mut by_program = call.clone();
    by_program["id"] = "b".into();
    by_program["caller"] = json!({"type": "code_execution_20250825", "tool_id": "srv_1"});
    check_back(&json!([by_program, call]));
    // Reasoning of a server that signs nothing.
    check_back(&json!([{"type": "thinking", "thinking": "Hm."}, call]));
}

#[test]
fn that_the_model_itself_called_is_not_kept() {
    let call = json!({"type": "tool_use", "id": "a", "name": "look", "input": {},
        "caller": {"type": "direct"}});
    assert_eq!(decoded(&json!([call])).parts.len(), 1);
}

#[test]
fn words_for_the_end_have_their_meaning() {
    let check = |raw: &str, reason| {
        let body = reply(&json!([{"type": "text", "text": "a"}]), raw).to_string();
        let response = AnthropicCodec::new()
            .decode(&ToolDefinitions::default(), body.as_bytes())
            .expect("is a response");
        assert_eq!(response.finish_reason, reason, "{raw}");
        assert_eq!(response.raw_finish_reason.as_deref(), Some(raw));
    };
    check("end_turn", FinishReason::Stop);
    check("stop_sequence", FinishReason::Stop);
    check("tool_use", FinishReason::ToolCalls);
    check("max_tokens", FinishReason::Length);
    check("model_context_window_exceeded", FinishReason::Length);
    check("pause_turn", FinishReason::Paused);
    check("refusal", FinishReason::Refusal);
    check("new", FinishReason::Other);
}

#[test]
fn facts_are_kept() {
    let mut body = reply(&json!([]), "refusal");
    body["stop_details"] = json!({"category": "cyber"});
    body["container"] = json!({"id": "c"});
    let response = AnthropicCodec::new()
        .decode(&ToolDefinitions::default(), body.to_string().as_bytes())
        .expect("is a response");
    assert_eq!(response.finish_reason, FinishReason::Refusal);
    assert_eq!(
        response.metadata["stop_details"],
        json!({"category": "cyber"})
    );
    assert_eq!(response.metadata["container"], json!({"id": "c"}));
}

#[test]
fn tokens_that_were_kept_and_thought_are_counted() {
    let mut body = reply(&json!([]), "end_turn");
    body["usage"] = json!({"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 5,
        "output_tokens_details": {"thinking_tokens": 1}});
    let usage = AnthropicCodec::new()
        .decode(&ToolDefinitions::default(), body.to_string().as_bytes())
        .expect("is a response")
        .usage
        .expect("was told");
    assert_eq!(
        (usage.input_tokens, usage.output_tokens),
        (6, 2),
        "with what was kept"
    );
    assert_eq!(
        (usage.cached_input_tokens, usage.reasoning_tokens),
        (Some(5), Some(1))
    );
    assert_eq!(usage.raw, body["usage"]);
    body["usage"] = json!({"input_tokens": 1, "output_tokens": 2, "cache_creation_input_tokens": 40,
        "cache_read_input_tokens": 0});
    let response = AnthropicCodec::new()
        .decode(&ToolDefinitions::default(), body.to_string().as_bytes())
        .expect("is a response");
    assert_eq!(response.usage.expect("was told").input_tokens, 41);
}

#[test]
fn what_is_no_reply_says_so() {
    use ModelErrorKind::{MalformedResponse, Overloaded, RateLimit};
    check_error("", MalformedResponse, "empty");
    check_error("{\"content\": [{\"ty", MalformedResponse, "cut off");
    check_error(
        "<html><body>Sign in</body></html>",
        MalformedResponse,
        "HTML",
    );
    check_error("[]", MalformedResponse, "cannot be read");
    check_error("{}", MalformedResponse, "no completion");
    check_error("{\"content\": null}", MalformedResponse, "no completion");
    let error = |error_type: &str| {
        json!({"type": "error", "error": {"type": error_type, "message": "no"}}).to_string()
    };
    check_error(&error("overloaded_error"), Overloaded, "no");
    check_error(&error("rate_limit_error"), RateLimit, "no");
}

#[test]
fn a_block_that_cannot_be_read_is_counted() {
    let response = decoded(&json!([7, {"type": "text", "text": "a"}]));
    assert_eq!(response.text, "a");
    assert_eq!(response.warnings[0].code, "blocks_left_out");
}

#[test]
fn calls_of_a_reply_that_was_cut_are_not_handed_out() {
    let content = json!([{"type": "tool_use", "id": "a", "name": "look", "input": {}}]);
    let error = AnthropicCodec::new()
        .calls(&Toolset::new(), &reply(&content, "max_tokens"))
        .expect_err("was cut");
    assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
    let whole = AnthropicCodec::new()
        .calls(&Toolset::new(), &reply(&content, "tool_use"))
        .expect("is whole");
    assert_eq!(whole, [ToolCall::new("a", "look", "{}")]);
}

/// A tool that takes a map, which strict rules take as pairs.
struct Tally(ToolDefinition);

impl Tool for Tally {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, _: &'a ToolCall, _: &'a ToolContext) -> Call<'a> {
        Call::ready(Ok(ToolOutput::default()))
    }
}

#[test]
fn what_strict_changed_is_undone() {
    let schema = r#"{"type":"object","properties":{"counts":{"type":"object",
        "additionalProperties":{"type":"integer"}}},"required":["counts"],
        "additionalProperties":false}"#;
    let schema = Schema::from_text(schema).expect("is JSON");
    let tally = ToolDefinition::new("tally", "Counts.", schema).with_strict(Strict::Anthropic);
    let offered = Toolset::new().with(Tally(tally)).expect("one tool");
    let sent = AnthropicCodec::new().tools(&offered).to_value();
    assert_eq!(sent[0]["strict"], true);
    assert_eq!(
        sent[0]["input_schema"]["properties"]["counts"]["type"],
        "array"
    );
    let input = json!({"counts": [{"key": "a", "value": 1}]});
    let content = json!([{"type": "tool_use", "id": "a", "name": "tally", "input": input}]);
    let calls = AnthropicCodec::new()
        .calls(&offered, &reply(&content, "tool_use"))
        .expect("is whole");
    assert_eq!(calls[0].arguments, r#"{"counts":{"a":1}}"#);
}

#[test]
fn more_strict_tools_than_a_request_has_room_for_are_sent_without() {
    let schema = r#"{"type":"object","properties":{},"required":[],"additionalProperties":false}"#;
    let tool = |number: usize| {
        let schema = Schema::from_text(schema).expect("is JSON");
        ToolDefinition::new(format!("tool_{number}"), "Does.", schema)
            .with_strict(Strict::Anthropic)
    };
    let request = ModelRequest::new([Message::user("Hi")]).with_tools((0..21).map(tool));
    let body: Value =
        serde_json::from_slice(&AnthropicCodec::new().body(EncodeInput::new("m", &request)))
            .expect("is JSON");
    let strict = |number: usize| body["tools"][number]["strict"].as_bool();
    assert_eq!((strict(19), strict(20)), (Some(true), None));
    let content = reply(&json!([]), "end_turn").to_string();
    let response = AnthropicCodec::new()
        .decode(&request.tools, content.as_bytes())
        .expect("is a response");
    assert_eq!(response.warnings[0].code, "not_strict");
    assert!(response.warnings[0].message.contains("tool_20"));
}

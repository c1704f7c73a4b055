use serde_json::{Value, json};
use toolwright_core::{
    FinishReason, Message, ModelRequest, ModelResponse, Part, ToolCall, ToolResult, ToolRound,
    Toolset, message::AssistantMessage, model::ModelErrorKind, tool::ToolDefinitions,
};

use super::super::OpenAiChatCodec;
use crate::provider::{Codec, EncodeInput};

fn reply(message: &Value, finish_reason: &Value) -> Value {
    json!({"id": "r", "model": "m", "choices":
        [{"index": 0, "message": message, "finish_reason": finish_reason}]})
}

fn decoded(message: &Value) -> ModelResponse {
    OpenAiChatCodec::new()
        .decode(
            &ToolDefinitions::default(),
            reply(message, &json!("stop")).to_string().as_bytes(),
        )
        .expect("is a response")
}

fn check_error(body: &str, kind: ModelErrorKind, message: &str) {
    let error = OpenAiChatCodec::new()
        .decode(&ToolDefinitions::default(), body.as_bytes())
        .expect_err("is no response");
    assert_eq!(error.kind, kind, "{body}");
    assert!(error.message.contains(message), "{:?}", error.message);
}

#[test]
fn content_is_text_parts_an_object_or_nothing() {
    let check = |content: Value, text: &str| {
        assert_eq!(decoded(&json!({"content": content})).text, text);
    };
    check(json!("a"), "a");
    check(json!(""), "");
    check(json!(null), "");
    check(
        json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]),
        "ab",
    );
    check(json!({"a": 1}), "{\"a\":1}");
    check(json!([]), "");
}

#[test]
fn placeholders_are_not_calls() {
    let message = json!({"content": "a", "refusal": "", "tool_calls": null, "id": "",
        "function_call": {"name": "", "arguments": ""}});
    let response = decoded(&message);
    assert_eq!((response.tool_calls.len(), response.refusal), (0, None));
    assert!(
        decoded(&json!({"content": "a", "tool_calls": []}))
            .tool_calls
            .is_empty()
    );
}

#[test]
fn arguments_may_be_an_object_and_parts_of_a_call_may_be_missing() {
    let message = json!({"tool_calls": [
        {"id": "a", "function": {"name": "look", "arguments": {"x": 1}}},
        {"function": {"name": "look", "arguments": null}},
        {"id": "a", "function": {"arguments": "{}"}},
        {},
    ]});
    assert_eq!(
        decoded(&message).tool_calls,
        [
            ToolCall::new("a", "look", "{\"x\":1}"),
            ToolCall::new("", "look", ""),
            ToolCall::new("a", "", "{}"),
            ToolCall::new("", "", ""),
        ]
    );
}

#[test]
fn words_for_the_end_have_their_meaning() {
    let check = |raw: Value, reason| {
        let body = reply(&json!({"content": "a"}), &raw).to_string();
        let response = OpenAiChatCodec::new()
            .decode(&ToolDefinitions::default(), body.as_bytes())
            .expect("is a response");
        assert_eq!(response.finish_reason, reason, "{raw}");
        let told = raw.as_str().filter(|raw| !raw.is_empty());
        assert_eq!(response.raw_finish_reason.as_deref(), told);
    };
    check(json!("stop"), FinishReason::Stop);
    check(json!("tool_calls"), FinishReason::ToolCalls);
    check(json!("length"), FinishReason::Length);
    check(json!("content_filter"), FinishReason::ContentFilter);
    check(json!("new"), FinishReason::Other);
    check(json!(""), FinishReason::Other);
    check(json!(null), FinishReason::Other);
}

#[test]
fn fields_without_a_name_here_are_kept() {
    let body = json!({"provider": "p", "cost": 1, "x": null, "choices": [
        {"message": {"content": "a", "annotations": [{"url": "u"}]}, "native_finish_reason": "n"}]});
    let response = OpenAiChatCodec::new()
        .decode(&ToolDefinitions::default(), body.to_string().as_bytes())
        .expect("is a response");
    assert_eq!(
        Value::Object(response.metadata),
        json!({"provider": "p", "cost": 1, "annotations": [{"url": "u"}], "native_finish_reason": "n"})
    );
}

#[test]
fn what_came_goes_back_as_it_came() {
    let details = json!([{"type": "reasoning.text", "text": "I see", "signature": "s"}]);
    let message = json!({
        "role": "assistant",
        "content": [{"type": "text", "text": "a"}, {"type": "reference", "ids": [1]}],
        "reasoning": "I see",
        "reasoning_details": details,
        "extra_content": {"google": {"thought_signature": "t"}},
        "tool_calls": [{"id": "c", "type": "function", "extra_content": {"s": 2},
            "function": {"name": "look", "arguments": "{ }"}}],
    });
    let response = decoded(&message);
    let round = ToolRound {
        reply: response.parts,
        results: [ToolResult::success("c", ())].into(),
    };
    let request = ModelRequest::new([Message::Assistant(AssistantMessage {
        tool_rounds: [round].into(),
        parts: [].into(),
    })]);
    let body: Value =
        serde_json::from_slice(&OpenAiChatCodec::new().body(EncodeInput::new("m", &request)))
            .expect("is JSON");
    let mut expected = message;
    // The details hold the same words.
    expected
        .as_object_mut()
        .expect("is one")
        .remove("reasoning");
    assert_eq!(body["messages"][0], expected);
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    let mut body = reply(&json!({"content": "a#b"}), &json!("stop"))
        .to_string()
        .into_bytes();
    let at = body
        .iter()
        .position(|byte| *byte == b'#')
        .expect("is there");
    body[at] = 0xFF;
    assert_eq!(
        OpenAiChatCodec::new()
            .decode(&ToolDefinitions::default(), &body)
            .expect("is a response")
            .text,
        "a\u{FFFD}b"
    );
}

#[test]
fn what_is_no_reply_says_so() {
    use ModelErrorKind::{InvalidRequest, MalformedResponse, Overloaded, RateLimit};
    check_error("", MalformedResponse, "empty");
    check_error(" \n ", MalformedResponse, "empty");
    check_error("{\"choices\": [{\"mess", MalformedResponse, "cut off");
    check_error(
        "<html><body>Sign in</body></html>",
        MalformedResponse,
        "HTML",
    );
    check_error("hello", MalformedResponse, "cannot be read");
    check_error("[]", MalformedResponse, "cannot be read");
    check_error("{}", MalformedResponse, "no completion");
    check_error("{\"choices\": []}", MalformedResponse, "no completion");
    check_error("{\"choices\": [{}]}", MalformedResponse, "no completion");
    check_error("{\"error\": \"broken\"}", Overloaded, "broken");
    check_error(
        "{\"error\": {\"code\": 429, \"message\": \"slow\"}}",
        RateLimit,
        "slow",
    );
    check_error(
        "{\"error\": {\"code\": \"400\", \"message\": \"no\"}}",
        InvalidRequest,
        "no",
    );
    check_error("{\"error\": {}}", Overloaded, "without details");
}

#[test]
fn an_error_beside_an_answer_keeps_the_answer() {
    let mut body = reply(&json!({"content": "half"}), &json!("error"));
    body["error"] = json!({"code": 502, "message": "gone"});
    let error = OpenAiChatCodec::new()
        .decode(&ToolDefinitions::default(), body.to_string().as_bytes())
        .expect_err("is an error");
    assert_eq!(error.kind, ModelErrorKind::Overloaded);
    assert_eq!(error.partial.expect("came").text, "half");
}

#[test]
fn calls_of_a_reply_that_was_cut_are_not_handed_out() {
    let message =
        json!({"tool_calls": [{"id": "a", "function": {"name": "look", "arguments": "{"}}]});
    let error = OpenAiChatCodec::new()
        .calls(&Toolset::new(), &reply(&message, &json!("length")))
        .expect_err("was cut");
    assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
    assert_eq!(
        OpenAiChatCodec::new()
            .calls(&Toolset::new(), &reply(&message, &json!("stop")))
            .expect("is whole")
            .len(),
        1
    );
    assert_eq!(
        OpenAiChatCodec::new().calls(
            &Toolset::new(),
            &reply(&json!({"content": "a"}), &json!("length"))
        ),
        Ok(vec![])
    );
}

#[test]
fn reasoning_parts_keep_their_order() {
    let message = json!({"content": [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "a"},
    ]});
    let parts = decoded(&message).parts;
    assert_eq!(
        parts[1..],
        [Part::Reasoning("hm".into()), Part::Text("a".into())]
    );
}

#[test]
fn calls_of_custom_tools_keep_name_and_input_there_and_back() {
    let custom = json!({"id": "call_1", "type": "custom",
        "custom": {"name": "sql", "input": "SELECT 1"}});
    let function = json!({"id": "call_2", "type": "function",
        "function": {"name": "look", "arguments": "{}"}});
    let mut both = function.clone();
    both["custom"] = json!({"name": "", "input": ""});
    let mut other = custom.clone();
    other["function"] = json!({"name": "", "arguments": ""});
    let reply = decoded(&json!({"tool_calls": [custom, both, other]}));
    assert_eq!(
        reply.tool_calls,
        [
            ToolCall::new("call_1", "sql", "SELECT 1"),
            ToolCall::new("call_2", "look", "{}"),
            ToolCall::new("call_1", "sql", "SELECT 1"),
        ]
    );
    let results = reply.tool_calls.iter();
    let results = results
        .map(|call| ToolResult::success(&call.id, "done"))
        .collect();
    let round = ToolRound {
        reply: reply.parts,
        results,
    };
    let message = Message::Assistant(AssistantMessage {
        tool_rounds: vec![round].into(),
        parts: Vec::new().into(),
    });
    let body: Value = serde_json::from_slice(
        &OpenAiChatCodec::new().body(EncodeInput::new("m", &ModelRequest::new([message]))),
    )
    .expect("is JSON");
    let mut renamed = custom.clone();
    renamed["id"] = body["messages"][0]["tool_calls"][2]["id"].clone();
    assert_eq!(
        body["messages"][0]["tool_calls"],
        json!([custom, function, renamed])
    );
}

#[test]
fn a_list_of_errors_is_the_error() {
    let error = r#"[{"error": {"message": "Slow down.", "code": 429}}]"#;
    check_error(error, ModelErrorKind::RateLimit, "Slow down.");
}

#[test]
fn words_of_two_details_are_shown_apart() {
    let detail =
        |index: u32, text: &str| json!({"type": "reasoning.text", "index": index, "text": text});
    let shown = |details: Value| {
        let message = json!({"role": "assistant", "content": "a", "reasoning_details": details});
        let parts = decoded(&message).parts.into_iter();
        let words = parts.filter_map(|part| match part {
            Part::Reasoning(text) => Some(text),
            _ => None,
        });
        words.collect::<String>()
    };
    let signed = json!({"type": "reasoning.encrypted", "index": 1, "data": "e"});
    for (details, expected) in [
        (
            json!([detail(0, "First."), detail(1, "Then.")]),
            "First.\n\nThen.",
        ),
        (
            json!([detail(0, "One "), detail(0, "piece.")]),
            "One piece.",
        ),
        (
            json!([detail(0, "First."), signed, detail(2, "Then.")]),
            "First.\n\nThen.",
        ),
        // Words of a detail that begins without any.
        (
            json!([detail(0, "First."), detail(1, ""), detail(1, "Then.")]),
            "First.\n\nThen.",
        ),
        (json!([detail(0, ""), detail(1, "Alone.")]), "Alone."),
    ] {
        assert_eq!(shown(details), expected);
    }
}

use serde_json::{Value, json};
use toolwright_core::{
    FinishReason, ModelErrorKind, ModelResponse, Part, ToolCall, Toolset,
    message::{Citation, Opaque, ProviderActivity, SharedVec, Source},
    tool::ToolDefinitions,
};

use super::super::{OpenAiResponsesCodec, PROVIDER};
use crate::provider::Codec;

fn whole(output: &Value) -> Value {
    json!({"id": "resp_1", "object": "response", "model": "m-1", "status": "completed",
        "output": output, "tools": [{"type": "function"}], "temperature": 1.0,
        "service_tier": "default", "usage": {"input_tokens": 9, "output_tokens": 5,
            "input_tokens_details": {"cached_tokens": 4},
            "output_tokens_details": {"reasoning_tokens": 3}}})
}

fn read(reply: &Value) -> ModelResponse {
    OpenAiResponsesCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response")
}

fn parts(output: &Value) -> Vec<Part> {
    read(&whole(output)).parts.into_vec()
}

fn own(data: Value) -> Part {
    Part::Opaque(Opaque {
        provider: PROVIDER.to_owned(),
        data,
    })
}

fn text(text: &str) -> Value {
    json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}]})
}

fn call() -> Value {
    json!({"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "look",
        "arguments": "{\"a\": 1}", "status": "completed"})
}

#[test]
fn a_reply_has_its_parts_in_order_and_its_facts() {
    let thought = json!({"type": "reasoning", "id": "rs_1", "encrypted_content": "gAAA",
        "summary": [{"type": "summary_text", "text": "Hm. "}, {"type": "summary_text", "text": "Ah."}]});
    let reply = read(&whole(&json!([thought, text("I look."), call()])));
    assert_eq!(
        reply.parts,
        [
            Part::Reasoning("Hm. \n\nAh.".into()),
            own(thought),
            Part::Text("I look.".into()),
            Part::Call(ToolCall::new("call_1", "look", "{\"a\": 1}")),
        ]
    );
    assert_eq!(reply.finish_reason, FinishReason::ToolCalls);
    assert_eq!(reply.raw_finish_reason.as_deref(), Some("completed"));
    assert_eq!(reply.model.as_deref(), Some("m-1"));
    let usage = reply.usage.expect("is told");
    assert_eq!((usage.input_tokens, usage.output_tokens), (9, 5));
    assert_eq!(usage.cached_input_tokens, Some(4));
    assert_eq!(usage.reasoning_tokens, Some(3));
    // What the request said is not said again.
    let facts = json!({"id": "resp_1", "service_tier": "default"});
    assert_eq!(Value::Object(reply.metadata), facts);
}

#[test]
fn what_messages_say_beside_their_text_is_kept() {
    let phased = |phase: &str, words: &str| {
        let mut item = text(words);
        item["phase"] = phase.into();
        item
    };
    let both = json!([
        phased("commentary", "I look."),
        phased("final_answer", "A cat.")
    ]);
    assert_eq!(
        parts(&both),
        [
            // It is no part of the answer, and goes back whole.
            Part::Reasoning("I look.".into()),
            own(phased("commentary", "I look.")),
            Part::Text("A cat.".into()),
            own(json!({"type": "message", "phase": "final_answer"})),
        ]
    );
    // Two messages in a row do not become one.
    assert_eq!(
        parts(&json!([text("A"), text("B")])),
        [
            Part::Text("A".into()),
            own(json!({"type": "message"})),
            Part::Text("B".into()),
        ]
    );
    let mut cited = text("A cat.");
    cited["content"][0]["annotations"] = json!([{"type": "url_citation", "url": "https://a"}]);
    assert_eq!(
        parts(&json!([cited])),
        [
            Part::Text("A cat.".into()),
            own(cited),
            Part::Activity(Box::new(ProviderActivity::Citation(Citation::new(
                Source::new("https://a")
            ))))
        ]
    );
    // Some servers send the text alone.
    let mut bare = text("");
    bare["content"] = "A cat.".into();
    assert_eq!(parts(&json!([bare])), [Part::Text("A cat.".into())]);
}

#[test]
fn a_refusal_is_told_apart_from_the_text() {
    let mut item = text("");
    item["content"] = json!([{"type": "refusal", "refusal": "I will not."}]);
    let reply = read(&whole(&json!([item])));
    assert_eq!(reply.refusal.as_deref(), Some("I will not."));
    assert_eq!(reply.finish_reason, FinishReason::Refusal);
    assert_eq!((&*reply.text, reply.parts), ("", SharedVec::new()));
}

#[test]
fn what_calls_say_beside_their_arguments_is_kept() {
    let caller = json!({"type": "program", "caller_id": "call_0"});
    let mut with = call();
    with["caller"] = caller.clone();
    with["namespace"] = "crm".into();
    let plain = Part::Call(ToolCall::new("call_1", "look", "{\"a\": 1}"));
    let beside =
        json!({"type": "function_call", "call_id": "call_1", "caller": caller, "namespace": "crm"});
    assert_eq!(parts(&json!([with])), [plain.clone(), own(beside)]);
    let mut direct = call();
    direct["caller"] = json!({"type": "direct"});
    assert_eq!(parts(&json!([direct])), [plain]);
}

#[test]
fn custom_calls_are_calls_unless_the_server_ran_them() {
    let item = |id: &str| json!({"type": "custom_tool_call", "id": "ct_1", "call_id": id, "name": "sql", "input": "SELECT 1"});
    assert_eq!(
        parts(&json!([item("call_1")])),
        [
            Part::Call(ToolCall::new("call_1", "sql", "SELECT 1")),
            own(json!({"type": "custom_tool_call", "call_id": "call_1"})),
        ]
    );
    let ran = item("xs_call_1");
    assert_eq!(parts(&json!([ran])), [own(ran)]);
}

#[test]
fn items_of_other_types_are_kept_as_they_came() {
    let new = json!({"type": "brand_new", "id": "bn_1", "content": "a text", "call_id": 7});
    assert_eq!(parts(&json!([new])), [own(new)]);
    let reply = read(&whole(&json!(["no item", text("A")])));
    assert_eq!(reply.text, "A");
    assert_eq!(reply.warnings[0].code, "items_left_out");
}

#[test]
fn the_end_is_told_and_forbids_calls_that_were_cut() {
    let check = |status: &str, why: Value, reason: FinishReason| {
        let mut reply = whole(&json!([call()]));
        reply["status"] = status.into();
        reply["incomplete_details"] = why;
        let decoded = read(&reply);
        assert_eq!(decoded.finish_reason, reason);
        assert_eq!(decoded.raw_finish_reason.as_deref(), Some(status));
        assert_eq!(
            OpenAiResponsesCodec::new()
                .calls(&Toolset::new(), &reply)
                .is_ok(),
            !reason.forbids_execution()
        );
    };
    check("completed", Value::Null, FinishReason::ToolCalls);
    let why = |reason: &str| json!({"reason": reason});
    check("incomplete", why("max_output_tokens"), FinishReason::Length);
    check(
        "incomplete",
        why("content_filter"),
        FinishReason::ContentFilter,
    );
    check("incomplete", Value::Null, FinishReason::Length);
    let mut reply = whole(&json!([text("A")]));
    assert_eq!(read(&reply).finish_reason, FinishReason::Stop);
    // It is made in the background, and there is no answer yet.
    for status in ["queued", "in_progress"] {
        reply["status"] = status.into();
        assert_eq!(read(&reply).finish_reason, FinishReason::Pending);
    }
}

#[test]
fn what_is_no_reply_is_an_error() {
    let check = |body: &str, kind: ModelErrorKind| {
        let error = OpenAiResponsesCodec::new()
            .decode(&ToolDefinitions::default(), body.as_bytes())
            .expect_err("is none");
        assert_eq!(error.kind, kind, "{body}: {error}");
        error
    };
    check("", ModelErrorKind::MalformedResponse);
    check("<html>", ModelErrorKind::MalformedResponse);
    check("{}", ModelErrorKind::MalformedResponse);
    let error = check(
        r#"{"error": {"message": "Slow down.", "code": "rate_limit_exceeded"}}"#,
        ModelErrorKind::RateLimit,
    );
    assert!(error.retryable);
}

#[test]
fn a_failed_reply_says_why_and_whether_to_try_again() {
    let check = |error: Value, kind: ModelErrorKind, retryable: bool| {
        let mut reply = whole(&json!([text("half")]));
        reply["status"] = "failed".into();
        reply["error"] = error;
        let error = OpenAiResponsesCodec::new()
            .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
            .expect_err("it failed");
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{error}");
        assert_eq!(error.partial.expect("some came").text, "half");
    };
    let of = |code: &str| json!({"code": code, "message": "It is so."});
    check(of("server_error"), ModelErrorKind::Overloaded, true);
    check(of("rate_limit_exceeded"), ModelErrorKind::RateLimit, true);
    check(of("invalid_prompt"), ModelErrorKind::InvalidRequest, false);
    check(of("image_too_large"), ModelErrorKind::InvalidRequest, false);
    check(
        of("image_content_policy_violation"),
        ModelErrorKind::ContentFilter,
        false,
    );
    check(Value::Null, ModelErrorKind::Overloaded, true);
}

#[test]
fn items_that_the_program_has_to_act_on_are_told() {
    let of =
        |kind: &str| json!({"type": kind, "id": "i_1", "call_id": "c_1", "status": "completed"});
    for kind in [
        "shell_call",
        "local_shell_call",
        "apply_patch_call",
        "computer_call",
        "mcp_approval_request",
    ] {
        let reply = read(&whole(&json!([of(kind)])));
        assert_eq!(reply.finish_reason, FinishReason::ActionRequired, "{kind}");
        assert_eq!(reply.parts, [own(of(kind))]);
    }
    // The server has done these itself.
    for kind in ["shell_call", "computer_call"] {
        let done = json!([of(kind), of(&format!("{kind}_output"))]);
        assert_eq!(
            read(&whole(&done)).finish_reason,
            FinishReason::Stop,
            "{kind}"
        );
    }
    let reply = read(&whole(&json!([of("web_search_call")])));
    assert_eq!(reply.finish_reason, FinishReason::Stop);
}

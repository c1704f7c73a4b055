use serde_json::{Value, json};
use toolwright_core::{
    FinishReason, ModelError, ModelResponse, Part, ToolCall,
    model::{ModelErrorKind, ModelEvent},
    tool::ToolDefinitions,
};

use super::super::OpenAiResponsesCodec;
use crate::provider::{Codec, DecodeStream};

fn stream(events: &[Value]) -> String {
    let events = events.iter().map(|event| {
        let name = event["type"].as_str().expect("has one");
        format!("event: {name}\ndata: {event}\n\n")
    });
    events.collect()
}

fn decode(events: &[Value]) -> (ModelResponse, Result<(), ModelError>) {
    let mut all = Vec::new();
    let mut decoder = OpenAiResponsesCodec::new().stream_decoder(&ToolDefinitions::default());
    let result = decoder
        .feed(stream(events).as_bytes(), &mut all)
        .and_then(|()| decoder.finish(&mut all));
    (all.into_iter().collect(), result)
}

fn whole(events: &[Value]) -> ModelResponse {
    let (reply, result) = decode(events);
    result.expect("is whole");
    reply
}

fn added(index: u64, item: &Value) -> Value {
    json!({"type": "response.output_item.added", "output_index": index, "item": item})
}

fn done(index: u64, item: &Value) -> Value {
    json!({"type": "response.output_item.done", "output_index": index, "item": item})
}

fn delta(kind: &str, index: u64, delta: &str) -> Value {
    json!({"type": format!("response.{kind}.delta"), "output_index": index, "item_id": "i",
        "delta": delta})
}

fn completed(output: &Value) -> Value {
    json!({"type": "response.completed", "response": {"status": "completed", "output": output}})
}

fn call(arguments: &str) -> Value {
    json!({"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "look",
        "arguments": arguments})
}

fn thought(content: &str) -> Value {
    json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": content})
}

fn text(text: &str) -> Value {
    json!({"type": "message", "id": "msg_1", "role": "assistant",
        "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn opaque(reply: &ModelResponse) -> Vec<&Value> {
    let opaque = reply.parts.iter().filter_map(|part| match part {
        Part::Opaque(opaque) => Some(&opaque.data),
        _ => None,
    });
    opaque.collect()
}

#[test]
fn the_end_tells_items_that_did_not_come_before() {
    let reply = whole(&[
        added(0, &text("")),
        delta("output_text", 0, "Look:"),
        done(0, &text("Look:")),
        completed(&json!([text("Look:"), call("{}")])),
    ]);
    assert_eq!(reply.text, "Look:");
    assert_eq!(reply.tool_calls, [ToolCall::new("call_1", "look", "{}")]);
    assert_eq!(reply.finish_reason, FinishReason::ToolCalls);
}

#[test]
fn items_come_in_pieces() {
    let reply = whole(&[
        json!({"type": "response.created", "response": {"id": "resp_1", "model": "m-1",
            "status": "in_progress", "output": []}}),
        added(0, &thought("first")),
        delta("reasoning_summary_text", 0, "Hm"),
        delta("reasoning_summary_text", 0, "."),
        done(0, &thought("last")),
        added(1, &text("")),
        delta("output_text", 1, "I "),
        delta("output_text", 1, "look."),
        done(1, &text("I look.")),
        added(2, &call("")),
        delta("function_call_arguments", 2, "{\"a\""),
        delta("function_call_arguments", 2, ": 1}"),
        json!({"type": "response.function_call_arguments.done", "output_index": 2,
            "arguments": "{\"a\": 1}"}),
        done(2, &call("{\"a\": 1}")),
        completed(&json!([])),
    ]);
    assert_eq!(
        reply.tool_calls,
        [ToolCall::new("call_1", "look", "{\"a\": 1}")]
    );
    assert_eq!(reply.text, "I look.");
    assert_eq!(reply.parts[0], Part::Reasoning("Hm.".into()));
    assert_eq!(opaque(&reply), [&thought("last")]);
    assert_eq!(reply.finish_reason, FinishReason::ToolCalls);
    assert_eq!(reply.model.as_deref(), Some("m-1"));
    assert_eq!(reply.metadata["id"], "resp_1");
    assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
}

#[test]
fn what_comes_without_pieces_is_told_when_it_is_whole() {
    let arguments = json!({"type": "response.function_call_arguments.done", "output_index": 1,
        "arguments": "{}"});
    let custom = json!({"type": "custom_tool_call", "call_id": "call_2", "name": "sql", "input": "SELECT 1"});
    let reply = whole(&[
        added(0, &text("")),
        done(0, &text("I look.")),
        added(1, &call("")),
        arguments,
        done(1, &call("{}")),
        // Neither its beginning nor pieces of it.
        done(2, &custom),
        completed(&Value::Null),
    ]);
    assert_eq!(reply.text, "I look.");
    let calls = [
        ToolCall::new("call_1", "look", "{}"),
        ToolCall::new("call_2", "sql", "SELECT 1"),
    ];
    assert_eq!(reply.tool_calls, calls);
}

#[test]
fn pieces_say_by_themselves_what_they_belong_to() {
    let reply = whole(&[
        json!({"type": "response.reasoning_text.delta", "delta": "Hm."}),
        delta("output_text", 1, "A cat."),
        json!({"type": "response.refusal.delta", "output_index": 2, "delta": "No."}),
        completed(&Value::Null),
    ]);
    assert_eq!(
        reply.parts,
        [Part::Reasoning("Hm.".into()), Part::Text("A cat.".into())]
    );
    assert_eq!(reply.refusal.as_deref(), Some("No."));
}

#[test]
fn items_that_come_only_at_the_end_are_taken_there() {
    let reply = whole(&[completed(&json!([text("A cat."), call("{}")]))]);
    assert_eq!(reply.text, "A cat.");
    assert_eq!(reply.tool_calls.len(), 1);
    assert_eq!(reply.finish_reason, FinishReason::ToolCalls);
}

#[test]
fn a_call_that_was_cut_does_not_run() {
    let reply = whole(&[
        added(0, &call("")),
        delta("function_call_arguments", 0, "{\"a\""),
        done(0, &call("{\"a\"")),
        json!({"type": "response.incomplete", "response": {
            "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}}),
    ]);
    assert_eq!(reply.finish_reason, FinishReason::Length);
    assert_eq!(reply.tool_calls[0].arguments, "{\"a\"");
    assert!(!reply.requires_tool_execution());
    assert_eq!(
        reply.metadata["incomplete_details"]["reason"],
        "max_output_tokens"
    );
}

#[test]
fn what_was_cut_and_only_the_server_can_read_is_counted() {
    let reply = whole(&[
        added(0, &thought("first")),
        added(1, &json!({"type": "web_search_call", "id": "ws_1"})),
        completed(&json!([])),
    ]);
    assert_eq!(reply.parts, []);
    assert_eq!(reply.warnings[0].code, "items_left_out");
    assert!(
        reply.warnings[0].message.starts_with("2 items"),
        "{:?}",
        reply.warnings
    );
}

#[test]
fn events_of_an_item_that_comes_whole_say_nothing_new_and_others_are_counted() {
    let search = json!({"type": "web_search_call", "id": "ws_1", "status": "completed"});
    let event = |kind: &str| json!({"type": kind, "output_index": 0});
    let reply = whole(&[
        added(0, &search),
        event("response.web_search_call.searching"),
        json!({"type": "keepalive"}),
        done(0, &search),
        event("response.brand.new"),
        json!({"type": "brand.new"}),
        completed(&json!([])),
    ]);
    assert_eq!(opaque(&reply), [&search]);
    assert_eq!(reply.warnings.len(), 1, "{:?}", reply.warnings);
    assert_eq!(reply.warnings[0].code, "unknown_events");
    assert!(
        reply.warnings[0].message.starts_with("2 events"),
        "{:?}",
        reply.warnings
    );
}

#[test]
fn an_error_within_the_stream_is_the_error_of_the_reply() {
    let half = [added(0, &text("")), delta("output_text", 0, "half")];
    let check = |last: Vec<Value>, kind: ModelErrorKind, code: &str| {
        let events: Vec<_> = half.iter().cloned().chain(last).collect();
        let (reply, result) = decode(&events);
        let error = result.expect_err("it failed");
        assert_eq!(
            (error.kind, error.code.as_deref()),
            (kind, Some(code)),
            "{error}"
        );
        assert_eq!(error.error_type, None);
        assert_eq!(reply.text, "half");
    };
    let flat = json!({"type": "error", "code": "rate_limit_exceeded", "message": "Slow down.",
        "param": null, "sequence_number": 3});
    let nested = json!({"type": "error", "error": {"code": "server_error", "message": "Oh."}});
    let failed = |error: Value| json!({"type": "response.failed", "response": {"status": "failed", "error": error}});
    let kind = ModelErrorKind::RateLimit;
    check(vec![flat.clone()], kind, "rate_limit_exceeded");
    check(vec![flat, failed(Value::Null)], kind, "rate_limit_exceeded");
    let kind = ModelErrorKind::Overloaded;
    check(vec![nested], kind, "server_error");
    let error = json!({"code": "server_error", "message": "Oh."});
    check(vec![failed(error)], kind, "server_error");
}

#[test]
fn a_stream_that_ends_early_keeps_what_came() {
    let (reply, result) = decode(&[added(0, &text("")), delta("output_text", 0, "half")]);
    let error = result.expect_err("it is cut");
    assert_eq!(error.kind, ModelErrorKind::Transport);
    assert!(error.message.contains("response.completed"), "{error}");
    assert_eq!(reply.text, "half");
}

#[test]
fn a_known_event_that_cannot_be_read_breaks_the_stream() {
    let mut events = Vec::<ModelEvent>::new();
    let mut decoder = OpenAiResponsesCodec::new().stream_decoder(&ToolDefinitions::default());
    let known = b"event: response.output_text.delta\ndata: {\"delta\": \n\n";
    let error = decoder.feed(known, &mut events).expect_err("is broken");
    assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
    let mut decoder = OpenAiResponsesCodec::new().stream_decoder(&ToolDefinitions::default());
    let other = b"event: chatter\ndata: {\n\n";
    decoder.feed(other, &mut events).expect("is left out");
}

#[test]
fn an_item_after_the_last_place_there_is_does_no_harm() {
    let next = json!({"type": "response.output_item.added", "item": call("")});
    let reply = whole(&[added(u64::MAX, &call("")), next, completed(&json!([]))]);
    assert!(!reply.tool_calls.is_empty());
}

#[test]
fn the_end_completes_what_was_begun() {
    // An item that had not come stands before the call that had.
    let first = json!({"type": "reasoning", "id": "rs_0", "summary": [], "encrypted_content": "a"});
    let reply = whole(&[
        added(0, &call("")),
        delta("function_call_arguments", 0, "{}"),
        done(0, &call("{}")),
        completed(&json!([first, call("{}")])),
    ]);
    assert_eq!(reply.tool_calls, [ToolCall::new("call_1", "look", "{}")]);
    assert_eq!(opaque(&reply), [&first]);
    // One that had not ended, and arguments without their item.
    let reply = whole(&[
        added(0, &thought("first")),
        delta("function_call_arguments", 1, "{\"a\""),
        completed(&json!([thought("last"), call("{\"a\": 1}")])),
    ]);
    assert_eq!(opaque(&reply), [&thought("last")]);
    assert_eq!(
        reply.tool_calls,
        [ToolCall::new("call_1", "look", "{\"a\": 1}")]
    );
    assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
}

#[test]
fn parts_of_a_summary_are_kept_apart() {
    let part = |number: u64, words: &str| {
        json!({"type": "response.reasoning_summary_text.delta", "output_index": 0,
            "summary_index": number, "delta": words})
    };
    let item = json!({"type": "reasoning", "id": "rs_1", "summary": [
        {"type": "summary_text", "text": "**One**"}, {"type": "summary_text", "text": "**Two**"}]});
    let expected = Part::Reasoning("**One**\n\n**Two**".into());
    let streamed = whole(&[
        added(0, &thought("")),
        part(0, "**One"),
        part(0, "**"),
        part(1, "**Two**"),
        done(0, &item),
        completed(&json!([])),
    ]);
    assert_eq!(streamed.parts[0], expected);
    let at_once = whole(&[completed(&json!([item]))]);
    assert_eq!(at_once.parts[0], expected);
}

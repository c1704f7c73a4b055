use serde_json::{Value, json};
use toolwright_core::{
    FinishReason, ModelError, ModelResponse, Part, ToolCall,
    model::{ModelErrorKind, ModelEvent},
    tool::ToolDefinitions,
};

use super::super::AnthropicCodec;
use crate::provider::{Codec, DecodeStream};

fn stream(events: &[Value]) -> String {
    let written = events.iter().map(|event| {
        let name = event["type"].as_str().expect("has a type");
        format!("event: {name}\ndata: {event}\n\n")
    });
    written.collect::<Vec<_>>().concat()
}

fn decode(stream: &str) -> (ModelResponse, Result<(), ModelError>) {
    let mut events: Vec<ModelEvent> = Vec::new();
    let mut decoder = AnthropicCodec::new().stream_decoder(&ToolDefinitions::default());
    let result = decoder
        .feed(stream.as_bytes(), &mut events)
        .and_then(|()| decoder.finish(&mut events));
    (events.into_iter().collect(), result)
}

fn whole(events: &[Value]) -> ModelResponse {
    let (response, result) = decode(&stream(events));
    result.expect("is whole");
    response
}

fn start() -> Value {
    json!({"type": "message_start", "message": {"id": "msg_1", "model": "m", "content": [],
        "stop_reason": null, "usage": {"input_tokens": 3, "output_tokens": 1}}})
}

fn block(index: u64, block: &Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u64, delta: &Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn stop(index: u64) -> Value {
    json!({"type": "content_block_stop", "index": index})
}

fn end(stop_reason: &str) -> [Value; 2] {
    [
        json!({"type": "message_delta", "delta": {"stop_reason": stop_reason},
            "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ]
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "look", "input": {}})
}

fn piece(json: &str) -> Value {
    json!({"type": "input_json_delta", "partial_json": json})
}

fn opaque(response: &ModelResponse) -> Vec<&Value> {
    let parts = response.parts.iter().filter_map(|part| match part {
        Part::Opaque(opaque) => Some(&opaque.data),
        _ => None,
    });
    parts.collect()
}

#[test]
fn calls_come_in_pieces_or_whole() {
    let [delta_end, message_stop] = end("tool_use");
    let whole_call = json!({"type": "tool_use", "id": "c", "name": "look", "input": {"y": [2]}});
    let response = whole(&[
        start(),
        block(0, &call("a")),
        delta(0, &piece("")),
        delta(0, &piece("{\"x\"")),
        delta(0, &piece(": 1}")),
        stop(0),
        block(1, &call("b")),
        delta(1, &piece("")),
        stop(1),
        block(2, &whole_call),
        stop(2),
        delta_end,
        message_stop,
    ]);
    assert_eq!(
        response.tool_calls,
        [
            ToolCall::new("a", "look", "{\"x\": 1}"),
            ToolCall::new("b", "look", ""),
            ToolCall::new("c", "look", "{\"y\":[2]}"),
        ]
    );
    assert_eq!(response.finish_reason, FinishReason::ToolCalls);
    let usage = response.usage.expect("was told");
    assert_eq!((usage.input_tokens, usage.output_tokens), (3, 9));
}

#[test]
fn a_turn_may_come_without_events_of_blocks() {
    let mut start = start();
    start["message"]["content"] = json!([call("a")]);
    start["message"]["stop_reason"] = "tool_use".into();
    let response = whole(&[start, json!({"type": "message_stop"})]);
    assert_eq!(response.tool_calls, [ToolCall::new("a", "look", "{}")]);
    assert_eq!(response.finish_reason, FinishReason::ToolCalls);
}

#[test]
fn reasoning_keeps_its_signature_and_citations_their_text() {
    let [delta_end, message_stop] = end("end_turn");
    let response = whole(&[
        start(),
        block(
            0,
            &json!({"type": "thinking", "thinking": "", "signature": ""}),
        ),
        delta(0, &json!({"type": "thinking_delta", "thinking": "Hm"})),
        delta(0, &json!({"type": "thinking_delta", "thinking": "."})),
        delta(0, &json!({"type": "signature_delta", "signature": "s"})),
        stop(0),
        block(1, &json!({"type": "text", "text": "", "citations": []})),
        delta(1, &json!({"type": "text_delta", "text": "a"})),
        delta(1, &json!({"type": "citations_delta", "citation": {"n": 1}})),
        delta(1, &json!({"type": "citations_delta", "citation": {"n": 2}})),
        stop(1),
        delta_end,
        message_stop,
    ]);
    assert_eq!(response.parts[0], Part::Reasoning("Hm.".into()));
    assert_eq!(
        opaque(&response),
        [
            &json!({"type": "thinking", "signature": "s"}),
            &json!({"type": "text", "citations": [{"n": 1}, {"n": 2}]}),
        ]
    );
}

#[test]
fn blocks_for_the_provider_are_put_together() {
    let [delta_end, message_stop] = end("pause_turn");
    let search = json!({"type": "server_tool_use", "id": "s", "name": "search", "input": {}});
    let response = whole(&[
        start(),
        block(0, &search),
        delta(0, &piece("{\"q\":")),
        delta(0, &piece("1}")),
        stop(0),
        block(1, &json!({"type": "compaction", "content": null})),
        delta(1, &json!({"type": "compaction_delta", "content": "So"})),
        delta(1, &json!({"type": "compaction_delta", "content": " far."})),
        stop(1),
        delta_end,
        message_stop,
    ]);
    assert_eq!(
        opaque(&response),
        [
            &json!({"type": "server_tool_use", "id": "s", "name": "search", "input": {"q": 1}}),
            &json!({"type": "compaction", "content": "So far."}),
        ]
    );
    assert_eq!(response.finish_reason, FinishReason::Paused);
    assert_eq!(response.warnings, []);
}

#[test]
fn a_reply_that_was_cut_off_keeps_what_can_be_read() {
    let [delta_end, message_stop] = end("max_tokens");
    let search = json!({"type": "server_tool_use", "id": "s", "name": "search", "input": {}});
    let events = [
        start(),
        block(
            0,
            &json!({"type": "thinking", "thinking": "", "signature": ""}),
        ),
        delta(0, &json!({"type": "thinking_delta", "thinking": "Hm"})),
        block(1, &search),
        delta(1, &piece("{\"q\":")),
        block(2, &call("a")),
        delta(2, &piece("{\"x\"")),
        delta_end,
        message_stop,
    ];
    let response = whole(&events);
    assert_eq!(response.tool_calls, [ToolCall::new("a", "look", "{\"x\"")]);
    assert!(!response.requires_tool_execution());
    assert_eq!(
        opaque(&response),
        [&Value::Null; 0],
        "without its signature"
    );
    assert_eq!(response.warnings[0].code, "blocks_left_out");

    let (response, result) = decode(&stream(&events[..7]));
    let error = result.expect_err("ended early");
    assert_eq!(error.kind, ModelErrorKind::Transport);
    assert!(error.message.contains("stop reason"), "{error}");
    assert_eq!(response.tool_calls.len(), 1);
}

#[test]
fn an_error_in_the_stream_is_an_error_with_what_came() {
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}});
    let events = [
        start(),
        block(0, &json!({"type": "text", "text": "half"})),
        error,
    ];
    let named = stream(&events);
    let unnamed = named.replace("event: error\n", "");
    for stream in [named, unnamed] {
        let (response, result) = decode(&stream);
        let error = result.expect_err("is an error");
        assert_eq!(error.kind, ModelErrorKind::Overloaded, "{error}");
        assert_eq!(error.error_type.as_deref(), Some("overloaded_error"));
        assert_eq!(response.text, "half");
    }
}

#[test]
fn done_pings_and_padding_change_nothing() {
    let [delta_end, message_stop] = end("end_turn");
    let text = block(0, &json!({"type": "text", "text": "a"}));
    let plain = stream(&[start(), text, stop(0), delta_end, message_stop]);
    let (expected, result) = decode(&plain);
    result.expect("is whole");
    let ping = "event: ping\ndata: {\"type\": \"ping\"}\n\n";
    let padded = plain.replace("}\n\n", "     }\n\n");
    let odd = format!("{ping}{padded}event: data\ndata: [DONE]\n\n{ping}");
    let (response, result) = decode(&odd);
    result.expect("is whole");
    assert_eq!(response, expected);
    assert_eq!(response.text, "a");
}

#[test]
fn unknown_events_are_counted_and_pieces_without_a_block_are_not_lost() {
    let [delta_end, message_stop] = end("end_turn");
    let mut events = stream(&[
        start(),
        json!({"type": "something_new", "value": 1}),
        delta(7, &json!({"type": "text_delta", "text": "a"})),
        delta(8, &piece("{}")),
    ]);
    events += "event: note\ndata: tick\n\n";
    events += &stream(&[delta_end, message_stop]);
    let (response, result) = decode(&events);
    result.expect("is whole");
    assert_eq!(response.text, "a");
    assert_eq!(response.warnings[0].code, "unknown_events");
    assert!(response.warnings[0].message.starts_with("3 events"));
}

#[test]
fn what_is_no_stream_says_so() {
    let check = |stream: &str, kind, message: &str| {
        let error = decode(stream).1.expect_err("is no stream");
        assert_eq!(error.kind, kind, "{stream}: {error}");
        assert!(error.message.contains(message), "{error}");
    };
    let malformed = ModelErrorKind::MalformedResponse;
    check("hello", malformed, "no event stream");
    check(
        "event: message_start\ndata: {]\n\n",
        malformed,
        "cannot be read",
    );
    check("data: [DONE]\n\n", malformed, "no completion");
    check("", ModelErrorKind::Transport, "nothing came");
    let body = r#"{"type":"error","error":{"type":"api_error","message":"broken"}}"#;
    check(body, ModelErrorKind::Overloaded, "broken");
}

#[test]
fn usage_is_told_at_first_and_in_the_end() {
    let report = |n: u64| json!({"type": "message_delta", "usage": {"output_tokens": n}});
    let mut stream_of = vec![start()];
    stream_of.extend((2..100).map(report));
    stream_of.extend(end("end_turn"));
    let mut events = Vec::new();
    let mut decoder = AnthropicCodec::new().stream_decoder(&ToolDefinitions::default());
    let stream = stream(&stream_of);
    decoder.feed(stream.as_bytes(), &mut events).expect("reads");
    decoder.finish(&mut events).expect("is whole");
    let told = events.iter().filter_map(|event| match event {
        ModelEvent::Usage(usage) => Some((usage.input_tokens, usage.output_tokens)),
        _ => None,
    });
    assert_eq!(told.collect::<Vec<_>>(), [(3, 1), (3, 9)]);
}

#[test]
fn usage_after_an_error_counts_with_that_before() {
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}});
    let [late, _] = end("end_turn");
    let (response, result) = decode(&stream(&[start(), error, late]));
    assert_eq!(result.expect_err("is an error").message, "busy");
    let usage = response.usage.expect("came");
    assert_eq!((usage.input_tokens, usage.output_tokens), (3, 9));
}

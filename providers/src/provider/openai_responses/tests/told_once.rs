//! What servers say of one item in ways that differ is told once, and what only seems to be said again
//! is told too.

use serde_json::{Value, json};
use toolwright_core::{ModelResponse, Part, ToolCall, model::ModelEvent, tool::ToolDefinitions};

use super::super::OpenAiResponsesCodec;
use crate::provider::{Codec, DecodeStream};

/// Decodes a stream; `HIGH` stands for the first half of a character.
fn decode(events: &[Value]) -> ModelResponse {
    let mut all: Vec<ModelEvent> = Vec::new();
    let mut decoder = OpenAiResponsesCodec::new().stream_decoder(&ToolDefinitions::default());
    let end = json!({"type": "response.completed", "response": {"status": "completed"}});
    for event in events.iter().chain([&end]) {
        let event = event.to_string().replace("HIGH", "\\ud83d");
        let event = format!("data: {event}\n\n");
        decoder.feed(event.as_bytes(), &mut all).expect("is read");
    }
    decoder.finish(&mut all).expect("is whole");
    all.into_iter().collect()
}

fn item(what: &str, index: impl Into<Option<u64>>, item: &Value) -> Value {
    let mut event = json!({"type": format!("response.output_item.{what}"), "item": item});
    if let Some(index) = index.into() {
        event["output_index"] = index.into();
    }
    event
}

fn message(id: &str, text: &str) -> Value {
    json!({"type": "message", "id": id, "content": [{"type": "output_text", "text": text}]})
}

fn call(id: &str, arguments: &str) -> Value {
    json!({"type": "function_call", "id": id, "call_id": "call", "name": "look",
        "arguments": arguments})
}

/// A piece of a part (`delta`), or a whole one, of the item at the place 0.
fn part(kind: &str, field: &str, id: &str, number: Option<u64>, words: &str) -> Value {
    let mut event = json!({"type": format!("response.{kind}"), "output_index": 0, "item_id": id});
    event[field] = words.into();
    let is_summary = kind.contains("summary");
    if let Some(number) = number {
        event[["content_index", "summary_index"][usize::from(is_summary)]] = number.into();
    }
    event
}

fn text_piece(number: Option<u64>, words: &str) -> Value {
    part("output_text.delta", "delta", "m", number, words)
}

fn whole_text(number: Option<u64>, words: &str) -> Value {
    part("output_text.done", "text", "m", number, words)
}

fn reasoning(reply: &ModelResponse) -> String {
    let parts = reply.parts.iter().filter_map(|part| match part {
        Part::Reasoning(words) => Some(words.as_str()),
        _ => None,
    });
    parts.collect()
}

#[test]
fn a_part_that_ends_with_half_a_character_is_followed_by_another() {
    for last in ["b", "bcdefghijkl"] {
        let reply = decode(&[
            text_piece(Some(0), "aHIGH"),
            text_piece(Some(1), last),
            whole_text(Some(1), last),
        ]);
        assert_eq!(reply.text, format!("a\u{FFFD}{last}"));
    }
}

#[test]
fn parts_that_are_numbered_here_and_there_come_once() {
    for (of_pieces, of_whole) in [(None, Some(0)), (Some(0), None), (None, None)] {
        let reply = decode(&[
            item("added", 0, &message("m", "")),
            text_piece(of_pieces, "Hel"),
            whole_text(of_whole, "Hello"),
            item("done", 0, &message("m", "Hello")),
        ]);
        assert_eq!(reply.text, "Hello", "{of_pieces:?} {of_whole:?}");
    }
}

#[test]
fn parts_of_reasoning_may_come_whole() {
    let whole = |number, words| {
        let kind = "reasoning_summary_text.done";
        part(kind, "text", "r", Some(number), words)
    };
    let summary = json!([{"type": "summary_text", "text": "One"},
        {"type": "summary_text", "text": "Two"}]);
    let reply = decode(&[
        item("added", 0, &json!({"type": "reasoning", "id": "r"})),
        whole(0, "One"),
        whole(1, "Two"),
        item(
            "done",
            0,
            &json!({"type": "reasoning", "id": "r", "summary": summary}),
        ),
    ]);
    assert_eq!(reasoning(&reply), "One\n\nTwo");
}

#[test]
fn a_part_that_comes_after_its_item_says_nothing_new() {
    let arguments = |id| part("function_call_arguments.done", "arguments", id, None, "{}");
    let reply = decode(&[
        item("added", 0, &message("m1", "")),
        item("done", 0, &message("m2", "Hello")),
        whole_text(Some(0), "Hello"),
        item("added", 0, &call("f1", "")),
        item("done", 0, &call("f2", "{}")),
        arguments("f3"),
        item(
            "done",
            0,
            &json!({"type": "mcp_call", "id": "f4", "arguments": "{}"}),
        ),
        arguments("f4"),
    ]);
    assert_eq!(reply.text, "Hello");
    assert_eq!(reply.tool_calls, [ToolCall::new("call", "look", "{}")]);
}

#[test]
fn arguments_that_a_call_begins_with_come_once() {
    let piece = |words: &&str| part("function_call_arguments.delta", "delta", "f", None, words);
    let check = |begun: &str, pieces: &[&str], end: Option<&str>| {
        let mut events = vec![item("added", 0, &call("f", begun))];
        events.extend(pieces.iter().map(piece));
        events.extend(end.map(|words| item("done", 0, &call("f", words))));
        let expected = [ToolCall::new("call", "look", "{\"a\":1}")];
        assert_eq!(decode(&events).tool_calls, expected, "{events:?}");
    };
    let whole = "{\"a\":1}";
    for end in [Some(whole), None] {
        check(whole, &["{\"a\"", ":1}"], end);
        check("{}", &["{\"a\"", ":1}"], end);
        check("{\"a\"", &[":1}"], end);
        check("", &[whole], end);
        check(whole, &[], end);
    }
    check("{}", &[], Some(whole));
    check(whole, &[], Some(""));
}

#[test]
fn items_that_share_an_id_are_told_apart_by_what_they_say() {
    let reply = decode(&[
        item("done", None, &message("m", "One.")),
        item("done", None, &message("m", "Two.")),
        item("done", None, &message("m", "Two.")),
        item("done", None, &call("f", "{\"a\":1}")),
        item("done", None, &call("f", "{\"a\":2}")),
        item("done", None, &call("f", "{\"a\": 2}")),
    ]);
    assert_eq!(reply.text, "One.Two.");
    let arguments = reply.tool_calls.iter().map(|call| &*call.arguments);
    assert_eq!(arguments.collect::<Vec<_>>(), ["{\"a\":1}", "{\"a\":2}"]);
}

#[test]
fn messages_at_one_place_are_those_of_their_ids() {
    let piece = |id, words| part("output_text.delta", "delta", id, Some(0), words);
    let output = json!([message("a", "Hello"), message("b", "World")]);
    let reply = decode(&[
        item("added", 0, &message("a", "")),
        piece("a", "Hello"),
        item("added", 0, &message("b", "")),
        piece("b", "World"),
        json!({"type": "response.completed", "response": {"output": output}}),
    ]);
    assert_eq!(reply.text, "HelloWorld");
}

#[test]
fn a_message_is_the_same_without_the_white_space_around_it() {
    let output = json!([message("z", "Hello")]);
    let reply = decode(&[
        item("added", 0, &message("m", "")),
        text_piece(Some(0), "Hello\n"),
        item("done", 0, &message("m", "Hello\n")),
        json!({"type": "response.completed", "response": {"output": output}}),
    ]);
    assert_eq!(reply.text, "Hello\n");
}

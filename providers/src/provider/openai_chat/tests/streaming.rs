use serde_json::{Value, json};
use toolwright_core::{
    ModelError, ModelResponse, Part, ToolCall,
    message::Audio,
    model::{ModelErrorKind, ModelEvent},
    tool::ToolDefinitions,
};

use super::super::OpenAiChatCodec;
use crate::provider::{Codec, DecodeStream};

fn decode(stream: &[u8]) -> (ModelResponse, Result<(), ModelError>) {
    let mut events = Vec::new();
    let mut decoder = OpenAiChatCodec::new().stream_decoder(&ToolDefinitions::default());
    let result = decoder
        .feed(stream, &mut events)
        .and_then(|()| decoder.finish(&mut events));
    (events.into_iter().collect(), result)
}

fn check_whole(stream: &str) -> ModelResponse {
    let (response, result) = decode(stream.as_bytes());
    result.expect("is whole");
    response
}

fn check_error(stream: &str, kind: ModelErrorKind, message: &str) -> ModelResponse {
    let (response, result) = decode(stream.as_bytes());
    let error = result.expect_err("is an error");
    assert_eq!(error.kind, kind, "{stream}: {error}");
    assert!(error.message.contains(message), "{:?}", error.message);
    response
}

const HALF: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"half\"}}]}\n\n";
const DONE: &str = "data: [DONE]\n\n";

#[test]
fn done_or_a_finish_reason_make_a_reply_whole() {
    assert_eq!(check_whole(&format!("{HALF}{DONE}")).text, "half");
    let stop = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}";
    assert_eq!(check_whole(&format!("{HALF}{stop}")).text, "half");
}

#[test]
fn a_stream_that_ends_early_keeps_what_came() {
    let kind = ModelErrorKind::Transport;
    assert_eq!(check_error(HALF, kind, "ended early").text, "half");
    let cut = format!("{HALF}data: {{\"choices\":[{{\"delta\":{{\"content\":\"mo");
    assert_eq!(check_error(&cut, kind, "ended early").text, "half");
    check_error("data: {\"choi", kind, "first event");
    check_error("", kind, "nothing came");
    check_error(
        ": hello\n\n",
        ModelErrorKind::MalformedResponse,
        "no event stream",
    );
}

#[test]
fn what_is_no_stream_says_so() {
    let kind = ModelErrorKind::MalformedResponse;
    check_error("hello", kind, "no event stream");
    check_error("<html></html>", kind, "HTML");
    check_error("data: {]\n\n", kind, "cannot be read");
    check_error("data: hello\n\n", kind, "cannot be read");
    check_error(DONE, kind, "no completion");
    check_error(
        "{\"error\":{\"message\":\"busy\"}}",
        ModelErrorKind::Overloaded,
        "busy",
    );
}

#[test]
fn a_whole_reply_instead_of_a_stream_is_understood() {
    let body = "\n{\"choices\":[{\"message\":{\"content\":\"all\"},\"finish_reason\":\"stop\"}]}";
    assert_eq!(check_whole(body).text, "all");
}

#[test]
fn an_error_event_is_an_error_with_what_came() {
    for event in [
        "data: {\"error\":{\"message\":\"busy\",\"code\":503}}\n\n",
        "event: error\ndata: {\"error\":{\"message\":\"busy\"}}\n\n",
        "event: error\ndata: {\"message\":\"busy\"}\n\n",
        "event: error\ndata: busy\n\n",
    ] {
        let stream = format!("{HALF}{event}{DONE}");
        assert_eq!(
            check_error(&stream, ModelErrorKind::Overloaded, "busy").text,
            "half"
        );
    }
}

#[test]
fn usage_after_an_error_is_kept() {
    let stream = format!(
        "{HALF}data: {{\"error\":{{\"message\":\"busy\"}}}}\n\n\
         data: {{\"choices\":[],\"usage\":{{\"prompt_tokens\":3}}}}\n\n{DONE}"
    );
    let response = check_error(&stream, ModelErrorKind::Overloaded, "busy");
    assert_eq!(response.usage.expect("came").input_tokens, 3);
}

#[test]
fn unknown_events_are_counted_and_unknown_fields_kept() {
    let stream = format!(
        "{HALF}event: ping\ndata: tick\n\nevent: note\ndata: {{\"note\":1}}\n\n\
         data: {{\"choices\":[{{\"index\":1,\"delta\":{{\"content\":\"other\"}}}}]}}\n\n{DONE}"
    );
    let response = check_whole(&stream);
    assert_eq!(
        (&*response.text, &response.metadata["note"]),
        ("half", &json!(1))
    );
    let codes: Vec<_> = response
        .warnings
        .iter()
        .map(|warning| &*warning.code)
        .collect();
    assert_eq!(codes, ["other_choices", "unknown_events"]);
}

#[test]
fn lists_grow_by_what_later_chunks_add() {
    let chunk =
        |list: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"notes\":{list}}}}}]}}\n\n");
    let stream = chunk("[1]") + &chunk("[1]") + &chunk("[2,3]") + DONE;
    assert_eq!(check_whole(&stream).metadata["notes"], json!([1, 2, 3]));
}

#[test]
fn details_of_reasoning_are_joined() {
    let chunk = |detail: &str| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"reasoning_details\":[{detail}]}}}}]}}\n\n")
    };
    let stream = chunk(r#"{"type":"reasoning.text","text":"I ","index":0,"signature":null}"#)
        + &chunk(r#"{"type":"reasoning.text","text":"see","index":0}"#)
        + &chunk(r#"{"type":"reasoning.text","signature":"s","index":0}"#)
        + &chunk(r#"{"type":"reasoning.encrypted","data":"e","index":1}"#)
        + &chunk(r#"{"type":"reasoning.encrypted","data":"f","index":1}"#)
        + DONE;
    let response = check_whole(&stream);
    let Some(Part::Opaque(opaque)) = response.parts.last() else {
        panic!("{:?}", response.parts)
    };
    assert_eq!(
        opaque.data,
        json!({"reasoning_details": [
            {"type": "reasoning.text", "text": "I see", "index": 0, "signature": "s"},
            {"type": "reasoning.encrypted", "data": "e", "index": 1},
            {"type": "reasoning.encrypted", "data": "f", "index": 1},
        ]})
    );
    assert!(response.parts.contains(&Part::Reasoning("I see".into())));
}

#[test]
fn a_call_whose_name_never_comes_is_a_call() {
    let stream = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":\
         [{{\"index\":0,\"id\":\"a\",\"function\":{{\"arguments\":\"{{}}\"}}}}]}}}}]}}\n\n{DONE}"
    );
    assert_eq!(
        check_whole(&stream).tool_calls,
        [ToolCall::new("a", "", "{}")]
    );
}

#[test]
fn an_event_that_is_too_long_is_an_error() {
    let mut events: Vec<ModelEvent> = Vec::new();
    for start in ["data: ", "{"] {
        let mut decoder = OpenAiChatCodec::new().stream_decoder(&ToolDefinitions::default());
        decoder.set_event_limit(100);
        let start = decoder.feed(start.as_bytes(), &mut events);
        let result = start
            .and_then(|()| (0..100).try_for_each(|_| decoder.feed(b"0123456789", &mut events)));
        let error = result.expect_err("is too long");
        assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
    }
}

#[test]
fn calls_without_ids_are_told_apart_however_many_pieces_they_have() {
    let piece = |function: Value| {
        let call = json!([{"index": 0, "function": function}]);
        format!(
            "data: {}\n\n",
            json!({"choices": [{"delta": {"tool_calls": call}}]})
        )
    };
    let mut stream = String::new();
    for city in ["Oslo", "Rome"] {
        stream.push_str(&piece(json!({"name": "weather", "arguments": "{"})));
        for text in ["\"city\"", ":", "\"", city, "\"", "}"] {
            stream.push_str(&piece(json!({"arguments": text})));
        }
    }
    let reply = check_whole(&format!("{stream}{DONE}"));
    let arguments: Vec<_> = reply
        .tool_calls
        .iter()
        .map(|call| &*call.arguments)
        .collect();
    assert_eq!(arguments, [r#"{"city":"Oslo"}"#, r#"{"city":"Rome"}"#]);
}

#[test]
fn each_chunk_says_what_it_says_after_many_that_are_alike() {
    let chunk = |delta: Value, more: Value| {
        let mut chunk = json!({"id": "1", "choices": [{"index": 0, "delta": delta}]});
        for (name, value) in more.as_object().into_iter().flatten() {
            chunk[name] = value.clone();
        }
        format!("data: {chunk}\n\n")
    };
    let pad = |text: &str| json!({"obfuscation": text});
    let stream = [
        chunk(json!({"content": "a"}), pad("xyz")),
        chunk(json!({"content": "b"}), pad("")),
        chunk(json!({"content": ""}), pad("x")),
        chunk(json!({"content": "\"c\""}), pad("xy")),
        chunk(
            json!({"content": "d"}),
            json!({"obfuscation": "x", "a_fact": 1}),
        ),
        chunk(
            json!({"content": "e"}),
            json!({"obfuscation": "x", "a_fact": 2}),
        ),
        chunk(json!({"content": "f", "refusal": "no"}), pad("x")),
        chunk(
            json!({"content": "g"}),
            json!({"usage": {"prompt_tokens": 1}}),
        ),
        chunk(
            json!({"content": "h"}),
            json!({"usage": {"prompt_tokens": 2}}),
        ),
        "event: error\ndata: {\"message\": \"busy\"}\n\n".to_owned(),
    ];
    let (reply, result) = decode(stream.concat().as_bytes());
    assert_eq!(reply.text, "ab\"c\"defgh");
    assert_eq!(reply.metadata["a_fact"], 2);
    assert_eq!(reply.usage.expect("has some").input_tokens, 2);
    assert!(result.is_err());
}

/// What is told of bytes, cut into pieces of a size.
fn told(stream: &str, size: usize, limit: usize) -> Option<ModelError> {
    let mut events = Vec::new();
    let mut decoder = OpenAiChatCodec::new().stream_decoder(&ToolDefinitions::default());
    decoder.set_event_limit(limit);
    let fed = stream
        .as_bytes()
        .chunks(size)
        .try_for_each(|piece| decoder.feed(piece, &mut events));
    fed.and_then(|()| decoder.finish(&mut events)).err()
}

#[test]
fn an_error_is_the_same_wherever_the_bytes_are_cut() {
    for (stream, limit) in [
        // White space belongs to no body.
        ("\r\n\n  {\"choices\": [}", 1000),
        ("\n \n<html>", 1000),
        (" \n{\"a\": 12345678901234567890}", 20),
        ("\n          {\"a\": 1}", 9),
        // What is broken is told before what is too long.
        ("data: {\n\ndata: 12345678901234567890\n\n", 20),
    ] {
        let whole = told(stream, stream.len(), limit);
        assert!(whole.is_some(), "{stream:?}");
        for size in 1..stream.len() {
            assert_eq!(told(stream, size, limit), whole, "{stream:?} by {size}");
        }
    }
}

fn chunks(chunks: &[Value]) -> ModelResponse {
    let events = chunks.iter().map(|chunk| format!("data: {chunk}\n\n"));
    check_whole(&(events.collect::<String>() + DONE))
}

#[test]
fn custom_calls_come_in_pieces() {
    let piece = |call: Value| json!({"choices": [{"delta": {"tool_calls": [call]}}]});
    let reply = chunks(&[
        piece(
            json!({"index": 0, "id": "a", "type": "custom", "custom": {"name": "sql", "input": ""}}),
        ),
        piece(json!({"index": 0, "custom": {"input": "SELECT"}})),
        piece(json!({"index": 0, "custom": {"input": " 1"}})),
        piece(json!({"index": 0, "custom": {"input": " + 1"}})),
    ]);
    assert_eq!(
        reply.tool_calls,
        [ToolCall::new("a", "sql", "SELECT 1 + 1")]
    );
}

#[test]
fn pieces_of_logprobs_and_of_audio_are_all_kept() {
    let token = |token: &str| {
        json!({"choices": [{"delta": {"content": token}, "logprobs":
            {"content": [{"token": token, "logprob": -0.5}], "refusal": null}}]})
    };
    let audio = |data: &str, said: &str| json!({"choices": [{"delta": {"audio": {"id": "au_1", "data": data, "transcript": said}}}]});
    let reply = chunks(&[
        token("ha"),
        token("ha"),
        audio("QUJD", "a "),
        audio("REVG", "cat"),
    ]);
    let logprobs = &reply.metadata["logprobs"]["content"];
    assert_eq!(logprobs.as_array().map(Vec::len), Some(2));
    assert_eq!(reply.metadata["audio"], json!({"id": "au_1"}));
    assert_eq!(reply.text, "hahaa cat");
    let sound = Part::Audio(Audio::from_bytes("audio/pcm", "ABCDEF"));
    assert_eq!(reply.parts.last(), Some(&sound));
}

#[test]
fn an_index_may_be_a_string_or_no_index_at_all() {
    for index in [json!("0"), json!(-1), json!("x"), json!(1.5), Value::Null] {
        let piece = |id: Option<&str>, arguments: &str| {
            let mut call = json!({"index": index, "function": {"arguments": arguments}});
            if let Some(id) = id {
                call["id"] = id.into();
                call["function"]["name"] = "look".into();
            }
            json!({"choices": [{"index": index, "delta": {"tool_calls": [call]}}]})
        };
        let reply = chunks(&[piece(Some("a"), "{\"a\""), piece(None, ": 1}")]);
        assert_eq!(
            reply.tool_calls,
            [ToolCall::new("a", "look", "{\"a\": 1}")],
            "{index}"
        );
    }
}

use toolwright_core::{
    ModelError, ModelResponse, Part, ToolCall,
    model::{ModelErrorKind, ModelEvent},
    tool::ToolDefinitions,
};

use super::super::OllamaCodec;
use crate::provider::{Codec, DecodeStream};

fn decode(stream: &[u8]) -> (ModelResponse, Result<(), ModelError>) {
    let mut events = Vec::new();
    let mut decoder = OllamaCodec::new().stream_decoder(&ToolDefinitions::default());
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

const HALF: &str = "{\"message\":{\"content\":\"half\"},\"done\":false}\n";
const DONE: &str = "{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\"}";

#[test]
fn the_line_that_says_done_makes_a_reply_whole() {
    for end in ["", "\n", "\r\n", "\n\n"] {
        assert_eq!(check_whole(&format!("\n{HALF}{DONE}{end}")).text, "half");
    }
    // The last object need not have a message, and old servers give no reason.
    let response = check_whole(&format!("{HALF}{{\"done\":true}}\n"));
    assert_eq!(
        (&*response.text, response.raw_finish_reason),
        ("half", None)
    );
}

#[test]
fn a_stream_that_ends_early_keeps_what_came() {
    let kind = ModelErrorKind::Transport;
    assert_eq!(check_error(HALF, kind, "`done`").text, "half");
    for cut in 1..DONE.len() {
        let stream = format!("{HALF}{}", &DONE[..cut]);
        assert_eq!(check_error(&stream, kind, "`done`").text, "half");
    }
    check_error("{\"mess", kind, "first event");
    check_error("", kind, "nothing came");
}

#[test]
fn what_is_no_stream_says_so() {
    let kind = ModelErrorKind::MalformedResponse;
    check_error("<html></html>", kind, "HTML");
    check_error("hello\n", kind, "cannot be read");
    check_error("{]\n", kind, "cannot be read");
    check_error("[]", kind, "cannot be read");
}

#[test]
fn an_error_in_the_middle_is_an_error_with_what_came() {
    for line in [
        "{\"error\":\"out of memory\"}\n",
        "{\"error\":\"out of memory\"}",
    ] {
        let response = check_error(
            &format!("{HALF}{line}"),
            ModelErrorKind::Overloaded,
            "out of memory",
        );
        assert_eq!(response.text, "half");
    }
}

#[test]
fn thinking_and_calls_come_in_lines_of_their_own() {
    let line = |message: &str| format!("{{\"message\":{{{message}}},\"done\":false}}\n");
    let call =
        "\"tool_calls\":[{\"function\":{\"index\":0,\"name\":\"look\",\"arguments\":{\"a\":1}}}]";
    let stream = [
        line("\"thinking\":\"I \""),
        line("\"thinking\":\"see.\",\"content\":\"\""),
        line("\"content\":\"Look\""),
        line(call),
        // The same call again is another call.
        line(call),
        DONE.to_owned(),
    ];
    let response = check_whole(&stream.concat());
    assert_eq!(
        response.parts,
        [
            Part::Reasoning("I see.".into()),
            Part::Text("Look".into()),
            Part::Call(ToolCall::new("", "look", "{\"a\":1}")),
            Part::Call(ToolCall::new("", "look", "{\"a\":1}")),
        ]
    );
}

#[test]
fn a_line_has_a_limit() {
    let mut events: Vec<ModelEvent> = Vec::new();
    let mut decoder = OllamaCodec::new().stream_decoder(&ToolDefinitions::default());
    decoder.set_event_limit(HALF.len());
    for _ in 0..9 {
        decoder
            .feed(HALF.as_bytes(), &mut events)
            .expect("is short");
    }
    let long = vec![b'{'; HALF.len() + 1];
    let error = decoder.feed(&long, &mut events).expect_err("is long");
    assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
}

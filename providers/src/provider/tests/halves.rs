//! A character whose halves come in two pieces is one character, in every field of every codec.

use toolwright_core::{ModelResponse, Part};

use super::{ANTHROPIC, Decode, GEMINI, OLLAMA, OPENAI_CHAT, OPENAI_RESPONSES, sse};

/// Pieces of a JSON string, without its quotes.
const PIECES: [&str; 4] = [r"a\ud83d", r"\ude00b\ud83d", r"\ude00", r"c\ud83d"];
/// What they say.
const TEXT: &str = "a\u{1F600}b\u{1F600}c\u{FFFD}";

/// Checks what comes of the pieces in a field: `event` is an event with a piece.
fn check(
    decode: Decode,
    before: &[&str],
    event: &str,
    after: &[&str],
    said: fn(&ModelResponse) -> String,
) {
    let pieces = PIECES.iter().map(|piece| event.replace("PIECE", piece));
    let owned = |events: &[&str]| {
        events
            .iter()
            .map(|event| (*event).to_owned())
            .collect::<Vec<_>>()
    };
    let events: Vec<String> = [owned(before), pieces.collect(), owned(after)].concat();
    let is_line = before.contains(&"lines");
    let stream = if is_line {
        events[1..].join("\n")
    } else {
        sse(&events)
    };
    for bytes in [1, 7, usize::MAX] {
        let reply = decode(stream.as_bytes(), bytes);
        assert_eq!(said(&reply), TEXT, "{event}");
    }
}

fn text(reply: &ModelResponse) -> String {
    reply.text.clone()
}

fn reasoning(reply: &ModelResponse) -> String {
    let parts = reply.parts.iter().filter_map(|part| match part {
        Part::Reasoning(words) => Some(words.as_str()),
        _ => None,
    });
    parts.collect()
}

fn refusal(reply: &ModelResponse) -> String {
    reply.refusal.clone().unwrap_or_default()
}

fn arguments(reply: &ModelResponse) -> String {
    reply.tool_calls[0].arguments.clone()
}

#[test]
fn of_openai_chat() {
    let end = [r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#];
    let delta = |delta: &str| format!(r#"{{"choices":[{{"delta":{delta}}}]}}"#);
    let check = |field: &str, said| check(OPENAI_CHAT, &[], &delta(field), &end, said);
    check(r#"{"content":"PIECE"}"#, text);
    check(r#"{"content":[{"type":"text","text":"PIECE"}]}"#, text);
    check(r#"{"refusal":"PIECE"}"#, refusal);
    check(r#"{"reasoning_content":"PIECE"}"#, reasoning);
    check(r#"{"reasoning":"PIECE"}"#, reasoning);
    let thinking =
        r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"PIECE"}]}]}"#;
    check(thinking, reasoning);
    let details = r#"{"reasoning_details":[{"type":"reasoning.text","text":"PIECE","index":0}]}"#;
    check(details, reasoning);
    check(details, |reply| {
        let details = reply.parts.iter().find_map(|part| match part {
            Part::Opaque(opaque) => opaque.data.get("reasoning_details"),
            _ => None,
        });
        let text = &details.expect("are kept")[0]["text"];
        text.as_str().unwrap_or_default().to_owned()
    });
    let call =
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"PIECE"}}]}"#;
    check(call, arguments);
    let nameless = r#"{"tool_calls":[{"index":0,"function":{"arguments":"PIECE"}}]}"#;
    check(nameless, arguments);
    let custom = r#"{"tool_calls":[{"index":0,"id":"a","type":"custom","custom":{"name":"sql","input":"PIECE"}}]}"#;
    check(custom, arguments);
}

#[test]
fn of_openai_responses() {
    let end = [r#"{"type":"response.completed","response":{"status":"completed"}}"#];
    let check = |kind: &str, said| {
        let event = format!(
            r#"{{"type":"response.{kind}.delta","output_index":0,"item_id":"i","delta":"PIECE"}}"#
        );
        check(OPENAI_RESPONSES, &[], &event, &end, said);
    };
    check("output_text", text);
    check("refusal", refusal);
    check("reasoning_text", reasoning);
    check("reasoning_summary_text", reasoning);
    check("function_call_arguments", arguments);
    check("custom_tool_call_input", arguments);
}

#[test]
fn of_anthropic() {
    let check = |block: &str, delta: &str, said| {
        let start =
            format!(r#"{{"type":"content_block_start","index":0,"content_block":{block}}}"#);
        let delta = format!(r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#);
        let end = [
            r#"{"type":"content_block_stop","index":0}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#,
        ];
        check(ANTHROPIC, &[&start], &delta, &end, said);
    };
    let delta = |kind: &str, field: &str| format!(r#"{{"type":"{kind}_delta","{field}":"PIECE"}}"#);
    check(r#"{"type":"text","text":""}"#, &delta("text", "text"), text);
    let block = r#"{"type":"thinking","thinking":""}"#;
    check(block, &delta("thinking", "thinking"), reasoning);
    let block = r#"{"type":"tool_use","id":"a","name":"look","input":{}}"#;
    check(block, &delta("input_json", "partial_json"), arguments);
    let block = r#"{"type":"brand_new","text":""}"#;
    check(block, &delta("text", "text"), |reply| {
        match &reply.parts[..] {
            [Part::Opaque(opaque)] => opaque.data["text"].as_str().unwrap_or_default().to_owned(),
            parts => unreachable!("it is one block, and not {parts:?}"),
        }
    });
}

#[test]
fn of_gemini() {
    let part = |part: &str| format!(r#"{{"candidates":[{{"content":{{"parts":[{part}]}}}}]}}"#);
    let end = [r#"{"candidates":[{"content":{},"finishReason":"STOP"}]}"#];
    check(GEMINI, &[], &part(r#"{"text":"PIECE"}"#), &end, text);
    let thought = part(r#"{"text":"PIECE","thought":true}"#);
    check(GEMINI, &[], &thought, &end, reasoning);
    let start = part(r#"{"functionCall":{"name":"look","willContinue":true}}"#);
    let piece = part(
        r#"{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"PIECE"}],"willContinue":true}}"#,
    );
    let close = part(r#"{"functionCall":{}}"#);
    check(GEMINI, &[&start], &piece, &[&close, end[0]], |reply| {
        let arguments = serde_json::from_str::<serde_json::Value>(&arguments(reply));
        arguments.expect("is JSON")["a"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    });
}

#[test]
fn of_ollama() {
    let end = [r#"{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}"#];
    let content = r#"{"message":{"role":"assistant","content":"PIECE"},"done":false}"#;
    check(OLLAMA, &["lines"], content, &end, text);
    let thinking =
        r#"{"message":{"role":"assistant","content":"","thinking":"PIECE"},"done":false}"#;
    check(OLLAMA, &["lines"], thinking, &end, reasoning);
}

//! Conversations of all that models, servers and tools have been seen to give: every codec makes a
//! request of any of them that its provider takes.

use serde_json::json;
use toolwright::{
    Conversation, ModelResponse, ToolCall, ToolError, ToolOutput, ToolResult,
    message::{Audio, Document, Image, Opaque, Part, UserMessage},
    model::FinishReason,
};

use super::{codecs::check_request, lists::check_conversation};

const IDS: &[&str] = &[
    "",
    "a",
    "call_1",
    "call00000",
    "call00001",
    "toolu_01A",
    "gSIMJiOkT",
    "id with a space",
    "functions.look:0",
    "\u{e9}\u{1f980}",
    "0123456789012345678901234567890123456789",
    "01234567890123456789012345678901234567890",
    "\"\\\u{0}\n",
];

const NAMES: &[&str] = &[
    "look",
    "get_weather",
    "",
    "functions.look",
    "w\u{e9}tter",
    "a b",
    "_",
    "9",
    "a_name_that_is_longer_than_the_sixty_four_characters_that_providers_take",
];

const ARGUMENTS: &[&str] = &[
    "{}",
    "",
    "null",
    " ",
    "{\"city\": \"Oslo\"}",
    " {\"a\":1}\n",
    "{\"a\":",
    "[1]",
    "Oslo",
    "\u{c}{}",
    "{}\u{b}",
    "{\"a\":\"\\ud800\"}",
    "{\"a\":1e999}",
    "{\"a\":-0,\"a\":1}",
    "{\"\\u0000\":\"\u{0}\"}",
    "{\"invalid_arguments\":\"{\"}",
    "{}{}",
];

const TEXTS: &[&str] = &[
    "",
    " ",
    "\n",
    "Yes.",
    "\u{1f980}",
    "\u{0}",
    "<b>\"\\",
    "(empty message)",
];

const PROVIDERS: &[&str] = &[
    "openai_chat",
    "openai_responses",
    "anthropic",
    "gemini",
    "ollama",
    "anthropic@other",
    "mine",
];

const DATA: &[&str] = &[
    "null",
    "{}",
    "[]",
    "\"a\"",
    r#"{"type":"thinking","signature":"s"}"#,
    r#"{"type":"redacted_thinking","data":"d"}"#,
    r#"{"type":"text","citations":[]}"#,
    r#"{"type":"tool_use","caller":{"type":"other"},"id":"z","input":[]}"#,
    r#"{"type":"tool_result","tool_use_id":"a"}"#,
    r#"{"type":"server_tool_use","id":"s","name":"n","input":{}}"#,
    r#"{"type":"reasoning","id":"rs","summary":[],"encrypted_content":"e"}"#,
    r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}"#,
    r#"{"type":"message","phase":"x"}"#,
    r#"{"type":"function_call","call_id":"a","arguments":"["}"#,
    r#"{"type":"custom_tool_call","call_id":"xs_call_1","name":"n","input":""}"#,
    r#"{"type":"function_call_output","call_id":"a"}"#,
    r#"{"thoughtSignature":"c2ln"}"#,
    r#"{"functionCall":{"id":"z","name":"n","args":[]},"thoughtSignature":"c2ln"}"#,
    r#"{"functionResponse":{"name":"n"}}"#,
    r#"{"text":"","thoughtSignature":"c2ln"}"#,
    r#"{"reasoning_words_in":"reasoning_content"}"#,
    r#"{"reasoning_words_in":"content"}"#,
    r#"{"content_part":{"type":"text","text":""}}"#,
    r#"{"call":0,"fields":{"function":1,"x":2}}"#,
    r#"{"call":9,"extra_content":{}}"#,
    r#"{"call":0,"extra_content":{"a":1},"id":"","type":[]}"#,
    r#"{"reasoning_details":[{"type":"reasoning.encrypted","data":"d"}],"role":"tool"}"#,
];

/// What is chosen, by bytes; the first of everything once they have ended.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or_default()) % limit
    }

    fn of(&mut self, all: &[&'static str]) -> &'static str {
        all[self.below(all.len())]
    }
}

/// Any bytes as the choices that make a conversation.
pub(crate) fn check(choices: &[u8]) {
    let mut choices = Choices(choices.iter());
    let mut conversation = Conversation::new();
    while !choices.0.as_slice().is_empty() {
        match choices.below(8) {
            0 | 1 => {
                let parts = (0..choices.below(4)).map(|_| user_part(&mut choices));
                conversation.push_user(UserMessage::new(parts));
            }
            2..=4 => conversation.push_response(reply(&mut choices)),
            _ => answer(&mut conversation, &mut choices),
        }
    }
    check_request(&conversation.request());
    check_conversation(&conversation);
}

fn user_part(choices: &mut Choices<'_>) -> Part {
    match choices.below(6) {
        4 => Part::Document(document(choices)),
        5 => Part::Audio(Audio::from_bytes(
            ["audio/wav", "audio/ogg"][choices.below(2)],
            b"RIFF",
        )),
        0 => Part::Image(image(choices)),
        1 => Part::Opaque(opaque(choices)),
        _ => Part::Text(choices.of(TEXTS).to_owned()),
    }
}

fn reply(choices: &mut Choices<'_>) -> ModelResponse {
    const REASONS: &[FinishReason] = &[
        FinishReason::Stop,
        FinishReason::ToolCalls,
        FinishReason::Length,
        FinishReason::Refusal,
        FinishReason::Paused,
        FinishReason::Other,
    ];
    let parts = (0..choices.below(7)).map(|_| reply_part(choices)).collect();
    let mut reply = ModelResponse::new(parts);
    if choices.below(3) == 0 {
        reply.finish_reason = REASONS[choices.below(REASONS.len())];
        reply.refusal = (choices.below(2) == 0).then(|| choices.of(TEXTS).to_owned());
    }
    reply
}

fn reply_part(choices: &mut Choices<'_>) -> Part {
    match choices.below(8) {
        0 => Part::Text(choices.of(TEXTS).to_owned()),
        1 => Part::Reasoning(choices.of(TEXTS).to_owned()),
        2..=4 => Part::Opaque(opaque(choices)),
        _ => {
            let (id, name) = (choices.of(IDS), choices.of(NAMES));
            Part::Call(ToolCall::new(id, name, choices.of(ARGUMENTS)))
        }
    }
}

fn opaque(choices: &mut Choices<'_>) -> Opaque {
    Opaque {
        provider: choices.of(PROVIDERS).to_owned(),
        data: serde_json::from_str(choices.of(DATA)).expect("is JSON"),
    }
}

fn document(choices: &mut Choices<'_>) -> Document {
    match choices.below(5) {
        0 => Document::from_url("application/pdf", "https://example.com/a.pdf"),
        1 => Document::from_bytes("application/pdf", b"%PDF").with_name("a.pdf"),
        2 => Document::from_bytes("text/plain", choices.of(TEXTS)),
        3 => Document::from_bytes("application/zip", b"PK"),
        _ => Document::from_url("text/csv", "https://example.com/a.csv").with_name(""),
    }
}

fn image(choices: &mut Choices<'_>) -> Image {
    match choices.below(3) {
        0 => Image::from_url("https://example.com/a.png"),
        1 => Image::from_url("data:image/png;base64,iVBORw=="),
        _ => Image::from_bytes("image/png", b"\x89PNG"),
    }
}

/// Answers the calls that wait, if any do.
fn answer(conversation: &mut Conversation, choices: &mut Choices<'_>) {
    let ids: Vec<_> = conversation
        .pending_calls()
        .map(|call| call.id.clone())
        .collect();
    if ids.is_empty() {
        return;
    }
    let results = ids.into_iter().map(|id| {
        let text = choices.of(TEXTS);
        let outcome = match choices.below(8) {
            6 => Ok(ToolOutput::text(text).with_document(document(choices))),
            7 => Ok(ToolOutput::from(document(choices)).with_image(image(choices))),
            0 => Err(ToolError::not_found(text).with_detail("why", text)),
            1 => Ok(ToolOutput::text(text).with_image(image(choices))),
            2 => Ok(ToolOutput::image(image(choices)).with_text(text)),
            3 => ToolOutput::json(&json!({"a": [text]})),
            4 => Ok(ToolOutput::default()),
            _ => Ok(ToolOutput::text(text)),
        };
        ToolResult::new(id, outcome)
    });
    let results: Vec<_> = results.collect();
    conversation
        .push_results(results)
        .expect("one for each call");
}

//! Messages as a client has them: put together of chunks, and made of a conversation.

use serde_json::{Value, json};
use toolwright::{
    Conversation, ModelResponse, ToolCall, ToolError, ToolOutput, ToolResult,
    message::{Audio, Document, Image, Part, UserMessage},
    streams::ui_message::{UiMessage, UiMessageChunk, history},
    tool::JsonText,
};

fn json_of(message: &UiMessage) -> Value {
    serde_json::to_value(message).expect("is JSON")
}

fn applied(chunks: &[UiMessageChunk]) -> UiMessage {
    let mut message = UiMessage::assistant("m");
    for chunk in chunks {
        message.apply(chunk).expect("is in order");
    }
    message
}

fn streaming(arguments: &str) -> Value {
    let tool_call_id = || "c".to_owned();
    let message = applied(&[
        UiMessageChunk::ToolInputStart {
            tool_call_id: tool_call_id(),
            tool_name: "look".to_owned(),
        },
        UiMessageChunk::ToolInputDelta {
            tool_call_id: tool_call_id(),
            input_text_delta: arguments.to_owned(),
        },
    ]);
    json_of(&message)["parts"][0].clone()
}

/// What `parsePartialJson` of `ai` 6.0.326 made of these texts.
#[test]
fn arguments_are_known_as_far_as_they_have_come() {
    for (text, input) in [
        (r#"{"city""#, json!({})),
        (r#"{"city": "Os"#, json!({"city": "Os"})),
        (r#"{"city": "Oslo", "da"#, json!({"city": "Oslo"})),
        (r#"{"days": 1"#, json!({"days": 1})),
        (r#"{"days": [1, 2"#, json!({"days": [1, 2]})),
        (r#"{"a": {"b": tr"#, json!({"a": {"b": true}})),
        (r#"{"a": "x\u00e"#, json!({"a": "x"})),
        (r#"[{"a": nul"#, json!([{"a": null}])),
        ("12", json!(12)),
    ] {
        let part = streaming(text);
        let expected = json!({
            "type": "tool-look", "toolCallId": "c", "state": "input-streaming", "input": input, "rawInput": text,
        });
        assert_eq!(part, expected);
    }
    for text in ["<", "{\"__proto__\": 1"] {
        assert_eq!(streaming(text).get("input"), None, "{text}");
    }
}

#[test]
fn a_chunk_out_of_order_is_refused() {
    let (id, delta) = ("0-0".to_owned(), "Hi".to_owned());
    let mut message = UiMessage::assistant("m");
    let refused = message.apply(&UiMessageChunk::TextDelta { id, delta });
    let refused = refused.expect_err("no text is open");
    assert_eq!(
        refused.to_string(),
        "the message has no open text with the id `0-0`"
    );
    let (tool_call_id, output) = ("c".to_owned(), JsonText::new("1").expect("is JSON"));
    let refused = message.apply(&UiMessageChunk::ToolOutputAvailable {
        tool_call_id,
        output,
        preliminary: None,
        provider_executed: None,
    });
    assert!(refused.is_err());
    assert_eq!(*message.parts(), []);
}

#[test]
fn a_message_of_the_user_has_its_texts_and_images() {
    let message = UserMessage::new([
        Part::Text("What is it?".to_owned()),
        Part::Image(Image::from_bytes("image/png", b"\x89PNG")),
    ]);
    let expected = json!({"id": "u", "role": "user", "parts": [
        {"type": "text", "text": "What is it?"},
        {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,iVBORw=="},
    ]});
    assert_eq!(json_of(&UiMessage::user("u", &message)), expected);
}

#[test]
fn a_message_of_the_user_has_its_documents_and_its_sound() {
    let document = Document::from_bytes("application/pdf", b"%PDF").with_name("a.pdf");
    let audio = Audio::from_url("audio/wav", "https://h/a.wav");
    let message = UserMessage::new([Part::Document(document), Part::Audio(audio)]);
    let expected = json!({"id": "u", "role": "user", "parts": [
        {
            "type": "file", "mediaType": "application/pdf", "filename": "a.pdf",
            "url": "data:application/pdf;base64,JVBERg==",
        },
        {"type": "file", "mediaType": "audio/wav", "url": "https://h/a.wav"},
    ]});
    assert_eq!(json_of(&UiMessage::user("u", &message)), expected);
}

#[test]
fn a_conversation_is_the_messages_of_it() {
    let mut conversation = Conversation::new();
    conversation.push_user("Weather?");
    let calls = [
        ToolCall::new("a", "look", r#"{"city": "Oslo"}"#),
        ToolCall::new("b", "look", r#"{"city": "#),
    ];
    conversation.push_response(ModelResponse::from_calls(calls));
    let results = [
        ToolResult::success("a", ToolOutput::text("rain")),
        ToolResult::error("b", ToolError::invalid_arguments("no JSON")),
    ];
    conversation.push_results(results).expect("they wait");
    let reply = [
        Part::Reasoning("Hm.".to_owned()),
        Part::Text("It rains.".to_owned()),
    ];
    conversation.push_response(ModelResponse::new(reply.into_iter().collect()));
    let messages = history(&conversation);
    let messages: Vec<_> = messages.iter().map(json_of).collect();
    let expected = [
        json!({"id": "history-0", "role": "user", "parts": [{"type": "text", "text": "Weather?"}]}),
        json!({"id": "history-1", "role": "assistant", "parts": [
            {"type": "step-start"},
            {
                "type": "tool-look", "toolCallId": "history-1:0.0", "state": "output-available",
                "input": {"city": "Oslo"}, "output": "rain",
            },
            {
                "type": "tool-look", "toolCallId": "history-1:0.1", "state": "output-error",
                "rawInput": "{\"city\": ", "errorText": "Tool execution failed (invalidArguments): no JSON",
            },
            {"type": "step-start"},
            {"type": "reasoning", "id": "1-0", "text": "Hm.", "state": "done"},
            {"type": "text", "text": "It rains.", "state": "done"},
        ]}),
    ];
    assert_eq!(messages, expected);
}

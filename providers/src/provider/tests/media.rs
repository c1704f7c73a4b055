//! What each provider is sent of documents and of sound, and what it is told of those that it does not take.

use serde_json::{Value, json};
use toolwright_core::{
    Conversation,
    message::{Audio, Document, Part, UserMessage},
    model::{ModelRequest, ModelResponse},
    tool::{ToolCall, ToolOutput, ToolResult},
};

use super::encode;
use crate::provider::{
    AnthropicCodec, Codec, GeminiCodec, OllamaCodec, OpenAiChatCodec, OpenAiResponsesCodec,
};

fn pdf() -> Document {
    Document::from_bytes("application/pdf", b"%PDF").with_name("a.pdf")
}

fn all() -> [Part; 6] {
    [
        Part::Document(pdf()),
        Part::Document(Document::from_url("application/pdf", "https://h/a.pdf")),
        Part::Document(Document::from_bytes("text/plain", "hi").with_name("a.txt")),
        Part::Document(Document::from_bytes("application/zip", b"PK")),
        Part::Audio(Audio::from_bytes("audio/wav", b"RIFF")),
        Part::Audio(Audio::from_url("audio/ogg", "https://h/a.ogg")),
    ]
}

fn sent(encode: fn(&str, &ModelRequest) -> Vec<u8>, model: &str, request: &ModelRequest) -> Value {
    serde_json::from_slice(&encode(model, request)).expect("is JSON")
}

fn of_user() -> ModelRequest {
    let mut conversation = Conversation::new();
    conversation.push_user(UserMessage::new(all()));
    conversation.request()
}

/// A tool that returns a document.
fn returned() -> ModelRequest {
    let mut conversation = Conversation::new();
    conversation.push_user("hi");
    conversation.push_response(ModelResponse::from_calls([ToolCall::new(
        "a", "look", "{}",
    )]));
    let output = ToolOutput::text("Here:").with_document(pdf());
    let results = [ToolResult::success("a", output)];
    conversation.push_results(results).expect("it waits");
    conversation.request()
}

const ZIP: &str = "(document, application/zip, which cannot be shown)";
const OGG: &str = "(recording, audio/ogg: https://h/a.ogg)";
const PDF_AT: &str = "(document, application/pdf: https://h/a.pdf)";
const PDF_DATA: &str = "data:application/pdf;base64,JVBERg==";

fn codes(warnings: Vec<toolwright_core::model::Warning>) -> Vec<String> {
    warnings.into_iter().map(|warning| warning.code).collect()
}

#[test]
fn chat_completions_takes_pdf_wav_and_mp3_by_their_bytes() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let file = json!({"type": "file", "file": {"filename": "a.pdf", "file_data": PDF_DATA}});
    let audio =
        json!({"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}});
    let body = sent(encode::<OpenAiChatCodec>, "m", &of_user());
    assert_eq!(
        body["messages"][0]["content"],
        json!([
            file,
            text(PDF_AT),
            text("a.txt:\nhi"),
            text(ZIP),
            audio,
            text(OGG)
        ])
    );
    assert_eq!(
        codes(OpenAiChatCodec::new().warnings(&of_user())),
        ["document_not_sent", "audio_not_sent"]
    );
    let body = sent(encode::<OpenAiChatCodec>, "m", &returned());
    assert_eq!(body["messages"][2]["content"], "Here:\n(1 document)");
    let line = text("Files in the result of the call a:");
    assert_eq!(body["messages"][3]["content"], json!([line, file]));
    assert_eq!(codes(OpenAiChatCodec::new().warnings(&returned())), [""; 0]);
}

#[test]
fn responses_takes_documents_and_no_sound() {
    let text = |text: &str| json!({"type": "input_text", "text": text});
    let file =
        |name: &str, data: &str| json!({"type": "input_file", "filename": name, "file_data": data});
    let body = sent(encode::<OpenAiResponsesCodec>, "m", &of_user());
    assert_eq!(
        body["input"][0]["content"],
        json!([
            file("a.pdf", PDF_DATA),
            {"type": "input_file", "file_url": "https://h/a.pdf"},
            file("a.txt", "data:text/plain;base64,aGk="),
            file("document", "data:application/zip;base64,UEs="),
            text("(recording, audio/wav, which cannot be shown)"),
            text(OGG)
        ])
    );
    assert_eq!(
        codes(OpenAiResponsesCodec::new().warnings(&of_user())),
        ["audio_not_sent"]
    );
    let body = sent(encode::<OpenAiResponsesCodec>, "m", &returned());
    assert_eq!(
        body["input"][2]["output"],
        json!([text("Here:"), file("a.pdf", PDF_DATA)])
    );
}

#[test]
fn anthropic_takes_pdf_and_text() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let pdf = json!({"type": "document", "title": "a.pdf",
        "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERg=="}});
    let body = sent(encode::<AnthropicCodec>, "m", &of_user());
    assert_eq!(
        body["messages"][0]["content"],
        json!([
            pdf,
            {"type": "document", "source": {"type": "url", "url": "https://h/a.pdf"}},
            {"type": "document", "title": "a.txt",
                "source": {"type": "text", "media_type": "text/plain", "data": "hi"}},
            text(ZIP),
            text("(recording, audio/wav, which cannot be shown)"),
            text(OGG)
        ])
    );
    assert_eq!(
        codes(AnthropicCodec::new().warnings(&of_user())),
        ["document_not_sent", "audio_not_sent"]
    );
    let body = sent(encode::<AnthropicCodec>, "m", &returned());
    let result = &body["messages"][2]["content"][0];
    assert_eq!(result["content"], json!([text("Here:"), pdf]));
}

#[test]
fn gemini_takes_all() {
    let data = |kind: &str, data: &str| json!({"inlineData": {"mimeType": kind, "data": data}});
    let file = |kind: &str, uri: &str| json!({"fileData": {"mimeType": kind, "fileUri": uri}});
    let body = sent(encode::<GeminiCodec>, "gemini-3-x", &of_user());
    assert_eq!(
        body["contents"][0]["parts"],
        json!([
            data("application/pdf", "JVBERg=="),
            file("application/pdf", "https://h/a.pdf"),
            data("text/plain", "aGk="),
            data("application/zip", "UEs="),
            data("audio/wav", "UklGRg=="),
            file("audio/ogg", "https://h/a.ogg")
        ])
    );
    assert_eq!(codes(GeminiCodec::new().warnings(&of_user())), [""; 0]);
    let inside = sent(encode::<GeminiCodec>, "gemini-3-x", &returned());
    let response = &inside["contents"][2]["parts"][0]["functionResponse"];
    assert_eq!(
        response["parts"],
        json!([data("application/pdf", "JVBERg==")])
    );
    let after = sent(encode::<GeminiCodec>, "gemini-2.5-x", &returned());
    let parts = &after["contents"][2]["parts"];
    assert_eq!(parts[1], json!({"text": "Files in the result of `look`:"}));
    assert_eq!(parts[2], data("application/pdf", "JVBERg=="));
}

#[test]
fn ollama_is_told_of_all_in_words() {
    let pdf = "(document a.pdf, application/pdf, which cannot be shown)";
    let wav = "(recording, audio/wav, which cannot be shown)";
    let body = sent(encode::<OllamaCodec>, "m", &of_user());
    let lines = [pdf, PDF_AT, "a.txt:\nhi", ZIP, wav, OGG].join("\n");
    assert_eq!(body["messages"][0]["content"], lines);
    assert_eq!(
        codes(OllamaCodec::new().warnings(&of_user())),
        ["document_not_sent", "audio_not_sent"]
    );
    let body = sent(encode::<OllamaCodec>, "m", &returned());
    assert_eq!(
        body["messages"][2]["content"],
        format!("Here:\n(1 document)\n{pdf}")
    );
}

//! Images and sound that a model makes: they are parts of its response, and go back or are told.

use serde_json::{Value, json};
use toolwright_core::{
    Message, ModelRequest, ModelResponse, Part,
    message::{AssistantMessage, Audio, Document, Image},
    tool::ToolDefinitions,
};

use super::{Decode, GEMINI, OLLAMA, OPENAI_CHAT, OPENAI_RESPONSES, sse};
use crate::provider::{
    AnthropicCodec, Codec, EncodeInput, GeminiCodec, OllamaCodec, OpenAiChatCodec,
    OpenAiResponsesCodec,
};

/// The beginning of a PNG, in base64.
const PNG: &str = "iVBORw==";
/// The beginning of a WAV file, in base64.
const WAV: &str = "UklGRg==";

fn picture() -> Part {
    Part::Image(Image::from_bytes("image/png", b"\x89PNG"))
}

/// What people see of a response: its parts but for what the provider alone reads.
fn seen(response: &ModelResponse) -> Vec<Part> {
    let parts = response.parts.iter().filter(|part| {
        matches!(
            part,
            Part::Text(_) | Part::Image(_) | Part::Document(_) | Part::Audio(_)
        )
    });
    parts.cloned().collect()
}

/// Checks what is seen of a response, whole and streamed. Returns it.
#[track_caller]
fn check(
    whole: ModelResponse,
    (decode, events): (Decode, &[Value]),
    expected: &[Part],
) -> ModelResponse {
    let events: Vec<_> = events.iter().map(Value::to_string).collect();
    let streamed = decode(sse(&events).as_bytes(), 11);
    for (form, response) in [("whole", &whole), ("streamed", &streamed)] {
        assert_eq!(seen(response), expected, "{form}: {:?}", response.parts);
        assert_eq!(response.text, whole.text, "{form}");
    }
    whole
}

/// The body of a request after a response of these parts.
fn body_after(codec: &impl Codec, model: &str, parts: Vec<Part>) -> Value {
    let said = AssistantMessage {
        tool_rounds: [].into(),
        parts: parts.into(),
    };
    let request = ModelRequest::new([
        Message::user("Draw."),
        Message::Assistant(said),
        Message::user("Brighter."),
    ]);
    let body = codec.encode(EncodeInput::new(model, &request));
    serde_json::from_slice(&body.expect("is written")).expect("is JSON")
}

#[test]
fn responses_make_an_image_and_take_it_back() {
    let item = json!({"type": "image_generation_call", "id": "ig_1", "status": "completed",
        "output_format": "png", "revised_prompt": "A lawn.", "result": PNG});
    let whole = json!({"status": "completed", "output": [item]});
    let events = [
        json!({"type": "response.output_item.added", "output_index": 0,
            "item": {"type": "image_generation_call", "id": "ig_1", "status": "in_progress"}}),
        json!({"type": "response.image_generation_call.partial_image", "output_index": 0, "item_id": "ig_1",
            "partial_image_index": 0, "partial_image_b64": "iVBO"}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": whole}),
    ];
    let decoded = OpenAiResponsesCodec::new()
        .decode(&ToolDefinitions::default(), whole.to_string().as_bytes())
        .expect("is a response");
    let response = check(decoded, (OPENAI_RESPONSES, &events), &[picture()]);
    let stored = serde_json::to_string(&response).expect("is JSON");
    assert_eq!(stored.matches(PNG).count(), 1, "it is kept once: {stored}");
    let codec = OpenAiResponsesCodec::new();
    let body = body_after(&codec, "m", response.parts.to_vec());
    assert_eq!(body["input"][1], item);
    // One that failed shows nothing.
    let failed =
        json!({"type": "image_generation_call", "id": "ig_1", "status": "failed", "result": null});
    let whole = json!({"status": "completed", "output": [failed]});
    let events = [json!({"type": "response.completed", "response": whole})];
    let decoded = OpenAiResponsesCodec::new()
        .decode(&ToolDefinitions::default(), whole.to_string().as_bytes())
        .expect("is a response");
    check(decoded, (OPENAI_RESPONSES, &events), &[]);
}

#[test]
fn gemini_makes_images_and_sound_and_takes_them_back() {
    let image =
        json!({"inlineData": {"mimeType": "image/png", "data": PNG}, "thoughtSignature": "c2ln"});
    let sound = json!({"inlineData": {"mimeType": "audio/wav", "data": WAV}});
    let file = json!({"fileData": {"mimeType": "application/pdf", "fileUri": "https://h/a.pdf"}});
    let draft = json!({"inlineData": {"mimeType": "image/png", "data": "AAAA"}, "thought": true});
    let parts = json!([draft, {"text": "Here:"}, image, sound, file]);
    let chunk = |parts: &Value, end: &Value| json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": end}]});
    let whole = chunk(&parts, &"STOP".into());
    let events: Vec<_> = parts
        .as_array()
        .expect("is one")
        .iter()
        .map(|part| chunk(&json!([part]), &Value::Null))
        .chain([chunk(&json!([]), &"STOP".into())])
        .collect();
    let decoded = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), whole.to_string().as_bytes())
        .expect("is a response");
    let expected = [
        Part::Text("Here:".into()),
        picture(),
        Part::Audio(Audio::from_bytes("audio/wav", b"RIFF")),
        Part::Document(Document::from_url("application/pdf", "https://h/a.pdf")),
    ];
    let response = check(decoded, (GEMINI, &events), &expected);
    let stored = serde_json::to_string(&response).expect("is JSON");
    assert_eq!(stored.matches(PNG).count(), 1, "it is kept once: {stored}");
    let codec = GeminiCodec::new();
    let body = body_after(&codec, "gemini-3-pro-image", response.parts.to_vec());
    assert_eq!(body["contents"][1]["parts"], parts);
}

#[test]
fn chat_servers_make_images_beside_the_content() {
    // openrouter.ai, "Image generation".
    let address = format!("data:image/png;base64,{PNG}");
    let images = json!([{"type": "image_url", "image_url": {"url": address}, "index": 0}]);
    let message = json!({"role": "assistant", "content": "", "images": images});
    let whole = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
    let events = [
        json!({"choices": [{"delta": {"role": "assistant", "content": ""}}]}),
        json!({"choices": [{"delta": {"images": images}}]}),
        json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}),
    ];
    let decoded = OpenAiChatCodec::new()
        .decode(&ToolDefinitions::default(), whole.to_string().as_bytes())
        .expect("is a response");
    let response = check(decoded, (OPENAI_CHAT, &events), &[picture()]);
    // A list of content has them as well.
    let content = json!([{"type": "text", "text": "Here:"},
        {"type": "image_url", "image_url": {"url": address}}]);
    let whole = json!({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]});
    let events = [json!({"choices": [{"delta": {"content": content}, "finish_reason": "stop"}]})];
    let decoded = OpenAiChatCodec::new()
        .decode(&ToolDefinitions::default(), whole.to_string().as_bytes())
        .expect("is a response");
    let expected = [Part::Text("Here:".into()), picture()];
    check(decoded, (OPENAI_CHAT, &events), &expected);
    // The protocol takes no image of the model: the next request says that there was one.
    let codec = OpenAiChatCodec::new();
    let body = body_after(&codec, "m", response.parts.to_vec());
    let told = "(image, image/png, which cannot be shown)";
    assert_eq!(
        body["messages"][1],
        json!({"role": "assistant", "content": told})
    );
}

#[test]
fn chat_sound_is_a_recording_and_its_transcript_is_the_text() {
    // platform.openai.com, "Audio and speech".
    let audio = json!({"id": "audio_1", "expires_at": 1_729_018_505, "data": WAV, "transcript": "Yes, it is."});
    let message = json!({"role": "assistant", "content": null, "audio": audio});
    let whole = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
    let delta = |audio: Value| json!({"choices": [{"delta": {"audio": audio}}]});
    let events = [
        delta(json!({"id": "audio_1", "transcript": "Yes,"})),
        delta(json!({"data": "Ukk="})),
        delta(json!({"transcript": " it is."})),
        delta(json!({"data": "RkY="})),
        delta(json!({"expires_at": 1_729_018_505})),
        json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}),
    ];
    let decoded = OpenAiChatCodec::new()
        .decode(&ToolDefinitions::default(), whole.to_string().as_bytes())
        .expect("is a response");
    let expected = [
        Part::Text("Yes, it is.".into()),
        Part::Audio(Audio::from_bytes("audio/wav", b"RIFF")),
    ];
    let response = check(decoded, (OPENAI_CHAT, &events), &expected);
    let stored = serde_json::to_string(&response).expect("is JSON");
    assert_eq!(stored.matches(WAV).count(), 1, "it is kept once: {stored}");
    assert_eq!(response.metadata["audio"]["id"], "audio_1");
    // What was said goes back in words: the id of a recording is good for an hour.
    let codec = OpenAiChatCodec::new();
    let body = body_after(&codec, "m", response.parts.to_vec());
    let said = "Yes, it is.";
    assert_eq!(
        body["messages"][1],
        json!({"role": "assistant", "content": said})
    );
}

#[test]
fn ollama_makes_images_and_takes_them_back() {
    let line =
        json!({"message": {"role": "assistant", "content": "", "images": [PNG]}, "done": false});
    let end = json!({"message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop"});
    let mut whole = line.clone();
    whole["done"] = true.into();
    whole["done_reason"] = "stop".into();
    let whole = OllamaCodec::new()
        .decode(&ToolDefinitions::default(), whole.to_string().as_bytes())
        .expect("is a response");
    let streamed = OLLAMA(format!("{line}\n{end}\n").as_bytes(), 11);
    for response in [&whole, &streamed] {
        assert_eq!(seen(response), [picture()]);
    }
    let body = body_after(&OllamaCodec::new(), "m", whole.parts.to_vec());
    assert_eq!(body["messages"][1]["images"], json!([PNG]));
}

#[test]
fn media_without_a_source_are_no_answer() {
    let url = |url: &str| json!([{"type": "image_url", "image_url": {"url": url}}]);
    for message in [
        json!({"audio": {"data": ""}}),
        json!({"images": url("")}),
        json!({"images": url("data:image/png;base64,")}),
        json!({"content": url("")}),
    ] {
        let whole = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
        let events = [json!({"choices": [{"delta": message, "finish_reason": "stop"}]})];
        let decoded = OpenAiChatCodec::new()
            .decode(&ToolDefinitions::default(), whole.to_string().as_bytes())
            .expect("is a response");
        check(decoded, (OPENAI_CHAT, &events), &[]);
    }
    for part in [
        json!({"inlineData": {"mimeType": "image/png", "data": ""}, "thoughtSignature": "c2ln"}),
        json!({"fileData": {"mimeType": "image/png", "fileUri": ""}}),
    ] {
        let whole = json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]});
        let decoded = GeminiCodec::new()
            .decode(&ToolDefinitions::default(), whole.to_string().as_bytes())
            .expect("is a response");
        check(decoded, (GEMINI, &[whole]), &[]);
    }
    let line =
        json!({"message": {"content": "", "images": [""]}, "done": true, "done_reason": "stop"});
    let whole = OllamaCodec::new()
        .decode(&ToolDefinitions::default(), line.to_string().as_bytes())
        .expect("is a response");
    let streamed = OLLAMA(format!("{line}\n").as_bytes(), 11);
    assert_eq!([seen(&whole), seen(&streamed)], [vec![], vec![]]);
}

#[test]
fn a_named_image_of_gemini_is_an_image_and_keeps_its_name() {
    let parts = json!([
        {"inlineData": {"mimeType": "image/png", "data": PNG, "displayName": "a.png"}, "thoughtSignature": "c2ln"},
        {"fileData": {"mimeType": "application/pdf", "fileUri": "https://h/a.pdf", "displayName": "a.pdf"}},
    ]);
    let whole = json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]});
    let decoded = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), whole.to_string().as_bytes())
        .expect("is a response");
    let file = Part::Document(Document::from_url("application/pdf", "https://h/a.pdf"));
    let response = check(decoded, (GEMINI, &[whole]), &[picture(), file]);
    let codec = GeminiCodec::new();
    let body = body_after(&codec, "gemini-3-pro-image", response.parts.to_vec());
    assert_eq!(body["contents"][1]["parts"], parts);
}

#[test]
fn an_image_that_gemini_has_not_signed_is_told_where_a_signature_is_asked_for() {
    let codec = GeminiCodec::new();
    let told = json!([{"text": "(image, image/png, which cannot be shown)"}]);
    let body = body_after(&codec, "gemini-3-pro-image", vec![picture()]);
    assert_eq!(body["contents"][1]["parts"], told);
    // Older models sign none, and take theirs back.
    let sent = json!([{"inlineData": {"mimeType": "image/png", "data": PNG}}]);
    let body = body_after(&codec, "gemini-2.5-flash-image", vec![picture()]);
    assert_eq!(body["contents"][1]["parts"], sent);
}

#[test]
fn what_another_provider_made_is_told_where_it_cannot_go() {
    let parts = || {
        vec![
            picture(),
            Part::Audio(Audio::from_bytes("audio/wav", b"RIFF")),
        ]
    };
    let told =
        "(image, image/png, which cannot be shown)\n(recording, audio/wav, which cannot be shown)";
    let body = body_after(&AnthropicCodec::new(), "m", parts());
    let content = json!([{"type": "text", "text": told.lines().next()},
        {"type": "text", "text": told.lines().nth(1)}]);
    assert_eq!(
        body["messages"][1],
        json!({"role": "assistant", "content": content})
    );
    let body = body_after(&OpenAiResponsesCodec::new(), "m", parts());
    let said: Vec<_> = told
        .lines()
        .map(|line| json!({"type": "message", "role": "assistant", "content": line}))
        .collect();
    assert_eq!(body["input"][1], said[0]);
    assert_eq!(body["input"][2], said[1]);
    let body = body_after(&OllamaCodec::new(), "m", parts());
    assert_eq!(body["messages"][1]["images"], json!([PNG]));
    assert_eq!(
        body["messages"][1]["content"],
        told.lines().nth(1).expect("is there")
    );
}

//! Transcripts of one provider that go on to another, as the double judges them.

#[path = "../running/transcripts/speakers.rs"]
mod speakers;
#[path = "../running/transcripts/turns.rs"]
mod turns;

use serde_json::Value;
use toolwright::{
    Conversation, ModelError, ModelResponse, ToolDefinition,
    message::Part,
    model::ModelRequest,
    provider::{
        AnthropicCodec, Codec as _, EncodeInput, GeminiCodec, OllamaCodec, OpenAiChatCodec,
        OpenAiResponsesCodec,
    },
    schema::Schema,
    tool::ToolDefinitions,
};

use super::double::Server;
use speakers::{Speaker, speakers};
use turns::go_on;

/// A codec at the double.
struct Codec {
    name: &'static str,
    path: &'static str,
    encode: fn(&str, &ModelRequest) -> Vec<u8>,
    decode: fn(&[u8]) -> Result<ModelResponse, ModelError>,
    model: &'static str,
}

macro_rules! codec {
    ($codec:ident, $path:literal, $model:literal) => {
        Codec {
            name: $codec::PROVIDER,
            path: $path,
            encode: |model, request| {
                let input = EncodeInput::new(model, request);
                $codec::new().encode(input).expect("can be sent")
            },
            decode: |body| $codec::new().decode(&ToolDefinitions::default(), body),
            model: $model,
        }
    };
}

const CODECS: [Codec; 5] = [
    codec!(OpenAiChatCodec, "/v1/chat/completions", "sim-text"),
    codec!(OpenAiResponsesCodec, "/v1/responses", "sim-text"),
    codec!(AnthropicCodec, "/v1/messages", "sim-text"),
    codec!(
        GeminiCodec,
        "/v1beta/models/gemini-3-sim-text:generateContent",
        "gemini-3-sim-text"
    ),
    codec!(OllamaCodec, "/api/chat", "sim-text"),
];

fn codec(name: &str) -> &'static Codec {
    const ALL: &[Codec] = &CODECS;
    let found = ALL.iter().find(|codec| codec.name == name);
    found.expect("is one of the five")
}

/// The servers of the vendors are not the double, which plays OpenAI.
fn own(speaker: &Speaker) -> bool {
    matches!(
        speaker.name,
        "OpenAI" | "OpenAI Responses" | "Anthropic" | "Gemini" | "Ollama"
    )
}

/// Says all that a speaker says, and hands out the conversation before each reply.
fn speak(
    speaker: &Speaker,
    conversation: &mut Conversation,
    images: bool,
    mut ask: impl FnMut(&Conversation),
) {
    for reply in &speaker.replies {
        go_on(conversation, images);
        ask(conversation);
        let body = reply.to_string();
        let mut reply = (codec(speaker.codec).decode)(body.as_bytes()).expect("is a reply");
        for part in reply.parts.to_mut() {
            if let Part::Opaque(opaque) = part
                && (!own(speaker) || speaker.codec == OllamaCodec::PROVIDER)
            {
                // As the model marks them that asks this server. Ollama's is made up: the SDK knows none.
                opaque.provider = format!("{}:{}", opaque.provider, speaker.name);
            }
        }
        conversation.push_response(reply);
    }
    go_on(conversation, images);
    ask(conversation);
}

fn takes(server: &Server, codec: &Codec, conversation: &Conversation) {
    let schema = r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}"#;
    let schema = Schema::from_text(schema).expect("is JSON");
    let tool = ToolDefinition::new("get_weather", "Get the weather in a city.", schema);
    let request = conversation.request().with_tools([tool]);
    let body = (codec.encode)(codec.model, &request);
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    server.takes(codec.path, &body);
}

/// All pairs: the second takes what the first has said, and the first what the second has said.
pub(crate) fn check(server: &Server) {
    let mut pairs = 0;
    for first in speakers() {
        for second in speakers().into_iter().filter(own) {
            eprintln!("{}, then {}", first.name, second.name);
            // The double knows images of Ollama by the type that they have in the SDK before it writes
            // them.
            let images = ![first.codec, second.codec].contains(&OllamaCodec::PROVIDER);
            let mut conversation = Conversation::new();
            speak(&first, &mut conversation, images, |_| {});
            let there = codec(second.codec);
            speak(&second, &mut conversation, images, |conversation| {
                takes(server, there, conversation);
            });
            if own(&first) {
                takes(server, codec(first.codec), &conversation);
            }
            pairs += 1;
        }
    }
    assert_eq!(pairs, 9 * 5);
}

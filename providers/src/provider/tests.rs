//! What holds in every codec.

mod activities;
mod answer_schemas;
mod encoded_rounds;
mod ends;
mod every_variant;
mod extra_fields;
mod generations;
mod halves;
mod media;
mod media_answers;
mod usage;
mod vendors;

use toolwright_core::{ModelRequest, ModelResponse, model::ModelEvent, tool::ToolDefinitions};

use super::{
    AnthropicCodec, Codec, DecodeStream, EncodeInput, GeminiCodec, OllamaCodec, OpenAiChatCodec,
    OpenAiResponsesCodec,
};

/// Decodes a stream that comes in pieces of this many bytes.
fn decode<C: Codec + Default>(stream: &[u8], bytes: usize) -> ModelResponse {
    let mut events: Vec<ModelEvent> = Vec::new();
    let mut decoder = C::default().stream_decoder(&ToolDefinitions::default());
    for piece in stream.chunks(bytes) {
        decoder.feed(piece, &mut events).expect("is read");
    }
    decoder.finish(&mut events).expect("is whole");
    events.into_iter().collect()
}

/// The body of a request.
fn encode<C: Codec + Default>(model: &str, request: &ModelRequest) -> Vec<u8> {
    let input = EncodeInput::new(model, request);
    C::default().encode(input).expect("can be sent")
}

type Decode = fn(&[u8], usize) -> ModelResponse;

const ANTHROPIC: Decode = decode::<AnthropicCodec>;
const GEMINI: Decode = decode::<GeminiCodec>;
const OLLAMA: Decode = decode::<OllamaCodec>;
const OPENAI_CHAT: Decode = decode::<OpenAiChatCodec>;
const OPENAI_RESPONSES: Decode = decode::<OpenAiResponsesCodec>;

/// Events as server-sent events.
fn sse(events: &[String]) -> String {
    let events = events.iter().map(|event| format!("data: {event}\n\n"));
    events.collect()
}

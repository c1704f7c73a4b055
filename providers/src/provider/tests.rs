//! What holds in every codec.

mod answer_schemas;
mod encoded_rounds;
mod ends;
mod every_variant;
mod halves;
mod media;
mod media_answers;
mod usage;

use toolwright_core::{ModelResponse, model::ModelEvent};

use super::DecodeStream;

/// Decodes a stream that comes in pieces of this many bytes.
fn decode<D: DecodeStream + Default>(stream: &[u8], bytes: usize) -> ModelResponse {
    let mut events: Vec<ModelEvent> = Vec::new();
    let mut decoder = D::default();
    for piece in stream.chunks(bytes) {
        decoder.feed(piece, &mut events).expect("is read");
    }
    decoder.finish(&mut events).expect("is whole");
    events.into_iter().collect()
}

type Decode = fn(&[u8], usize) -> ModelResponse;

const ANTHROPIC: Decode = decode::<super::anthropic::StreamDecoder>;
const GEMINI: Decode = decode::<super::gemini::StreamDecoder>;
const OLLAMA: Decode = decode::<super::ollama::StreamDecoder>;
const OPENAI_CHAT: Decode = decode::<super::openai_chat::StreamDecoder>;
const OPENAI_RESPONSES: Decode = decode::<super::openai_responses::StreamDecoder>;

/// Events as server-sent events.
fn sse(events: &[String]) -> String {
    let events = events.iter().map(|event| format!("data: {event}\n\n"));
    events.collect()
}

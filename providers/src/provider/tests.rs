//! What holds in every codec.

mod ends;
mod every_variant;
mod halves;

use toolwright_runtime::{ModelResponse, model::ModelEvent};

/// Decodes a stream that comes in pieces of this many bytes.
macro_rules! decoder {
    ($codec:ident) => {
        |stream: &[u8], bytes: usize| {
            let mut events: Vec<ModelEvent> = Vec::new();
            let mut decoder = super::$codec::StreamDecoder::new();
            for piece in stream.chunks(bytes) {
                decoder.feed(piece, &mut events).expect("is read");
            }
            decoder.finish(&mut events).expect("is whole");
            events.into_iter().collect()
        }
    };
}

type Decode = fn(&[u8], usize) -> ModelResponse;

const ANTHROPIC: Decode = decoder!(anthropic);
const GEMINI: Decode = decoder!(gemini);
const OLLAMA: Decode = decoder!(ollama);
const OPENAI_CHAT: Decode = decoder!(openai_chat);
const OPENAI_RESPONSES: Decode = decoder!(openai_responses);

/// Events as server-sent events.
fn sse(events: &[String]) -> String {
    let events = events.iter().map(|event| format!("data: {event}\n\n"));
    events.collect()
}

//! The codec of Lantern, a protocol that nobody else speaks: a request is a line of JSON, the question, and
//! the response is lines of JSON.
//!
//! ```text
//! > {"model": …, "rules": …, "functions": […], "call": "may", "turns": […]}
//! < {"is": "begin", "model": "lantern-2"}
//! < {"is": "say", "text": "Let me "}
//! < {"is": "call", "n": 0, "id": "c1", "function": "find_shelf"}
//! < {"is": "with", "n": 0, "json": "{\"title\":"}
//! < {"is": "seal", "data": "…"}
//! < {"is": "end", "why": "calls", "read": 81, "wrote": 17}
//! ```

use toolwright::{
    ModelError,
    model::{ModelErrorKind, ModelRequest, Warning},
    provider::{Codec, EncodeInput},
    tool::ToolDefinitions,
};

use crate::{decode::Decoder, encode};

/// The protocol. `HttpModel` sends and reads for it.
#[derive(Debug, Clone)]
pub(crate) struct Lantern;

impl Codec for Lantern {
    const PROVIDER: &'static str = "lantern";

    type Stream = Decoder;

    fn encode(&self, input: EncodeInput<'_>) -> Result<Vec<u8>, ModelError> {
        encode::encode(&input)
            .map_err(|error| ModelError::new(ModelErrorKind::InvalidRequest, error.to_string()))
    }

    fn stream_decoder(&self, _tools: &ToolDefinitions) -> Decoder {
        Decoder::default()
    }

    fn path(&self, _model: &str, _streamed: bool) -> String {
        "ask".to_owned()
    }

    fn warnings(&self, request: &ModelRequest) -> Vec<Warning> {
        encode::warnings(request)
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        ("x-lantern-key", key.to_owned())
    }
}

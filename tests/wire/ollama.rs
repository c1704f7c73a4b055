//! Ollama's own chat.

mod replay;
mod sent;

use std::path::Path;

use libtest_mimic::Trial;
use toolwright::{
    ModelResponse,
    provider::ollama::{self, StreamDecoder},
};

use crate::{
    outcome::{Codec, Outcome, decode_stream},
    record::{Expected, Record},
};

pub(crate) fn check(record: &Record) {
    let codec = Codec {
        decode: ollama::decode,
        decode_error: ollama::decode_error,
        decode_stream: if record.kind == "json" {
            decode_unended
        } else {
            decode_stream!(StreamDecoder)
        },
        compare,
    };
    codec.check(record);
}

/// Decodes a whole reply as the only line of a stream. It has no end of a line, so that the reply is
/// known to be whole only when it has ended.
fn decode_unended(pieces: &[&[u8]]) -> Outcome {
    let decode: fn(&[&[u8]]) -> Outcome = decode_stream!(StreamDecoder);
    let mut outcome = decode(pieces);
    outcome.complete |= outcome.error.is_none();
    outcome
}

fn compare(reply: &ModelResponse, _: &Expected) {
    assert_eq!(reply.warnings, [], "nothing is left out");
    if reply.usage.is_some() {
        assert!(reply.metadata["total_duration"].is_u64());
    }
}

/// A trial for each recorded request, and one for each recorded conversation.
pub(crate) fn trials(folder: &Path) -> Vec<Trial> {
    let mut trials = sent::trials(folder);
    trials.extend(replay::trials(folder));
    trials
}

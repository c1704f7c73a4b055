//! The size of what is sent, in bytes of text.

use std::io;

use serde::Serialize;

use crate::{
    conversation::Piece,
    message::{FileSource, Part, ToolRound},
    tool::{OutputPart, ToolResult},
};

/// The weight of an image: about a thousand tokens.
const IMAGE: u64 = 4_000;

/// The weight of what a provider adds to each part and result: roles, ids, brackets.
const FRAME: u64 = 24;

/// Returns the weight of a piece.
pub(super) fn of(piece: Piece<'_>) -> u64 {
    match piece {
        Piece::User(message) => of_parts(&message.parts),
        Piece::Response(parts) => of_parts(parts),
        Piece::Round(round) => of_round(round),
    }
}

/// Returns the weight of a round.
pub(super) fn of_round(round: &ToolRound) -> u64 {
    of_parts(&round.reply) + round.results.iter().map(of_result).sum::<u64>()
}

/// Returns the weight of a text.
pub(super) fn of_text(text: &str) -> u64 {
    text.len() as u64
}

/// Returns the weight of the JSON of a value.
pub(super) fn of_json(value: &impl Serialize) -> u64 {
    let mut bytes = Bytes(0);
    // What does not serialise is not sent either.
    let _ = serde_json::to_writer(&mut bytes, value);
    bytes.0
}

fn of_parts(parts: &[Part]) -> u64 {
    let of_part = |part: &Part| match part {
        Part::Text(text) | Part::Reasoning(text) => Some(of_text(text)),
        Part::Call(call) => {
            Some(of_text(&call.id) + of_text(&call.name) + of_text(&call.arguments))
        }
        Part::Image(_) => Some(IMAGE),
        Part::Document(document) => Some(of_file(&document.source)),
        Part::Audio(audio) => Some(of_file(&audio.source)),
        Part::Opaque(opaque) => Some(of_json(&opaque.data)),
        // It is never sent.
        Part::Activity(_) => None,
    };
    let weights = parts.iter().filter_map(of_part);
    weights.map(|weight| FRAME + weight).sum()
}

fn of_result(result: &ToolResult) -> u64 {
    let parts = result.outcome.iter().flat_map(|output| &output.parts);
    let media = parts.map(|part| match part {
        OutputPart::Image(_) => IMAGE,
        OutputPart::Document(document) => of_file(&document.source),
        OutputPart::Audio(audio) => of_file(&audio.source),
        OutputPart::Text(_) | OutputPart::Json(_) => 0,
    });
    let text = of_text(&result.call_id) + of_text(&result.to_model_text());
    FRAME + text + media.sum::<u64>()
}

/// A page of a document counts as an image does. Nobody knows their number.
fn of_file(source: &FileSource) -> u64 {
    const PAGE: usize = 64 * 1024;
    source.len().div_ceil(PAGE).max(1) as u64 * IMAGE
}

/// Counts bytes.
struct Bytes(u64);

impl io::Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

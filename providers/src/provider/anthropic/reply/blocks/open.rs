//! A block that has begun and not ended.

use serde_json::{Map, Value};
use toolwright_json::{
    bounded::parse_bounded,
    string::{piece_of, text_of},
    surrogates,
};

use super::super::super::event::Delta;
use crate::codec::partial_object::fields_of;

/// A block that has begun and not ended.
#[derive(Debug)]
pub(super) enum Open {
    Text {
        /// Some of it has been emitted.
        begun: bool,
        /// Citations, and what else belongs to it.
        fields: Map<String, Value>,
    },
    Thinking {
        /// The server said at the beginning that a signature comes.
        signed: bool,
        fields: Map<String, Value>,
    },
    Call {
        /// The input that stood in the beginning, until pieces of it come.
        input: Option<String>,
        fields: Map<String, Value>,
    },
    /// A block for the provider alone: redacted thinking, calls that it ran itself and their results,
    /// and whatever is new.
    Other {
        block: Map<String, Value>,
        /// Pieces of its input.
        input: String,
    },
}

impl Open {
    /// Adds what a piece holds for the provider alone.
    pub(super) fn add(&mut self, delta: &Delta<'_>) {
        let fields = match self {
            Self::Text { fields, .. } | Self::Call { fields, .. } => fields,
            Self::Thinking { fields, .. } => {
                add(fields, "signature", delta.signature.map(text_of));
                fields
            }
            Self::Other { block, input } => {
                if let Some(piece) = delta.partial_json {
                    surrogates::push(input, &piece_of(piece));
                }
                add(block, "text", delta.text.map(piece_of));
                add(block, "thinking", delta.thinking.map(piece_of));
                add(block, "signature", delta.signature.map(text_of));
                block
            }
        };
        if let Some(citation) = delta.citation.and_then(|raw| parse_bounded(raw.get())) {
            match fields.get_mut("citations") {
                Some(Value::Array(all)) => all.push(citation),
                _ => {
                    fields.insert("citations".to_owned(), Value::Array(vec![citation]));
                }
            }
        }
        for (name, value) in fields_of(delta.rest.iter().cloned()) {
            join(fields, name, value);
        }
    }
}

fn add(fields: &mut Map<String, Value>, name: &str, text: Option<impl Into<String>>) {
    if let Some(text) = text {
        join(fields, name.to_owned(), Value::String(text.into()));
    }
}

/// Joins texts and lists that come in pieces; any other value is replaced.
fn join(fields: &mut Map<String, Value>, name: String, value: Value) {
    match (fields.get_mut(&name), value) {
        (Some(Value::String(all)), Value::String(more)) => surrogates::push(all, &more),
        (Some(Value::Array(all)), Value::Array(more)) => all.extend(more),
        (_, value) => {
            fields.insert(name, value);
        }
    }
}

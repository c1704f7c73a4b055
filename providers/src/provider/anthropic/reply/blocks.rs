//! The content of a response: blocks, whole or in pieces.

mod open;

use std::{borrow::Cow, collections::BTreeMap};

use serde_json::Map;
use toolwright_core::model::ModelEvent;
use toolwright_json::raw::Raw;
use toolwright_json::{
    bounded::{parse_bounded, parse_bounded_pieces},
    string::{piece_of, text_of},
    surrogates,
};

use super::super::{
    event::{Block, Delta},
    opaque::{self, TEXT, THINKING, TOOL_USE},
};
use crate::{
    codec::partial_object::{self, fields_of},
    wire::{CallDelta, PartialCalls},
};
use open::Open;

/// The blocks of one response.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// Those that have begun and not ended, by their index.
    open: BTreeMap<u64, Open>,
    calls: PartialCalls,
    /// The last part that was told is a text: another block of text needs a mark between.
    after_text: bool,
    /// Blocks that could not be kept.
    left_out: usize,
}

impl Blocks {
    /// Returns true if there are calls.
    pub(super) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Takes a block that is whole.
    pub(super) fn whole(&mut self, raw: Raw<'_>, events: &mut Vec<ModelEvent>) {
        if let Some(block) = self.begin(None, raw, events) {
            self.close(None, block, events);
        }
    }

    /// Takes the beginning of a block. One that is still open under its index ends.
    pub(super) fn start(&mut self, index: u64, raw: Raw<'_>, events: &mut Vec<ModelEvent>) {
        self.stop(index, events);
        if let Some(block) = self.begin(Some(index), raw, events) {
            self.open.insert(index, block);
        }
    }

    /// Takes the next piece of a block; `false` if there is no place for it.
    pub(super) fn extend(
        &mut self,
        index: u64,
        delta: &Delta<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> bool {
        let Some(block) = self.open.get_mut(&index) else {
            // A server that leaves out the beginning: what it says is clear all the same.
            let words = delta.text.or(delta.thinking).is_some();
            self.tell_text(&mut false, delta.text, events);
            self.tell_reasoning(delta.thinking, events);
            return words;
        };
        if let Open::Call { input, .. } = block {
            let piece = delta.partial_json.map(piece_of).unwrap_or_default();
            if !piece.is_empty() {
                *input = None;
                let piece = CallDelta {
                    index: Some(index),
                    arguments: piece,
                    ..CallDelta::default()
                };
                self.calls.push(piece, events);
            }
        }
        // What is told needs all of `self`; a flag goes out and comes back.
        if let Open::Text { begun, .. } = block {
            let mut has_begun = *begun;
            self.tell_text(&mut has_begun, delta.text, events);
            if let Some(Open::Text { begun, .. }) = self.open.get_mut(&index) {
                *begun = has_begun;
            }
        } else if let Open::Thinking { .. } = block {
            self.tell_reasoning(delta.thinking, events);
        }
        if let Some(block) = self.open.get_mut(&index)
            && (delta.says_more() || matches!(block, Open::Other { .. }))
        {
            block.add(delta);
        }
        true
    }

    /// Ends a block, if it is open.
    pub(super) fn stop(&mut self, index: u64, events: &mut Vec<ModelEvent>) {
        if let Some(block) = self.open.remove(&index) {
            self.close(Some(index), block, events);
        }
    }

    /// Ends the response, and says how many blocks could not be kept: those that were cut off and that
    /// only the provider can read, and those that nobody can.
    pub(super) fn finish(&mut self, events: &mut Vec<ModelEvent>) -> usize {
        for (index, block) in std::mem::take(&mut self.open) {
            match block {
                Open::Other { .. } => self.left_out += 1,
                block => self.close(Some(index), block, events),
            }
        }
        self.calls.finish(events);
        self.left_out
    }

    /// Begins a block; `None` for one that cannot be read at all.
    fn begin(
        &mut self,
        index: Option<u64>,
        raw: Raw<'_>,
        events: &mut Vec<ModelEvent>,
    ) -> Option<Open> {
        let Ok(block) = partial_object::parse::<Block<'_>>(raw.get()) else {
            self.left_out += 1;
            return None;
        };
        let kind = block.kind.map(text_of).unwrap_or_default();
        match &*kind {
            TEXT => {
                let mut begun = false;
                self.tell_text(&mut begun, block.text, events);
                let fields = fields_of(block.rest);
                Some(Open::Text { begun, fields })
            }
            THINKING => {
                self.tell_reasoning(block.thinking, events);
                let mut fields = fields_of(block.rest);
                let signature = block.signature.map(text_of);
                let signed = signature.is_some();
                if let Some(signature) = signature.filter(|signature| !signature.is_empty()) {
                    fields.insert("signature".to_owned(), signature.into());
                }
                Some(Open::Thinking { signed, fields })
            }
            TOOL_USE => {
                self.after_text = false;
                let input = block.input.map(text_of).unwrap_or_default();
                let mut call = CallDelta {
                    index,
                    id: block.id.map(text_of).unwrap_or_default(),
                    name: block.name.map(text_of).unwrap_or_default(),
                    arguments: Cow::Borrowed(""),
                };
                let mut held = None;
                if index.is_some() {
                    // An empty object stands there until the pieces of the real one come.
                    held = (!is_empty_object(&input)).then(|| input.into_owned());
                    self.calls.push(call, events);
                } else {
                    call.arguments = input;
                    self.calls.push_whole(call, events);
                }
                let fields = fields_of(block.rest);
                Some(Open::Call {
                    input: held,
                    fields,
                })
            }
            _ => {
                let block = parse_bounded_pieces(raw.get());
                self.left_out += usize::from(block.is_none());
                let input = String::new();
                block.map(|block| Open::Other { block, input })
            }
        }
    }

    fn close(&mut self, index: Option<u64>, block: Open, events: &mut Vec<ModelEvent>) {
        let opaque = match block {
            // The citations of no text at all would be taken for those of the text before.
            Open::Text { begun, fields } => {
                let cited = begun && !fields.is_empty();
                cited.then(|| opaque::beside(TEXT, fields))
            }
            // A signature that was announced and has not come: the response was cut off within. Other
            // servers sign nothing and want the words back as they are.
            Open::Thinking { signed, fields } => {
                let whole = !signed || fields.contains_key("signature");
                whole.then(|| opaque::beside(THINKING, fields))
            }
            Open::Call { input, mut fields } => {
                if let Some(input) = input {
                    let call = CallDelta {
                        index,
                        arguments: input.into(),
                        ..CallDelta::default()
                    };
                    self.calls.push(call, events);
                }
                // That the model itself called goes without saying.
                if fields
                    .get("caller")
                    .is_some_and(|caller| caller["type"] == "direct")
                {
                    fields.remove("caller");
                }
                (!fields.is_empty()).then(|| opaque::beside(TOOL_USE, fields))
            }
            Open::Other {
                mut block,
                mut input,
            } => {
                block.values_mut().for_each(surrogates::settle_value);
                surrogates::settle(&mut input);
                let whole = input.is_empty()
                    || match parse_bounded(&input) {
                        Some(input) => {
                            block.insert("input".to_owned(), input);
                            true
                        }
                        None => false,
                    };
                self.left_out += usize::from(!whole);
                whole.then(|| opaque::of_block(block))
            }
        };
        if let Some(opaque) = opaque {
            self.after_text = false;
            events.push(ModelEvent::Opaque(opaque));
        }
    }

    /// Tells more of a text. Two blocks of text in a row are kept apart.
    fn tell_text(&mut self, begun: &mut bool, text: Option<Raw<'_>>, events: &mut Vec<ModelEvent>) {
        let text = text.map(piece_of).unwrap_or_default();
        if text.is_empty() {
            return;
        }
        if self.after_text && !*begun {
            events.push(ModelEvent::Opaque(opaque::beside(TEXT, Map::new())));
        }
        *begun = true;
        self.after_text = true;
        events.push(ModelEvent::Text(text.into_owned()));
    }

    fn tell_reasoning(&mut self, words: Option<Raw<'_>>, events: &mut Vec<ModelEvent>) {
        let words = words.map(piece_of).unwrap_or_default();
        if !words.is_empty() {
            self.after_text = false;
            events.push(ModelEvent::Reasoning(words.into_owned()));
        }
    }
}

fn is_empty_object(json: &str) -> bool {
    json.bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .eq(*b"{}")
        || json.is_empty()
}

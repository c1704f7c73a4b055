//! The items of a reply, whole or in pieces.

mod whole;

use std::{borrow::Cow, collections::BTreeMap};

use serde_json::value::RawValue;

use super::super::{
    event::Item,
    item::{CUSTOM_CALL, FUNCTION_CALL, MESSAGE, REASONING, RUN_BY_SERVER},
};
use crate::{
    model::ModelEvent,
    wire::{CallDelta, PartialCalls, facts::Facts, text::text_of},
};
use whole::beside_call;

/// The items of one reply.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// Those that have begun and not ended, by their place in the reply.
    open: BTreeMap<u64, Open>,
    /// The place of the item that began last: pieces that name none belong to it.
    last: u64,
    calls: PartialCalls,
    /// The last part that was told is a text: that of another message needs a mark between.
    after_text: bool,
    /// How many have begun, or come whole.
    count: usize,
    /// Items that could not be kept.
    left_out: usize,
}

/// An item that has begun: what has been told of it.
#[derive(Debug, Default)]
struct Open {
    kind: Kind,
    /// Some of its text, its words, its arguments.
    told: bool,
    /// Some of its refusal.
    refused: bool,
    call: OpenCall,
}

/// What has been told of a call.
#[derive(Debug, Default)]
struct OpenCall {
    id: bool,
    name: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Message,
    Reasoning,
    Call,
    /// One for the provider alone: what it ran itself, and whatever is new.
    #[default]
    Other,
}

impl Items {
    /// How many items have come, or a part of them.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Whether there are calls.
    pub(super) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Whether the last piece of a call belongs to one that has an id.
    pub(super) fn last_call_has_id(&self) -> bool {
        self.calls.last_has_id()
    }

    /// Whether an item at this place has begun and not ended.
    pub(super) fn is_open(&self, index: Option<u64>) -> bool {
        self.open.contains_key(&index.unwrap_or(self.last))
    }

    /// Takes the beginning of an item.
    pub(super) fn begin(
        &mut self,
        index: Option<u64>,
        raw: &RawValue,
        events: &mut Vec<ModelEvent>,
    ) {
        let Some((item, kind)) = read(raw) else {
            return;
        };
        let index = index.unwrap_or_else(|| self.last.wrapping_add((self.count > 0).into()));
        self.count += 1;
        self.last = index;
        let mut open = Open {
            kind,
            ..Open::default()
        };
        if kind == Kind::Call {
            self.tell_call(Some(index), &mut open, &item, events);
        }
        self.open.insert(index, open);
    }

    /// Takes an item that is whole, whether it has begun before or not.
    pub(super) fn end(
        &mut self,
        index: Option<u64>,
        raw: &RawValue,
        facts: &mut Facts,
        events: &mut Vec<ModelEvent>,
    ) {
        let known = self.open.remove(&index.unwrap_or(self.last));
        let begun = known.is_some();
        self.count += usize::from(!begun);
        let Some((item, kind)) = read(raw) else {
            self.left_out += 1;
            return;
        };
        let mut open = known.unwrap_or_default();
        // What came in pieces is what it seemed to be.
        if !begun || open.kind == Kind::Other {
            open.kind = kind;
        }
        match open.kind {
            Kind::Message => self.end_message(open, item, raw, facts, events),
            Kind::Reasoning => self.end_reasoning(&open, raw, events),
            Kind::Call => {
                let index = begun.then(|| index.unwrap_or(self.last));
                self.tell_call(index, &mut open, &item, events);
                events.extend(beside_call(item).map(ModelEvent::Opaque));
            }
            Kind::Other => self.keep(raw, events),
        }
    }

    /// Takes more of a text.
    pub(super) fn text(&mut self, index: Option<u64>, piece: &str, events: &mut Vec<ModelEvent>) {
        if piece.is_empty() {
            return;
        }
        let begun = std::mem::replace(&mut self.at(index, Kind::Message).told, true);
        self.tell_text(begun, piece, events);
    }

    /// Takes more of a refusal.
    pub(super) fn refusal(
        &mut self,
        index: Option<u64>,
        piece: &str,
        events: &mut Vec<ModelEvent>,
    ) {
        if !piece.is_empty() {
            self.at(index, Kind::Message).refused = true;
            events.push(ModelEvent::Refusal(piece.to_owned()));
        }
    }

    /// Takes more of the words of reasoning.
    pub(super) fn reasoning(
        &mut self,
        index: Option<u64>,
        piece: &str,
        events: &mut Vec<ModelEvent>,
    ) {
        if !piece.is_empty() {
            self.at(index, Kind::Reasoning).told = true;
            self.after_text = false;
            events.push(ModelEvent::Reasoning(piece.to_owned()));
        }
    }

    /// Takes more of the arguments of a call.
    pub(super) fn arguments(
        &mut self,
        index: Option<u64>,
        piece: Cow<'_, str>,
        events: &mut Vec<ModelEvent>,
    ) {
        let place = index.unwrap_or(self.last);
        let open = self.at(index, Kind::Call);
        if open.kind != Kind::Call || piece.is_empty() {
            return;
        }
        open.told = true;
        let piece = CallDelta {
            index: Some(place),
            arguments: piece,
            ..CallDelta::default()
        };
        self.calls.push(piece, events);
    }

    /// Takes the arguments of a call as a whole, of which there may have been pieces.
    pub(super) fn whole_arguments(
        &mut self,
        index: Option<u64>,
        whole: Cow<'_, str>,
        events: &mut Vec<ModelEvent>,
    ) {
        if !self.at(index, Kind::Call).told {
            self.arguments(index, whole, events);
        }
    }

    /// Ends the reply, and says how many items could not be kept: those that were cut off and that
    /// only the provider can read, and those that nobody can.
    pub(super) fn finish(&mut self, events: &mut Vec<ModelEvent>) -> usize {
        let open = std::mem::take(&mut self.open);
        let cut = open
            .values()
            .filter(|open| matches!(open.kind, Kind::Reasoning | Kind::Other));
        self.left_out += cut.count();
        self.calls.finish(events);
        self.left_out
    }

    /// The item at a place. A server that leaves out its beginning says by its pieces what it is.
    fn at(&mut self, index: Option<u64>, kind: Kind) -> &mut Open {
        let count = &mut self.count;
        self.open
            .entry(index.unwrap_or(self.last))
            .or_insert_with(|| {
                *count += 1;
                Open {
                    kind,
                    ..Open::default()
                }
            })
    }
}

/// The fields of an item, and what it is; `None` if it cannot be read.
fn read(raw: &RawValue) -> Option<(Item<'_>, Kind)> {
    let item: Item<'_> = serde_json::from_str(raw.get()).ok()?;
    let by_server = || {
        let id = item.call_id.map(text_of).unwrap_or_default();
        id.starts_with(RUN_BY_SERVER)
    };
    let kind = match &*item.kind.map(text_of).unwrap_or_default() {
        MESSAGE => Kind::Message,
        REASONING => Kind::Reasoning,
        FUNCTION_CALL => Kind::Call,
        CUSTOM_CALL if !by_server() => Kind::Call,
        _ => Kind::Other,
    };
    Some((item, kind))
}

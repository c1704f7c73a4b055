//! Items that come in pieces.

use toolwright_core::model::ModelEvent;
use toolwright_json::surrogates::{self, rest_of};

use super::{
    super::super::item::BETWEEN_PARTS,
    Address, Items, Piece,
    seen::{Kind, PartKey},
};

impl Items {
    /// Takes a piece of an item.
    pub(in super::super) fn piece(
        &mut self,
        of: Piece,
        address: &Address<'_>,
        words: &str,
        events: &mut Vec<ModelEvent>,
    ) {
        if !words.is_empty()
            && let Some(number) = self.at(of, address)
        {
            self.tell_piece(number, of, address, words, events);
        }
    }

    /// Takes a part of an item that is whole, of which there may have been pieces.
    pub(in super::super) fn whole_part(
        &mut self,
        of: Piece,
        address: &Address<'_>,
        whole: &str,
        events: &mut Vec<ModelEvent>,
    ) {
        if whole.is_empty() || self.has_told(of, address, whole) {
            return;
        }
        let Some(number) = self.at(of, address) else {
            return;
        };
        let seen = &self.seen[number];
        let key = key_of(of, address);
        let told = match of {
            Piece::Refusal => seen.refusal.as_str(),
            Piece::Arguments => seen.words.as_str(),
            _ if seen.words.is_empty() || seen.part.1.may_be(key) => &seen.words[seen.part.0..],
            // A part that has not begun comes after those that have.
            _ if seen.part.1.is_before(key) => "",
            _ => return,
        };
        if let Some(rest) = rest_of(whole, told).filter(|rest| !rest.is_empty()) {
            self.tell_piece(number, of, address, &rest, events);
        }
    }

    /// Returns true if a part comes late: its item is whole already and ends with it.
    fn has_told(&self, of: Piece, address: &Address<'_>, whole: &str) -> bool {
        let there = match address.index {
            Some(index) => self.at_index(index, of.kind()),
            None => self.last,
        };
        there.map(|number| &self.seen[number]).is_some_and(|seen| {
            let told = match of {
                Piece::Refusal => &seen.refusal,
                _ => &seen.words,
            };
            seen.done && seen.kind == of.kind() && told.ends_with(whole)
        })
    }

    fn tell_piece(
        &mut self,
        number: usize,
        of: Piece,
        address: &Address<'_>,
        words: &str,
        events: &mut Vec<ModelEvent>,
    ) {
        match of {
            Piece::Refusal => return self.tell_refusal(number, words, events),
            Piece::Arguments => {
                return self.tell_arguments(number, words.to_owned().into(), events);
            }
            Piece::Text | Piece::Reasoning | Piece::Summary => {}
        }
        let seen = &mut self.seen[number];
        let key = key_of(of, address);
        let begun = !seen.words.is_empty();
        let is_next = !seen.part.1.may_be(key);
        if !begun || is_next {
            if begun && of.kind() == Kind::Reasoning {
                self.tell_words(number, Kind::Reasoning, BETWEEN_PARTS, events);
            }
            let seen = &mut self.seen[number];
            // Half a character at the end of a part has no other half in the next.
            surrogates::settle(&mut seen.words);
            seen.part = (seen.words.len(), key);
        } else if key.number.is_some() {
            seen.part.1 = key;
        }
        self.tell_words(number, of.kind(), words, events);
    }

    /// The item that a piece belongs to; `None` if that is whole, or takes none. A server that leaves out
    /// the beginning of an item says by its pieces what it is.
    fn at(&mut self, of: Piece, address: &Address<'_>) -> Option<usize> {
        let kind = of.kind();
        let is_it = |number: &usize| self.seen[*number].kind == kind;
        let is_open = |number: &usize| !self.seen[*number].done;
        // An id of its own tells more than a place that several items share. But servers are known to
        // give every event another id.
        let is_place =
            |number: &usize| address.index.is_none() || self.seen[*number].index == address.index;
        let same_id = self.by_id.get(&*address.id).copied();
        let same_id = same_id.filter(is_it).filter(is_place);
        let there = match address.index {
            Some(index) => self.at_index(index, kind),
            None => self.last.filter(is_it).filter(is_open),
        };
        let number = same_id.filter(is_open).or(there).or(same_id);
        let number = match number {
            Some(number) if is_open(&number) => number,
            // It comes late.
            Some(number) if !self.seen[number].has_other_id(&address.id) => return None,
            None if of == Piece::Arguments && self.is_of_provider(&address.id) => return None,
            _ => match self.for_provider(address) {
                Some(number) if of == Piece::Arguments => {
                    self.last = Some(number);
                    return None;
                }
                Some(number) => number,
                None => self.add(kind, address.index),
            },
        };
        self.last = Some(number);
        Some(number)
    }

    /// Returns true if an id is that of a whole item for the provider alone.
    fn is_of_provider(&self, id: &str) -> bool {
        let seen = self.by_id.get(id).map(|&number| &self.seen[number]);
        seen.is_some_and(|seen| seen.done && seen.kind == Kind::Other)
    }

    /// The item for the provider alone that a piece belongs to.
    fn for_provider(&self, address: &Address<'_>) -> Option<usize> {
        let number = match address.index {
            Some(index) => self.at_index(index, Kind::Other),
            None => self
                .last
                .filter(|&number| self.seen[number].kind == Kind::Other),
        };
        number.filter(|&number| !self.seen[number].done)
    }
}

impl Piece {
    fn kind(self) -> Kind {
        match self {
            Self::Text | Self::Refusal => Kind::Message,
            Self::Arguments => Kind::Call,
            Self::Reasoning | Self::Summary => Kind::Reasoning,
        }
    }
}

/// Returns the key of the part that a piece belongs to.
fn key_of(of: Piece, address: &Address<'_>) -> PartKey {
    PartKey {
        summary: of == Piece::Summary,
        number: address.part,
    }
}

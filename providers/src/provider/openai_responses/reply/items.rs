//! The items of a response, whole or in pieces.

mod pieces;
mod same;
mod seen;
mod whole;

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use serde::de::IgnoredAny;
use toolwright_core::model::ModelEvent;
use toolwright_json::raw::Raw;
use toolwright_json::surrogates::{self, rest_of};

use crate::{
    codec::metadata::Metadata,
    wire::{CallDelta, PartialCalls},
};
use same::{MOST_COMPARED, begins, is_repeated, pairs, words_of};
use seen::{Came, Kind, Seen};

/// The items of one response.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// All that have begun, or have come whole, in that order.
    seen: Vec<Seen>,
    /// The item of each kind that began last at each place, and the item that began last with each id.
    by_index: HashMap<(u64, Kind), usize>,
    by_id: HashMap<String, usize>,
    /// The items of each id of a call, in their order.
    by_call: HashMap<String, Vec<usize>>,
    /// The item that the last event was of: events that name none belong to it.
    last: Option<usize>,
    calls: PartialCalls,
    /// The item that the last text or reasoning was of, if nothing else has been emitted since.
    last_told: Option<(usize, Kind)>,
    /// The actions that the program is asked for, by the id of their answer.
    actions: HashSet<String>,
    /// Items that could not be kept.
    left_out: usize,
}

/// The fields of an event that identify its item.
#[derive(Debug, Default)]
pub(super) struct Address<'a> {
    /// The place of the item in the response.
    pub(super) index: Option<u64>,
    /// The id of the item.
    pub(super) id: Cow<'a, str>,
    /// The number of the part within the item.
    pub(super) part: Option<u64>,
}

/// The content that a piece belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    Text,
    Refusal,
    Arguments,
    Reasoning,
    Summary,
}

impl Items {
    /// Returns true if there are calls.
    pub(super) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Returns true if there are items that the program has to act on.
    pub(super) fn wait_for_action(&self) -> bool {
        !self.actions.is_empty()
    }

    /// Returns true if the item of an event has begun and not ended.
    pub(super) fn is_open(&self, address: &Address<'_>) -> bool {
        let is_open = |number: usize| !self.seen[number].done;
        match address.index {
            Some(index) => (Kind::ALL.into_iter())
                .filter_map(|kind| self.at_index(index, kind))
                .any(is_open),
            None => self.last.is_some_and(is_open),
        }
    }

    /// The item of a kind that began last at a place.
    fn at_index(&self, index: u64, kind: Kind) -> Option<usize> {
        self.by_index.get(&(index, kind)).copied()
    }

    /// Takes the beginning of an item.
    pub(super) fn begin(
        &mut self,
        address: &Address<'_>,
        raw: Raw<'_>,
        events: &mut Vec<ModelEvent>,
    ) {
        let Some(came) = Came::read(raw) else {
            return;
        };
        let known = match address.index {
            Some(index) => self.at_index(index, came.kind),
            None => self.by_id.get(&came.id).copied(),
        };
        let known = known.filter(|&number| {
            let seen = &self.seen[number];
            // Its pieces came first, or it comes a second time.
            let is_again =
                !came.id.is_empty() && (&seen.id, &seen.call_id) == (&came.id, &came.call_id);
            // Servers are known to give all items one place.
            let is_next =
                seen.call_id.is_empty() && seen.has_other_id(&came.id) && !seen.words.is_empty();
            seen.may_be(&came) && (is_again || !seen.done && !is_next)
        });
        let number = known.unwrap_or_else(|| self.add(came.kind, address.index));
        if !self.seen[number].done {
            self.identify(number, &came);
            if came.kind == Kind::Call {
                self.begin_call(number, &came, events);
            }
        }
        self.last = Some(number);
    }

    /// Tells a call that begins. Arguments that are whole are kept until it ends: what comes in pieces
    /// says them again, or says that they were only there to fill the place.
    fn begin_call(&mut self, number: usize, came: &Came<'_>, events: &mut Vec<ModelEvent>) {
        let whole = words_of(came);
        let is_whole = whole.starts_with('{') && serde_json::from_str::<IgnoredAny>(&whole).is_ok();
        if is_whole && self.seen[number].words.is_empty() {
            self.announce(number, events);
            self.seen[number].begun_with = whole;
        } else {
            self.tell_call(number, came, events);
        }
    }

    /// Takes an item that is whole, whether it has begun before or not.
    pub(super) fn end(
        &mut self,
        address: &Address<'_>,
        raw: Raw<'_>,
        facts: &mut Metadata,
        events: &mut Vec<ModelEvent>,
    ) {
        let Some(came) = Came::read(raw) else {
            self.left_out += 1;
            return;
        };
        let number = match self.find(address, &came) {
            Some(number) => number,
            None => self.add(came.kind, address.index),
        };
        self.last = Some(number);
        self.take_whole(number, came, false, facts, events);
    }

    /// Takes the items of a whole response, or those that the end of a stream says again.
    pub(super) fn end_all(
        &mut self,
        all: &[Raw<'_>],
        facts: &mut Metadata,
        events: &mut Vec<ModelEvent>,
    ) {
        let came: Vec<_> = all.iter().map(|raw| Came::read(*raw)).collect();
        self.left_out += came.iter().filter(|came| came.is_none()).count();
        let came: Vec<_> = came.into_iter().flatten().collect();
        let pairs = if self.seen.is_empty() {
            vec![None; came.len()]
        } else {
            pairs(&self.seen, &came)
        };
        for (came, number) in came.into_iter().zip(pairs) {
            let number = number.unwrap_or_else(|| self.add(came.kind, None));
            self.take_whole(number, came, true, facts, events);
        }
    }

    fn take_whole(
        &mut self,
        number: usize,
        came: Came<'_>,
        at_end: bool,
        facts: &mut Metadata,
        events: &mut Vec<ModelEvent>,
    ) {
        // What came in pieces is what it seemed to be.
        if self.seen[number].kind == Kind::Other {
            self.seen[number].kind = came.kind;
        }
        if !self.seen[number].done {
            self.identify(number, &came);
        }
        self.complete(number, came, at_end, facts, events);
    }

    /// The item that has begun, or come, and comes whole now.
    fn find(&self, address: &Address<'_>, came: &Came<'_>) -> Option<usize> {
        let is_open = |number: &usize| !self.seen[*number].done;
        let may_be = |number: &usize| self.seen[*number].may_be(came);
        let at_index = |kind| address.index.and_then(|index| self.at_index(index, kind));
        let same_id = self.by_id.get(&came.id).copied();
        let same_calls = self.by_call.get(&came.call_id);
        let same_calls = same_calls.map_or(&[][..], |all| {
            &all[all.len().saturating_sub(MOST_COMPARED)..]
        });
        let goes_on = |number: &usize| {
            let seen = &self.seen[*number];
            let is_place = address.index.is_none() || seen.index == address.index;
            (is_place || !seen.words.is_empty()) && begins(seen, came, &words_of(came))
        };
        let is_same_call =
            |number: &usize| !came.call_id.is_empty() && self.seen[*number].call_id == came.call_id;
        // An id may be that of several items: what has a place of its own also says the same so far.
        let same_call = at_index(came.kind).filter(is_same_call).filter(is_open);
        let mut open_calls = same_calls.iter().copied();
        let same_call = same_call.or_else(|| {
            open_calls.find(|number| is_open(number) && may_be(number) && goes_on(number))
        });
        if let Some(number) = same_call.filter(may_be) {
            return Some(number);
        }
        let at_place = at_index(came.kind).filter(is_open);
        let at_place = at_place.filter(|number| may_be(number) || goes_on(number));
        // What came in pieces is what it seemed to be, and a server may change the type of an item.
        let seemed = || {
            let others = Kind::ALL.into_iter().filter(|kind| *kind != came.kind);
            let mut open = others.filter_map(at_index).filter(is_open);
            open.find(|&number| {
                let seen = &self.seen[number];
                seen.kind == Kind::Other || (came.kind == Kind::Other && seen.id == came.id)
            })
        };
        let last = || {
            self.last
                .filter(|_| address.index.is_none())
                .filter(is_open)
        };
        let found = at_place
            .or_else(|| same_id.filter(is_open).filter(may_be).filter(goes_on))
            .or_else(|| last().filter(may_be).filter(goes_on))
            .or_else(seemed);
        found.or_else(|| {
            let is_there = !came.id.is_empty() || !came.call_id.is_empty();
            let again = [at_index(came.kind), same_id, same_calls.last().copied()];
            let mut again = again
                .into_iter()
                .flatten()
                .map(|number| (number, &self.seen[number]));
            let is_place = |index| index == address.index || address.index.is_none();
            let is_again = |(_, seen): &(usize, &Seen)| {
                is_place(seen.index)
                    && (is_there || address.index.is_some())
                    && is_repeated(seen, came)
            };
            again.find(is_again).map(|(number, _)| number)
        })
    }

    fn add(&mut self, kind: Kind, index: Option<u64>) -> usize {
        let number = self.seen.len();
        self.seen.push(Seen::new(kind, index));
        if let Some(index) = index {
            self.by_index.insert((index, kind), number);
        }
        number
    }

    fn identify(&mut self, number: usize, came: &Came<'_>) {
        let seen = &mut self.seen[number];
        let had_call = !seen.call_id.is_empty();
        seen.identify(came);
        if !came.id.is_empty() {
            self.by_id.insert(came.id.clone(), number);
        }
        if !had_call && !came.call_id.is_empty() {
            let calls = self.by_call.entry(came.call_id.clone());
            calls.or_default().push(number);
        }
    }

    /// Ends the response, and says how many items could not be kept: those that were cut off and that
    /// only the provider can read, and those that nobody can.
    pub(super) fn finish(&mut self, events: &mut Vec<ModelEvent>) -> usize {
        let cut = self
            .seen
            .iter()
            .filter(|seen| !seen.done && matches!(seen.kind, Kind::Reasoning | Kind::Other));
        self.left_out += cut.count();
        for number in 0..self.seen.len() {
            self.tell_begun(number, events);
        }
        self.calls.finish(events);
        self.left_out
    }

    /// Emits what is new in an item about a call.
    fn tell_call(&mut self, number: usize, came: &Came<'_>, events: &mut Vec<ModelEvent>) {
        self.announce(number, events);
        let whole = words_of(came);
        let rest = rest_of(&whole, &self.seen[number].words).unwrap_or_default();
        self.tell_arguments(number, rest, events);
    }

    /// Tells the arguments that a call began with, if nothing else of it has come.
    fn tell_begun(&mut self, number: usize, events: &mut Vec<ModelEvent>) {
        let begun_with = std::mem::take(&mut self.seen[number].begun_with);
        if self.seen[number].words.is_empty() {
            self.tell_arguments(number, begun_with.into(), events);
        }
    }

    /// Tells the id and the name of a call, as far as they are known.
    fn announce(&mut self, number: usize, events: &mut Vec<ModelEvent>) {
        self.last_told = None;
        let seen = &self.seen[number];
        let call = CallDelta {
            index: Some(number as u64),
            id: seen.call_id.as_str().into(),
            name: seen.name.as_str().into(),
            arguments: Cow::Borrowed(""),
        };
        self.calls.push(call, events);
    }

    fn tell_arguments(
        &mut self,
        number: usize,
        arguments: Cow<'_, str>,
        events: &mut Vec<ModelEvent>,
    ) {
        if !arguments.is_empty() {
            surrogates::push(&mut self.seen[number].words, &arguments);
            let piece = CallDelta {
                index: Some(number as u64),
                arguments,
                ..CallDelta::default()
            };
            self.calls.push(piece, events);
        }
    }
}

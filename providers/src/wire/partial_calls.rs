//! Calls that come in pieces.

#[cfg(test)]
mod tests;

use std::{borrow::Cow, collections::HashMap};

use toolwright_core::model::ModelEvent;
use toolwright_json::{nesting::Nesting, surrogates};

/// One piece of a call, as a stream gives it. Every field may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CallDelta<'a> {
    /// The key that identifies a call within its response. It is not a position: some servers begin at 1.
    pub index: Option<u64>,
    /// The id; empty means none.
    pub id: Cow<'a, str>,
    /// The name of the tool; empty means none.
    pub name: Cow<'a, str>,
    /// The next piece of the arguments, as JSON text.
    pub arguments: Cow<'a, str>,
}

/// Assembles the calls of one response from their pieces, into [`ModelEvent::CallStarted`] and
/// [`ModelEvent::CallArguments`].
///
/// Servers disagree about the call that a piece belongs to. These rules decide it:
///
/// - Pieces with the same index belong together. Id and name are set once; that they come again in
///   every piece (Kimi) or come again empty (Qwen, GLM) changes nothing.
/// - Without an index (Mistral), an id starts a call and a piece without one goes on with the last.
/// - A piece with a name starts another call in spite of its index when its id is another one, or,
///   where there are no ids, when its name is another one or the call before is a whole JSON object:
///   some servers give every call the index 0 or none.
#[derive(Debug, Default)]
pub struct PartialCalls {
    calls: Vec<PartialCall>,
    by_index: HashMap<u64, usize>,
    /// The call that the last piece belonged to, and the index it came with.
    last: Option<usize>,
    last_index: Option<u64>,
}

#[derive(Debug, Default)]
struct PartialCall {
    id: String,
    name: String,
    announced: bool,
    /// Argument text that came before the name.
    waiting: String,
    nesting: Nesting,
}

impl PartialCalls {
    /// Creates an assembler without calls.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of calls that have begun.
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Returns true if no call has begun.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Takes the next piece and returns the number of the call that it belongs to. Calls are numbered
    /// from 0 in the order in which they begin.
    ///
    /// A call is announced when its name is known. Should its id come only after that, it is
    /// announced again with the id.
    pub fn push(&mut self, delta: CallDelta<'_>, events: &mut Vec<ModelEvent>) -> usize {
        let known = match delta.index {
            // The last call is looked at first: nearly every piece belongs to it.
            Some(_) if self.last_index == delta.index => self.last,
            Some(index) => self.by_index.get(&index).copied(),
            None => self.last,
        };
        let number = match known {
            Some(number) if !self.calls[number].is_followed_by(&delta) => number,
            _ => self.begin(delta.index),
        };
        self.last = Some(number);
        self.last_index = delta.index;
        self.add(number, delta, events);
        number
    }

    /// Takes a call that is whole, as in a response that is not streamed: it never belongs to a call
    /// before it.
    pub fn push_whole(&mut self, delta: CallDelta<'_>, events: &mut Vec<ModelEvent>) -> usize {
        let number = self.begin(None);
        self.last = Some(number);
        self.last_index = None;
        self.add(number, delta, events);
        self.announce(number, events);
        number
    }

    /// Says that the call of an index is whole: if its name has not come, it has none.
    pub(crate) fn announce_by_index(&mut self, index: u64, events: &mut Vec<ModelEvent>) {
        if let Some(&number) = self.by_index.get(&index) {
            self.announce(number, events);
        }
    }

    /// Ends the response: a call whose name never came is announced with an empty one.
    pub fn finish(&mut self, events: &mut Vec<ModelEvent>) {
        for number in 0..self.calls.len() {
            self.announce(number, events);
        }
    }

    fn begin(&mut self, index: Option<u64>) -> usize {
        let number = self.calls.len();
        self.calls.push(PartialCall::default());
        if let Some(index) = index {
            self.by_index.insert(index, number);
        }
        number
    }

    fn add(&mut self, number: usize, delta: CallDelta<'_>, events: &mut Vec<ModelEvent>) {
        let call = &mut self.calls[number];
        let mut late_id = false;
        if call.id.is_empty() && !delta.id.is_empty() {
            call.id = delta.id.into_owned();
            late_id = call.announced;
        }
        if call.name.is_empty() && !delta.name.is_empty() {
            call.name = delta.name.into_owned();
        }
        if late_id {
            call.announced = false;
        }
        if call.id.is_empty() {
            call.nesting.read(delta.arguments.as_bytes());
        }
        if self.calls[number].name.is_empty() {
            surrogates::push(&mut self.calls[number].waiting, &delta.arguments);
            return;
        }
        self.announce(number, events);
        if !delta.arguments.is_empty() {
            events.push(ModelEvent::CallArguments {
                index: number,
                text: delta.arguments.into_owned(),
            });
        }
    }

    fn announce(&mut self, number: usize, events: &mut Vec<ModelEvent>) {
        let call = &mut self.calls[number];
        if call.announced {
            return;
        }
        call.announced = true;
        events.push(ModelEvent::CallStarted {
            index: number,
            id: call.id.clone(),
            name: call.name.clone(),
        });
        if !call.waiting.is_empty() {
            events.push(ModelEvent::CallArguments {
                index: number,
                text: std::mem::take(&mut call.waiting),
            });
        }
    }
}

impl PartialCall {
    /// Returns true if a piece that seems to belong to this call begins the next one.
    fn is_followed_by(&self, delta: &CallDelta<'_>) -> bool {
        if delta.index.is_none() && !delta.id.is_empty() {
            return self.id != delta.id && !(self.id.is_empty() && self.is_bare());
        }
        if delta.name.is_empty() || self.name.is_empty() {
            return false;
        }
        if self.id.is_empty() || delta.id.is_empty() {
            let another =
                self.name != delta.name || self.nesting.is_closed() && !delta.arguments.is_empty();
            return self.id == delta.id && another;
        }
        self.id != delta.id
    }

    /// Returns true if nothing is known of the call yet.
    fn is_bare(&self) -> bool {
        self.name.is_empty() && self.waiting.is_empty()
    }
}

//! The rounds of tool calls of one message.

use std::{
    fmt,
    ops::{Index, Range},
    sync::Arc,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ToolRound;

/// The number of rounds in a full chunk.
const CHUNK: usize = 32;

/// The rounds of tool calls of one message, oldest first.
///
/// A run adds a round after each response, while requests, records and outcomes hold the rounds before
/// it. A clone costs a pointer, and a round that is added to a list which others share costs the same
/// after one round and after thousands: the list is made of pieces, and only the last one is copied.
///
/// ```
/// use toolwright::{ToolCall, ToolResult, message::{Part, ToolRound, ToolRounds}};
///
/// let round = ToolRound {
///     reply: vec![Part::Call(ToolCall::new("a", "look", "{}"))].into(),
///     results: vec![ToolResult::success("a", "sunny")].into(),
/// };
/// let rounds = ToolRounds::from(vec![round]);
/// assert_eq!(rounds[0].results.len(), 1);
/// ```
#[derive(Clone, Default)]
pub struct ToolRounds {
    /// Pieces of [`CHUNK`] rounds each.
    full: Arc<Vec<Arc<Vec<ToolRound>>>>,
    /// The rounds after them. Empty only where there is no round at all.
    last: Arc<Vec<ToolRound>>,
}

impl ToolRounds {
    /// No rounds.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of rounds.
    pub fn len(&self) -> usize {
        self.full.len() * CHUNK + self.last.len()
    }

    /// Returns true if there is no round.
    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    /// The rounds, oldest first.
    pub fn iter(&self) -> ToolRoundsIter<'_> {
        ToolRoundsIter {
            rounds: self,
            places: 0..self.len(),
        }
    }

    /// The round at a place, from 0.
    pub fn get(&self, index: usize) -> Option<&ToolRound> {
        match self.full.get(index / CHUNK) {
            Some(chunk) => chunk.get(index % CHUNK),
            None => self.last.get(index - self.full.len() * CHUNK),
        }
    }

    /// The first round.
    pub fn first(&self) -> Option<&ToolRound> {
        self.get(0)
    }

    /// The last round.
    pub fn last(&self) -> Option<&ToolRound> {
        self.last.last()
    }

    /// The last round, to change it.
    pub fn last_mut(&mut self) -> Option<&mut ToolRound> {
        if self.is_empty() {
            return None;
        }
        Arc::make_mut(&mut self.last).last_mut()
    }

    /// Adds a round.
    pub fn push(&mut self, round: ToolRound) {
        if self.last.len() == CHUNK {
            let full = std::mem::take(&mut self.last);
            Arc::make_mut(&mut self.full).push(full);
        }
        Arc::make_mut(&mut self.last).push(round);
    }

    /// The rounds as a list of one's own, whose rounds share what is in them.
    pub fn to_vec(&self) -> Vec<ToolRound> {
        self.iter().cloned().collect()
    }
}

impl Index<usize> for ToolRounds {
    type Output = ToolRound;

    /// # Panics
    ///
    /// When there is no round at this place.
    fn index(&self, index: usize) -> &ToolRound {
        let length = self.len();
        self.get(index)
            .unwrap_or_else(|| panic!("there are {length} rounds, and none at {index}"))
    }
}

impl fmt::Debug for ToolRounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl PartialEq for ToolRounds {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other)
    }
}

impl From<Vec<ToolRound>> for ToolRounds {
    fn from(rounds: Vec<ToolRound>) -> Self {
        rounds.into_iter().collect()
    }
}

impl<const N: usize> From<[ToolRound; N]> for ToolRounds {
    fn from(rounds: [ToolRound; N]) -> Self {
        rounds.into_iter().collect()
    }
}

impl FromIterator<ToolRound> for ToolRounds {
    fn from_iter<I: IntoIterator<Item = ToolRound>>(rounds: I) -> Self {
        let mut all = Self::new();
        all.extend(rounds);
        all
    }
}

impl Extend<ToolRound> for ToolRounds {
    fn extend<I: IntoIterator<Item = ToolRound>>(&mut self, rounds: I) {
        rounds.into_iter().for_each(|round| self.push(round));
    }
}

impl<'a> IntoIterator for &'a ToolRounds {
    type Item = &'a ToolRound;
    type IntoIter = ToolRoundsIter<'a>;

    fn into_iter(self) -> ToolRoundsIter<'a> {
        self.iter()
    }
}

impl IntoIterator for ToolRounds {
    type Item = ToolRound;
    type IntoIter = std::vec::IntoIter<ToolRound>;

    fn into_iter(self) -> Self::IntoIter {
        self.to_vec().into_iter()
    }
}

impl Serialize for ToolRounds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de> Deserialize<'de> for ToolRounds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

/// The rounds in order, from [`ToolRounds::iter`].
#[derive(Debug, Clone)]
pub struct ToolRoundsIter<'a> {
    rounds: &'a ToolRounds,
    places: Range<usize>,
}

impl<'a> Iterator for ToolRoundsIter<'a> {
    type Item = &'a ToolRound;

    fn next(&mut self) -> Option<&'a ToolRound> {
        self.rounds.get(self.places.next()?)
    }

    fn nth(&mut self, n: usize) -> Option<&'a ToolRound> {
        self.rounds.get(self.places.nth(n)?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

impl DoubleEndedIterator for ToolRoundsIter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.rounds.get(self.places.next_back()?)
    }
}

impl ExactSizeIterator for ToolRoundsIter<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::Part;

    fn round(number: usize) -> ToolRound {
        ToolRound {
            reply: vec![Part::Text(number.to_string())].into(),
            results: Vec::new().into(),
        }
    }

    #[test]
    fn rounds_are_a_list_whatever_its_length() {
        for length in [0, 1, 2, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 100] {
            let list: Vec<_> = (0..length).map(round).collect();
            let mut rounds = ToolRounds::from(list.clone());
            assert_eq!((rounds.len(), rounds.is_empty()), (length, length == 0));
            assert_eq!(rounds.to_vec(), list);
            assert!(rounds.iter().rev().eq(list.iter().rev()));
            assert_eq!(rounds.iter().nth(length / 2), list.get(length / 2));
            assert_eq!((rounds.first(), rounds.last()), (list.first(), list.last()));
            assert_eq!((rounds.get(length), rounds.iter().len()), (None, length));
            assert_eq!(format!("{rounds:?}"), format!("{list:?}"));
            let stored = serde_json::to_string(&rounds).expect("serialises");
            assert_eq!(stored, serde_json::to_string(&list).expect("serialises"));
            let read: ToolRounds = serde_json::from_str(&stored).expect("reads");
            assert_eq!(read, rounds);

            let before = rounds.clone();
            if let Some(last) = rounds.last_mut() {
                last.reply.push(Part::Text("more".into()));
                assert_ne!(before, rounds);
            }
            assert_eq!(before.to_vec(), list, "whoever shared it has what it had");
        }
    }

    #[test]
    fn rounds_that_others_share_are_not_copied() {
        let mut rounds = ToolRounds::new();
        let mut kept = Vec::new();
        for number in 0..4 * CHUNK {
            rounds.push(round(number));
            kept.push(rounds.clone());
        }
        for earlier in kept {
            for (one, other) in earlier.iter().zip(&rounds) {
                assert!(std::ptr::eq(one.reply.as_ptr(), other.reply.as_ptr()));
            }
        }
    }
}

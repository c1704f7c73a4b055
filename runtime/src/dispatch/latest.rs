//! The latest updates of running calls.

use std::collections::BTreeMap;

use toolwright_core::tool::CallUpdate;

/// The latest unread update of each kind for each running call, in order. Each step takes at most
/// logarithmic time, however many calls speak.
#[derive(Debug)]
pub(crate) struct Latest<K> {
    /// The updates, each with the number of its turn.
    updates: BTreeMap<(K, Kind), (u64, CallUpdate)>,
    turns: BTreeMap<u64, (K, Kind)>,
    next_turn: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Progress,
    Partial,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Progress, Self::Partial];

    fn of(update: &CallUpdate) -> Self {
        match update {
            CallUpdate::Partial(_) => Self::Partial,
            _ => Self::Progress,
        }
    }
}

impl<K> Default for Latest<K> {
    fn default() -> Self {
        Self {
            updates: BTreeMap::new(),
            turns: BTreeMap::new(),
            next_turn: 0,
        }
    }
}

impl<K: Copy + Ord> Latest<K> {
    /// Sets what a call says. It replaces the earlier update of the call.
    pub(crate) fn say(&mut self, call: K, update: CallUpdate) {
        let key = (call, Kind::of(&update));
        if let Some((_, before)) = self.updates.get_mut(&key) {
            *before = update;
            return;
        }
        self.turns.insert(self.next_turn, key);
        self.updates.insert(key, (self.next_turn, update));
        self.next_turn += 1;
    }

    /// Removes and returns the oldest update.
    pub(crate) fn pop(&mut self) -> Option<(K, CallUpdate)> {
        let (_, key) = self.turns.pop_first()?;
        let (_, update) = self.updates.remove(&key)?;
        Some((key.0, update))
    }

    /// Removes and returns the updates of a call, in order.
    pub(crate) fn take(&mut self, call: K) -> impl Iterator<Item = CallUpdate> {
        let mut said: Vec<_> = Kind::ALL
            .into_iter()
            .filter_map(|kind| self.updates.remove(&(call, kind)))
            .collect();
        said.sort_unstable_by_key(|(turn, _)| *turn);
        for (turn, _) in &said {
            self.turns.remove(turn);
        }
        said.into_iter().map(|(_, update)| update)
    }

    pub(crate) fn clear(&mut self) {
        self.updates.clear();
        self.turns.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolwright_core::tool::{ProgressReport, ToolOutput};

    fn step(done: f64) -> CallUpdate {
        CallUpdate::Progress(ProgressReport::new(done))
    }

    fn partial(text: &str) -> CallUpdate {
        CallUpdate::Partial(ToolOutput::text(text))
    }

    #[test]
    fn the_latest_of_each_kind_stands_where_the_first_did() {
        let mut latest = Latest::default();
        for (call, update) in [
            (1, partial("a")),
            (2, step(1.0)),
            (1, step(1.0)),
            (1, partial("b")),
            (3, step(3.0)),
        ] {
            latest.say(call, update);
        }
        let of_1: Vec<_> = latest.take(1).collect();
        assert_eq!(of_1, [partial("b"), step(1.0)]);
        assert_eq!(latest.pop(), Some((2, step(1.0))));
        assert_eq!(latest.pop(), Some((3, step(3.0))));
        assert_eq!(latest.pop(), None);
        assert!(latest.turns.is_empty() && latest.updates.is_empty());
    }
}

//! The keys of an object that were given.

/// A bit for each key. The bits of the first 64 are kept in place.
#[derive(Debug)]
pub(super) struct Given {
    first: u64,
    others: Vec<bool>,
}

impl Given {
    /// None of so many keys.
    pub(super) fn new(keys: usize) -> Self {
        Self {
            first: 0,
            others: vec![false; keys.saturating_sub(64)],
        }
    }

    /// Adds a key by its place. Returns true if it was given before.
    pub(super) fn replace(&mut self, place: usize) -> bool {
        if let Some(other) = place.checked_sub(64) {
            return std::mem::replace(&mut self.others[other], true);
        }
        let before = self.first;
        self.first |= 1 << place;
        self.first == before
    }

    /// Returns true if the key of this place was given.
    pub(super) fn has(&self, place: usize) -> bool {
        match place.checked_sub(64) {
            Some(other) => self.others[other],
            None => self.first & 1 << place != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Given;

    #[test]
    fn each_key_is_given_once() {
        let mut given = Given::new(130);
        for place in [0, 1, 63, 64, 65, 129] {
            assert!(!given.has(place) && !given.replace(place), "{place}");
            assert!(given.has(place) && given.replace(place), "{place}");
        }
        assert!(!given.has(2) && !given.has(128));
    }
}

//! Names that stay apart when they are redacted.

use std::collections::BTreeSet;

/// The names that were given in place of others, so that no two are alike.
#[derive(Default)]
pub(super) struct Names {
    given: BTreeSet<String>,
    /// The number that was given last. It only grows, so that the search for a free name is short.
    number: usize,
}

impl Names {
    /// The name, with a number after it if it is taken.
    pub(super) fn free(&mut self, name: &str, is_taken: impl Fn(&str) -> bool) -> String {
        let mut free = name.to_owned();
        while self.given.contains(&free) || is_taken(&free) {
            self.number = self.number.max(1) + 1;
            free = format!("{name} {}", self.number);
        }
        self.given.insert(free.clone());
        free
    }
}

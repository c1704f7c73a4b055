//! Changes made by leniency, limited in number.

use crate::tool::{ArgumentChange, ChangeKind};

/// The number of changes that are listed one by one. Beyond it those of each kind are counted.
const MAX_LISTED: usize = 32;

/// The changes so far.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// The listed changes, in their order.
    listed: Vec<ArgumentChange>,
    /// The first of each kind that is not listed, with how many there are.
    counted: Vec<ArgumentChange>,
}

/// A point in time, to go back to.
pub(crate) struct Mark {
    listed: usize,
    counted: Vec<ArgumentChange>,
}

impl Changes {
    pub(crate) fn add(&mut self, kind: ChangeKind, path: impl FnOnce() -> String) {
        if self.listed.len() < MAX_LISTED {
            return self.listed.push(ArgumentChange::new(kind, path()));
        }
        match self.counted.iter_mut().find(|change| change.kind == kind) {
            Some(change) => change.times += 1,
            None => self.counted.push(ArgumentChange::new(kind, path())),
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            listed: self.listed.len(),
            counted: self.counted.clone(),
        }
    }

    /// Forgets what was changed since.
    pub(crate) fn go_back_to(&mut self, mark: Mark) {
        self.listed.truncate(mark.listed);
        self.counted = mark.counted;
    }

    pub(crate) fn into_vec(mut self) -> Vec<ArgumentChange> {
        self.listed.append(&mut self.counted);
        self.listed
    }
}

//! What leniency changed, bounded in number.

use crate::tool::{ArgumentChange, ChangeKind};

/// How many changes are listed one by one. Beyond it those of a kind that is listed are counted.
const MAX_LISTED: usize = 32;

/// The changes so far, in their order.
#[derive(Debug, Default)]
pub(super) struct Changes(Vec<ArgumentChange>);

impl Changes {
    pub(super) fn add(&mut self, kind: ChangeKind, path: impl FnOnce() -> String) {
        if self.0.len() >= MAX_LISTED {
            let mut listed = self.0.iter_mut().rev();
            if let Some(last) = listed.find(|last| last.kind == kind) {
                last.times += 1;
                return;
            }
        }
        self.0.push(ArgumentChange::new(kind, path()));
    }

    pub(super) fn into_vec(self) -> Vec<ArgumentChange> {
        self.0
    }
}

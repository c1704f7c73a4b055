//! Which of the reasons for an exception the recordings still need.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

/// The folder of a protocol, and a reason.
type Needed = BTreeSet<(String, &'static str)>;

static NEEDED: Mutex<Needed> = Mutex::new(Needed::new());

/// Notes that a recording in this folder needs it.
pub(crate) fn need(folder: &str, reason: &'static str) {
    let mut needed = NEEDED.lock().unwrap_or_else(PoisonError::into_inner);
    needed.insert((folder.to_owned(), reason));
}

/// Whether a recording in this folder has needed it so far.
pub(crate) fn is_needed(folder: &str, reason: &'static str) -> bool {
    let needed = NEEDED.lock().unwrap_or_else(PoisonError::into_inner);
    needed.contains(&(folder.to_owned(), reason))
}

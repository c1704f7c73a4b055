//! A limit on the steps that the patterns of one check take together.

use std::cell::Cell;

/// The greatest number of steps for one check: a fraction of a second.
const MAX_STEPS: usize = 1 << 24;

/// Too few steps are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Exceeded;

thread_local! {
    /// The steps that the check on this thread has left. A check does not wait, so that no other one comes in
    /// between.
    static LEFT: Cell<Option<usize>> = const { Cell::new(Some(MAX_STEPS)) };
}

/// Runs a check with all the steps that one may take, and says whether they were enough.
pub(in super::super) fn bounded<T>(check: impl FnOnce() -> T) -> Result<T, (T, Exceeded)> {
    let outside = LEFT.replace(Some(MAX_STEPS));
    let result = check();
    match LEFT.replace(outside) {
        Some(_) => Ok(result),
        None => Err((result, Exceeded)),
    }
}

/// Takes steps from what is left.
///
/// # Errors
///
/// When fewer are left. Then none are left for the rest of the check.
pub(super) fn spend(steps: usize) -> Result<(), Exceeded> {
    let left = LEFT.get().and_then(|left| left.checked_sub(steps));
    LEFT.set(left);
    left.map(|_| ()).ok_or(Exceeded)
}

/// Ends the steps of the check.
pub(super) fn exceed() -> Exceeded {
    LEFT.set(None);
    Exceeded
}

/// Returns true if the check has taken more steps than it may.
pub(super) fn is_exceeded() -> bool {
    LEFT.get().is_none()
}

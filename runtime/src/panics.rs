//! Keeps a panic of somebody else's code where it happens.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Runs somebody else's code; `None` if it panicked.
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(done) => Some(done),
        Err(panic) => {
            discard(panic);
            None
        }
    }
}

/// Drops what somebody panicked with, which may panic as well.
pub(crate) fn discard(panic: Box<dyn Any + Send>) {
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        // Nobody knows how often it would go on like this.
        std::mem::forget(again);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;

    use super::*;

    struct PanicsInDrop(u8);

    impl Drop for PanicsInDrop {
        fn drop(&mut self) {
            if let Some(left) = self.0.checked_sub(1) {
                panic_any(Self(left));
            }
        }
    }

    #[test]
    fn a_panic_with_what_panics_when_it_is_dropped_goes_no_further() {
        for times in 0..3 {
            let panicked = guarded(|| panic_any(PanicsInDrop(times)));
            assert!(panicked.is_none());
        }
        assert_eq!(guarded(|| 1), Some(1));
    }
}

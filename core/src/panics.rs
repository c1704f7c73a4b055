//! Keeps a panic of somebody else's code where it happens.

use std::{
    any::Any,
    fmt,
    future::Future,
    ops::{Deref, DerefMut},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
};

/// The payload of a panic.
pub type Payload = Box<dyn Any + Send>;

/// Runs somebody else's code.
///
/// # Errors
///
/// What it panicked with.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, Payload> {
    catch_unwind(AssertUnwindSafe(run))
}

/// Runs somebody else's code; `None` if it panicked.
pub fn guarded<T>(run: impl FnOnce() -> T) -> Option<T> {
    caught(run).map_err(discard).ok()
}

/// The number of payloads whose drop may panic with another payload before that one is leaked.
const PAYLOADS: usize = 100;

/// Drops what somebody panicked with, which may panic as well.
pub fn discard(panic: Payload) {
    let mut last = panic;
    for _ in 0..PAYLOADS {
        match caught(|| drop(last)) {
            Ok(()) => return,
            Err(again) => last = again,
        }
    }
    // It would go on like this for ever.
    std::mem::forget(last);
}

/// The text that somebody panicked with.
pub fn text_of(panic: &Payload) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a text")
}

/// Holds a value of somebody else's type: a tool, a model, a future or a closure.
///
/// Its drop may panic. Such a panic ends here: it leaves no drop of ours, and the values beside it are
/// dropped as well. Two panics at once would end the program.
#[derive(Clone, Default)]
pub struct Contained<T>(Option<T>);

/// The reason why the value is there.
const HELD: &str = "it is held until it is taken, which consumes the holder";

impl<T> Contained<T> {
    /// Holds a value.
    pub fn new(value: T) -> Self {
        Self(Some(value))
    }

    /// Takes the value out, whose drop is then up to the caller.
    pub fn into_inner(mut self) -> T {
        self.0.take().expect(HELD)
    }
}

impl<T> Drop for Contained<T> {
    fn drop(&mut self) {
        if let Some(value) = self.0.take() {
            guarded(|| drop(value));
        }
    }
}

impl<T> Deref for Contained<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect(HELD)
    }
}

impl<T> DerefMut for Contained<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect(HELD)
    }
}

/// A panic of the future itself is not caught.
impl<F: Future + Unpin> Future for Contained<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        Pin::new(&mut **self).poll(cx)
    }
}

impl<T: fmt::Debug> fmt::Debug for Contained<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        panic::panic_any,
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
    };

    use super::*;

    /// Panics so often, each time with another that does.
    struct PanicsInDrop(usize, Arc<AtomicUsize>);

    impl Drop for PanicsInDrop {
        fn drop(&mut self) {
            self.1.fetch_add(1, Ordering::SeqCst);
            if let Some(left) = self.0.checked_sub(1) {
                panic_any(Self(left, Arc::clone(&self.1)));
            }
        }
    }

    #[test]
    fn a_panic_with_what_panics_when_it_is_dropped_goes_no_further() {
        for times in [0, 1, 2, 20] {
            let drops = Arc::default();
            let panicked = guarded(|| panic_any(PanicsInDrop(times, Arc::clone(&drops))));
            assert!(panicked.is_none());
            assert_eq!(drops.load(Ordering::SeqCst), times + 1);
        }
        assert_eq!(guarded(|| 1), Some(1));
    }

    #[test]
    fn several_that_panic_in_drop_are_all_dropped_also_while_a_panic_is_under_way() {
        let drops = Arc::default();
        let several = || [(); 3].map(|()| Contained::new(PanicsInDrop(1, Arc::clone(&drops))));
        drop(several());
        assert_eq!(drops.load(Ordering::SeqCst), 6);
        let held = several();
        let panicked = guarded(|| {
            let _held = held;
            panic!("while it holds them");
        });
        assert_eq!((panicked, drops.load(Ordering::SeqCst)), (None, 12));
    }
}

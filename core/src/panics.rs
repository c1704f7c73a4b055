//! Catches a panic of other people's code where it happens.

use std::{
    any::Any,
    fmt,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
};

/// The payload of a panic.
pub type Payload = Box<dyn Any + Send>;

/// Runs other people's code.
///
/// # Errors
///
/// What it panicked with.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, Payload> {
    catch_unwind(AssertUnwindSafe(run))
}

/// The text that a panic has.
pub fn text_of(panic: &Payload) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

/// Work of other people's code, a future or a stream: one catch around it and around its drop.
pub struct Caught<W>(Option<W>);

impl<W> Caught<W> {
    /// Holds the work, until it has ended.
    pub fn new(work: W) -> Self {
        Self(Some(work))
    }

    /// Does a piece of the work; `Pending` if it has ended.
    ///
    /// # Errors
    ///
    /// What it panicked with. The work has ended then.
    pub fn work<T>(&mut self, piece: impl FnOnce(&mut W) -> Poll<T>) -> Result<Poll<T>, Payload> {
        let Some(work) = &mut self.0 else {
            return Ok(Poll::Pending);
        };
        caught(|| piece(work)).inspect_err(|_| {
            // The first panic is the one that counts.
            let _ = self.end();
        })
    }

    /// Drops the work.
    ///
    /// # Errors
    ///
    /// What it panicked with.
    pub fn end(&mut self) -> Result<(), Payload> {
        let work = self.0.take();
        caught(|| drop(work))
    }
}

/// The output of the work, or what it panicked with, in its drop as well.
impl<F: Future + Unpin> Future for Caught<F> {
    type Output = Result<F::Output, Payload>;

    #[inline]
    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.work(|work| Pin::new(work).poll(cx)) {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(self.end().map(|()| output)),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    }
}

impl<W> Drop for Caught<W> {
    fn drop(&mut self) {
        // Two panics at once would end the program.
        let _ = self.end();
    }
}

impl<W: fmt::Debug> fmt::Debug for Caught<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::{pending, ready},
        pin::pin,
        task::Waker,
    };

    use super::*;

    struct PanicsInDrop;

    impl Drop for PanicsInDrop {
        fn drop(&mut self) {
            panic!("in drop");
        }
    }

    fn poll<F: Future>(work: F) -> Option<Result<F::Output, String>> {
        let mut work = Caught::new(Box::pin(work));
        let polled = Pin::new(&mut work).poll(&mut Context::from_waker(Waker::noop()));
        match polled {
            Poll::Pending => None,
            Poll::Ready(ended) => Some(ended.map_err(|panic| text_of(&panic).to_owned())),
        }
    }

    #[test]
    fn a_panic_is_the_end_of_the_work() {
        assert_eq!(poll(ready(1)), Some(Ok(1)));
        let panics = async { panic!("in {}", "poll") };
        assert_eq!(poll(panics), Some(Err::<(), _>("in poll".to_owned())));
        // Dropped after its end, within its poll.
        let held = PanicsInDrop;
        let drops_late = std::future::poll_fn(move |_| {
            let _ = &held;
            Poll::Ready(())
        });
        assert_eq!(poll(drops_late), Some(Err("in drop".to_owned())));
        // Dropped before its end.
        let waits = async {
            let _held = PanicsInDrop;
            pending::<()>().await;
        };
        assert_eq!(poll(waits), None);
    }

    #[test]
    fn work_that_has_ended_is_pending() {
        let mut work = pin!(Caught::new(ready(1)));
        let mut cx = Context::from_waker(Waker::noop());
        assert!(work.as_mut().poll(&mut cx).is_ready());
        assert!(work.as_mut().poll(&mut cx).is_pending());
    }

    #[test]
    fn work_is_dropped_while_a_panic_is_under_way() {
        let held = Caught::new(PanicsInDrop);
        let panic = caught(|| {
            let _held = held;
            panic!("while it holds it");
        });
        let text = panic.map_err(|panic| text_of(&panic).to_owned());
        assert_eq!(text, Err::<(), _>("while it holds it".to_owned()));
    }
}

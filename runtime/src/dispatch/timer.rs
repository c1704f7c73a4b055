//! A timer that exists only while something is to be timed.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    task::unconstrained,
    time::{Instant, Sleep, sleep, sleep_until},
};

/// A timer that exists only while something is to be timed: what is over already, or waits for nothing, needs no time
/// driver.
#[derive(Debug, Default)]
pub(crate) struct Timer(Option<Pin<Box<Sleep>>>);

impl Timer {
    /// Polls for a time: ready once it has come. Until then the task is woken when it comes.
    ///
    /// Work that uses up what its task may do in one go does not put it off.
    pub(crate) fn poll_at(&mut self, at: Instant, cx: &mut Context<'_>) -> Poll<()> {
        if Instant::now() >= at {
            return Poll::Ready(());
        }
        let sleep = self.0.get_or_insert_with(|| Box::pin(sleep_until(at)));
        if sleep.deadline() != at {
            sleep.as_mut().reset(at);
        }
        Pin::new(&mut unconstrained(sleep.as_mut())).poll(cx)
    }
}

/// Waits for so long. A wait of nothing is over at once.
pub(crate) async fn wait(duration: Duration) {
    if !duration.is_zero() {
        sleep(duration).await;
    }
}

/// The time by tokio's clock, which tests can pause.
pub(crate) fn clock() -> std::time::Instant {
    Instant::now().into_std()
}

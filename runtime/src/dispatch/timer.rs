//! A timer that exists only while something is to be timed.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    runtime::Handle,
    task::unconstrained,
    time::{Instant, Sleep, sleep_until},
};

use super::{after, alarm::Alarm};

/// A timer that exists only while something is to be timed: what is over already, or waits for nothing, needs no time
/// driver. Outside of tokio a thread of its own wakes the task.
#[derive(Debug, Default)]
pub(crate) struct Timer(Option<Driver>);

#[derive(Debug)]
enum Driver {
    Tokio(Pin<Box<Sleep>>),
    Thread(Alarm),
}

impl Timer {
    /// Polls for a time: ready once it has come. Until then the task is woken when it comes.
    ///
    /// Work that uses up what its task may do in one go does not put it off.
    pub(crate) fn poll_at(&mut self, at: Instant, cx: &mut Context<'_>) -> Poll<()> {
        if Instant::now() >= at {
            return Poll::Ready(());
        }
        let driver = self.0.get_or_insert_with(|| match Handle::try_current() {
            Ok(_) => Driver::Tokio(Box::pin(sleep_until(at))),
            Err(_) => Driver::Thread(Alarm::default()),
        });
        match driver {
            Driver::Tokio(sleep) => {
                if sleep.deadline() != at {
                    sleep.as_mut().reset(at);
                }
                Pin::new(&mut unconstrained(sleep.as_mut())).poll(cx)
            }
            Driver::Thread(alarm) => alarm.poll_at(at.into_std(), cx),
        }
    }
}

/// Waits for so long. A wait of nothing is over at once.
pub(crate) async fn wait(duration: Duration) {
    let (at, mut timer) = (after(duration), Timer::default());
    poll_fn(|cx| timer.poll_at(at, cx)).await;
}

/// Polls work for so long. It gives whether the work has ended.
pub(crate) async fn within(limit: Duration, work: &mut (impl Future<Output = ()> + Unpin)) -> bool {
    let (at, mut timer) = (after(limit), Timer::default());
    poll_fn(|cx| match Pin::new(&mut *work).poll(cx) {
        Poll::Ready(()) => Poll::Ready(true),
        Poll::Pending => timer.poll_at(at, cx).map(|()| false),
    })
    .await
}

/// The time by tokio's clock, which tests can pause.
pub(crate) fn clock() -> std::time::Instant {
    Instant::now().into_std()
}

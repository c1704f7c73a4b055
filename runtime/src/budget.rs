//! A limit on the work that is done in one go before other tasks have their turn.

use std::{
    future::poll_fn,
    task::{Context, Poll},
};

/// A limit on the work that is done in one go before other tasks have their turn.
///
/// Futures and streams that never wait would keep their task, and with it every other task of its
/// thread. This one makes them wait after a number of steps, on any executor. On tokio each step
/// counts for the task as well, so that many short works yield as a long one does.
#[derive(Debug)]
pub(crate) struct Budget {
    left: u32,
}

impl Budget {
    /// The number of steps that are made in one go, as on tokio.
    const STEPS: u32 = 128;

    pub(crate) const fn new() -> Self {
        Self { left: Self::STEPS }
    }

    /// Makes a step, if one may be made now. If not, the task is woken at once, behind the others.
    pub(crate) fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let Some(left) = self.left.checked_sub(1) else {
            self.left = Self::STEPS;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        };
        if std::pin::pin!(tokio::task::consume_budget())
            .poll(cx)
            .is_pending()
        {
            self.left = Self::STEPS;
            return Poll::Pending;
        }
        self.left = left;
        Poll::Ready(())
    }

    /// Gives others their turn before the next step.
    pub(crate) fn spend(&mut self) {
        self.left = 0;
    }

    /// Makes a step when one may be made.
    pub(crate) async fn step(&mut self) {
        poll_fn(|cx| self.poll_step(cx)).await;
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    #[test]
    fn without_an_executor_it_waits_now_and_then() {
        let mut budget = Budget::new();
        let mut cx = Context::from_waker(Waker::noop());
        let waits = (0..1_000).filter(|_| budget.poll_step(&mut cx).is_pending());
        assert_eq!(waits.count(), 1_000 / 129);
    }
}

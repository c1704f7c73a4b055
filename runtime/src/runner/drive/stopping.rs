//! Stops a run: it is cancelled, its time is up, or its driver panicked.

use futures_util::FutureExt;

use super::{Driven, Driver};
use crate::runner::calls::Calls;
use toolwright_core::{
    ToolError,
    driver::{Payload, discard, text_of},
    model::{ModelError, ModelErrorKind},
    run::{Action, Failure, Finish, Interruption, Signal, StoreError, StoreErrorKind},
    tool::ToolResult,
};

impl Driver<'_> {
    /// Returns the signal that interrupts the run, if the run was not told yet.
    pub(super) fn interruption(&self) -> Option<Signal> {
        if self.cancelled {
            None
        } else if self.cancellation.is_cancelled() {
            Some(Signal::Cancel)
        } else {
            self.time.is_up().then_some(Signal::TimeLimitReached)
        }
    }

    /// Stops what runs, and tells the run why.
    pub(super) async fn interrupt(&mut self, calls: &mut Calls<'_>, signal: Signal) {
        if calls.is_closing() {
            return self.stop(signal);
        }
        self.stopping.cancel();
        // What the application has answered by now has finished as well.
        self.take_messages(Some(calls));
        // What is ready has finished, and a tool that heard of the end may say its last.
        self.take_ready(calls).await;
        self.stop(signal);
        self.inbox.0.expect_nothing();
        self.expiry.clear();
        calls.close();
    }

    /// Takes what is ready of the calls.
    pub(super) async fn take_ready(&mut self, calls: &mut Calls<'_>) {
        while let Some(happened) = calls.next().now_or_never() {
            self.take_messages(Some(calls));
            self.happened(calls, happened);
            self.budget.step().await;
        }
    }

    /// Tells the run that it is cancelled, or that its time is up.
    pub(super) fn stop(&mut self, signal: Signal) {
        match signal {
            Signal::Cancel
            | Signal::ResponseBrokenOff {
                by: Interruption::Cancel,
                ..
            } => self.cancelled = true,
            _ => self.time.told(&self.run.config().limits),
        }
        self.signal(signal);
    }

    /// Loses a run whose driver panicked and whose store has it: it can be resumed.
    pub(super) fn lose(&mut self, panic: Payload) -> Driven {
        let why = format!("the driver of the run panicked: {}", text_of(&panic));
        let error = StoreError::new(StoreErrorKind::Unavailable, why);
        let outcome = self.run.lost(Failure::Store(error));
        Driven {
            outcome,
            panic: Some(panic),
        }
    }

    /// Ends a run whose driver panicked, with all that it has done. While the model is to be asked, that
    /// is what failed.
    pub(super) fn fail(&mut self, panic: Payload) -> Driven {
        let error = ModelError::new(ModelErrorKind::Panicked, text_of(&panic));
        self.signal(Signal::ModelFailed(error));
        self.signal(Signal::Cancel);
        for action in self.run.poll() {
            if let Action::CancelCall(id) = action {
                let effects = self.run.policy(id).map(|policy| policy.effects);
                let aftermath = effects.unwrap_or_default().aftermath();
                let message = format!("the run broke off while the call ran{aftermath}");
                let stopped = ToolError::cancelled(message);
                self.signal(Signal::CallFinished(id, ToolResult::error("", stopped)));
            }
        }
        let outcome = self.run.outcome();
        let outcome = outcome.expect("a run that is cancelled is over when its calls are");
        let panic = if matches!(outcome.finish, Finish::Failed(Failure::Model(_))) {
            discard(panic);
            None
        } else {
            Some(panic)
        };
        Driven { outcome, panic }
    }
}

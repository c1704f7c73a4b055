//! Keeps: the state of the run, its log, and what is written and read of that.

use std::{
    future::{Future, poll_fn},
    mem::take,
    pin::pin,
    task::Context,
};

use super::{Driven, listener::Listener, opening::Opened};
#[cfg(feature = "tracing")]
use crate::runner::trace::{self, Trace};
use crate::runner::{
    RunEvent,
    call_requests::Checkpoint,
    keeper::{Keeper, Received, Watch},
    queue::EventQueue,
};
use toolwright_core::{
    ToolError, UserMessage,
    driver::{Payload, text_of},
    model::{ModelError, ModelErrorKind},
    run::{
        Action, Failure, Finish, PendingCall, Record, Run, Signal, StoreError, StoreErrorKind,
        StoredRun,
    },
    tool::ToolResult,
};

/// The part of a driver that keeps the run.
pub(super) struct Journal {
    run: Run,
    events: EventQueue,
    /// The whole log, of a run that may be suspended.
    log: Option<Vec<Record>>,
    /// What keeps the run in a store.
    keeper: Option<Keeper>,
    /// The error of the store, once it took nothing more.
    lost: Option<StoreError>,
    /// The checkpoints that are recorded and not written, for which calls wait.
    checkpoints: Vec<Checkpoint>,
    #[cfg(feature = "tracing")]
    trace: Trace,
}

impl Journal {
    /// The journal of a run that was opened. Its log is kept whole if the run may be suspended, or goes on.
    pub(super) fn of(opened: Opened, events: EventQueue, may_suspend: bool) -> Self {
        let Opened {
            run,
            log,
            new,
            keeper,
            ..
        } = opened;
        // Nobody has read anything of a new run.
        let goes_on = new > 0;
        #[cfg(feature = "tracing")]
        let trace = if goes_on {
            Trace::resumed(&run, &log[new..])
        } else {
            Trace::default()
        };
        let mut journal = Self {
            run,
            events,
            log: None,
            keeper: None,
            lost: None,
            checkpoints: Vec::new(),
            #[cfg(feature = "tracing")]
            trace,
        };
        // What is written already is read at once.
        let written = keeper.as_ref().map_or(log.len(), Keeper::written);
        journal.publish(new as u64, log[new..written].to_vec());
        journal.keeper = keeper;
        journal.publish(written as u64, log[written..].to_vec());
        journal.log = (may_suspend || goes_on).then_some(log);
        journal
    }

    pub(super) fn run(&self) -> &Run {
        &self.run
    }

    /// What is read of the run.
    pub(super) fn events(&self) -> &EventQueue {
        &self.events
    }

    /// What keeps the run in a store, if it is kept.
    pub(super) fn keeper(&self) -> Option<&Keeper> {
        self.keeper.as_ref()
    }

    /// Returns true if the store took nothing more: nothing more is to be done then.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// The store has lost the run.
    pub(super) fn lose(&mut self, error: StoreError) {
        self.lost.get_or_insert(error);
        self.checkpoints.clear();
    }

    /// The driver has panicked. A run that is kept can be resumed.
    pub(super) fn panicked(&mut self, panic: &Payload) {
        if self.keeper.is_some() {
            let why = format!("the driver of the run panicked: {}", text_of(panic));
            self.lose(StoreError::new(StoreErrorKind::Unavailable, why));
        }
    }

    /// Leaves the cancel of a run that the store has lost to the process that continues it.
    pub(super) async fn leave_cancel(&self) {
        if let Some(keeper) = self.keeper.as_ref().filter(|_| self.is_lost()) {
            keeper.leave_cancel().await;
        }
    }

    /// Tells the run what happened, and records it.
    pub(super) fn signal(&mut self, signal: Signal) {
        #[cfg(feature = "tracing")]
        let is_told = trace::is_read();
        #[cfg(not(feature = "tracing"))]
        let is_told = false;
        if self.events.is_closed() && self.log.is_none() && self.keeper.is_none() && !is_told {
            return self.run.handle_unread(signal);
        }
        let first = self.run.sequence();
        let records = self.run.handle(signal);
        if let Some(log) = &mut self.log {
            log.extend_from_slice(&records);
        }
        self.publish(first, records);
    }

    /// Records how far a call has come, if the attempt still runs that says it. Its call waits until that is written, where
    /// the run is kept.
    pub(super) fn checkpoint(&mut self, mut request: Checkpoint) {
        if self.is_lost() || !request.is_in_time(&self.run) {
            return;
        }
        let (call, state) = (request.call, take(&mut request.state));
        let before = self.run.sequence();
        self.signal(Signal::CallCheckpointed { call, state });
        match &self.keeper {
            // What the run does not take is recorded by no later write either.
            _ if self.run.sequence() == before => {}
            Some(_) => self.checkpoints.push(request),
            None => request.recorded(),
        }
    }

    fn publish(&mut self, first: u64, records: Vec<Record>) {
        for (sequence, record) in (first..).zip(records) {
            #[cfg(feature = "tracing")]
            self.trace.tell(&self.run, &record);
            if let Some(keeper) = &mut self.keeper {
                keeper.hold(vec![record]);
                continue;
            }
            self.events.push(|| RunEvent::Recorded { sequence, record });
        }
    }

    /// Takes an item of the inbox that came through the store, unless it was taken.
    pub(super) fn takes(&mut self, place: u64) -> bool {
        let keeper = self.keeper.as_mut();
        keeper.is_some_and(|keeper| keeper.takes(place))
    }

    /// Returns true if an item of the inbox in the store was taken.
    pub(super) fn has_taken(&self, place: u64) -> bool {
        let keeper = self.keeper.as_ref();
        keeper.is_none_or(|keeper| keeper.has_taken(place))
    }

    /// What the inbox in the store has that was not taken.
    pub(super) async fn inbox(&self) -> Result<Vec<Received>, StoreError> {
        match &self.keeper {
            Some(keeper) => keeper.inbox().await,
            None => Ok(Vec::new()),
        }
    }

    /// What holds the run in its store while it is driven.
    pub(super) fn watch(&self) -> Option<Watch> {
        self.keeper.as_ref().map(Keeper::watch)
    }

    /// Returns true if there is something to write.
    pub(super) fn is_to_write(&self) -> bool {
        let is_settled = self.keeper.as_ref().is_none_or(Keeper::is_settled);
        !is_settled && self.lost.is_none()
    }

    /// Writes what was recorded, with the calls that wait, and gives it to the reader. Other work is polled meanwhile.
    pub(super) async fn write(
        &mut self,
        pending: Vec<PendingCall>,
        listener: &mut Listener,
        mut beside: impl FnMut(&mut Context<'_>),
    ) {
        let Some(keeper) = &mut self.keeper else {
            return;
        };
        let written = {
            let mut writing = pin!(keeper.write(&self.run, pending));
            let writing = poll_fn(|cx| {
                let written = writing.as_mut().poll(cx);
                if written.is_pending() {
                    beside(cx);
                }
                written
            });
            listener.answer(self.run.is_late(), writing).await
        };
        match written {
            Ok((first, records)) => {
                self.checkpoints.drain(..).for_each(Checkpoint::recorded);
                for (sequence, record) in (first..).zip(records) {
                    self.events.push(|| RunEvent::Recorded { sequence, record });
                }
            }
            Err(error) => self.lose(error),
        }
    }

    /// Takes the run as it is stored, with the calls that wait.
    pub(super) fn stored(&mut self, pending: Vec<PendingCall>) -> StoredRun {
        StoredRun::suspended(self.log.take().unwrap_or_default(), pending)
    }

    /// Writes that the run is suspended, where it is kept. Returns `false` if the inbox has an item that the run has
    /// not taken.
    pub(super) async fn suspend(
        &mut self,
        pending: Vec<PendingCall>,
        listener: &mut Listener,
    ) -> Result<bool, StoreError> {
        if let Some(lost) = &self.lost {
            return Err(lost.clone());
        }
        let Some(keeper) = &mut self.keeper else {
            return Ok(true);
        };
        let suspended = keeper.suspend(&self.run, pending);
        let is_suspended = listener.answer(self.run.is_late(), suspended).await?;
        // Whoever cancels it meanwhile may not know that it is suspended.
        if is_suspended && listener.is_cancelled() {
            listener.answer(true, keeper.put_cancel()).await?;
        }
        Ok(is_suspended)
    }

    /// The run goes on after all.
    pub(super) fn go_on(&mut self, stored: StoredRun) {
        self.log = Some(stored.into_records());
    }

    /// The messages in the inbox of a run that is over, which came too late.
    pub(super) async fn unheard(&self, listener: &mut Listener) -> Vec<UserMessage> {
        match &self.keeper {
            Some(keeper) if self.run.is_over() && self.lost.is_none() => {
                let unheard = listener.answer(self.run.is_late(), keeper.unheard());
                unheard.await.unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// Gives up what is left of the runs below, of a run that is over. An error cannot be signalled to the run: the
    /// rest is not resumed by itself.
    pub(super) async fn leave_below(&self, listener: &mut Listener) {
        let is_over = self.run.is_over() && self.lost.is_none();
        if let Some(keeper) = self.keeper.as_ref().filter(|_| is_over) {
            let around = keeper.around();
            let left = around.abandon_below(self.run.id());
            let _ = listener.answer(self.run.is_late(), left).await;
        }
    }

    /// The end of the run, which was driven to it, was suspended, or whose driver panicked.
    pub(super) fn end(mut self, ended: Result<Option<StoredRun>, Payload>) -> Driven {
        if let Some(error) = self.lost.take() {
            return Driven {
                outcome: self.run.lost(Failure::Store(error)),
                panic: ended.err(),
            };
        }
        match ended {
            Ok(Some(stored)) => {
                #[cfg(feature = "tracing")]
                Trace::tell_suspended(&self.run);
                let mut end = Driven::of(self.run.suspended(stored));
                if self.keeper.is_some() {
                    // Its store has it, and `Runner::resume` goes on with it under a lease.
                    end.outcome.suspended = None;
                }
                end
            }
            Ok(None) => {
                let outcome = self.run.into_outcome();
                Driven::of(outcome.expect("a run that is driven to its end is over"))
            }
            Err(panic) => self.fail(panic),
        }
    }

    /// Ends a run whose driver panicked, with all that it has done. While the model is to be asked, that
    /// is what failed.
    fn fail(mut self, panic: Payload) -> Driven {
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
            None
        } else {
            Some(panic)
        };
        Driven { outcome, panic }
    }
}

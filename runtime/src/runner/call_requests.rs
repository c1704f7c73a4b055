//! What running calls have the driver of their run do.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use tokio::sync::{
    mpsc::{self, UnboundedReceiver, UnboundedSender},
    oneshot,
};

use toolwright_core::{
    ToolError,
    driver::CallDriver,
    run::{CallId, Run},
    tool::BoxFuture,
};

/// The requests of the calls of a run that nobody has handled.
pub(super) struct CallRequests {
    sender: UnboundedSender<Checkpoint>,
    receiver: UnboundedReceiver<Checkpoint>,
}

/// A request to record how far an attempt of a call has come. Dropped, it fails.
pub(super) struct Checkpoint {
    pub(super) call: CallId,
    attempt: u32,
    pub(super) state: String,
    recorded: oneshot::Sender<()>,
}

/// An attempt of a call, as it speaks to its driver.
struct Attempt {
    call: CallId,
    number: u32,
    last: Option<Arc<str>>,
    requests: UnboundedSender<Checkpoint>,
}

impl CallRequests {
    pub(super) fn new() -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        Self { sender, receiver }
    }

    /// What the driver does for the attempt of a call that the run has just started.
    pub(super) fn of_attempt(&self, run: &Run, call: CallId) -> Arc<dyn CallDriver> {
        Arc::new(Attempt {
            call,
            number: run.attempt(call),
            last: run.checkpoint(call).cloned(),
            requests: self.sender.clone(),
        })
    }

    /// The next request. Pending while there is none.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Checkpoint> {
        match self.receiver.poll_recv(cx) {
            Poll::Ready(Some(request)) => Poll::Ready(request),
            // It has a sender itself.
            Poll::Ready(None) | Poll::Pending => Poll::Pending,
        }
    }
}

impl Checkpoint {
    /// Returns true if the attempt still runs that has made the request.
    pub(super) fn is_in_time(&self, run: &Run) -> bool {
        run.is_running(self.call) && run.attempt(self.call) == self.attempt
    }

    /// It is where the run is stored.
    pub(super) fn recorded(self) {
        // The call may wait for it no longer.
        let _ = self.recorded.send(());
    }
}

impl CallDriver for Attempt {
    fn last_checkpoint(&self) -> Option<&str> {
        self.last.as_deref()
    }

    fn checkpoint(&self, state: String) -> BoxFuture<'_, Result<(), ToolError>> {
        let (recorded, is_recorded) = oneshot::channel();
        let request = Checkpoint {
            call: self.call,
            attempt: self.number,
            state,
            recorded,
        };
        // What is not sent, or dropped, fails the future.
        let _ = self.requests.send(request);
        let place = (self.call, self.number);
        Box::pin(async move {
            let (call, attempt) = place;
            is_recorded.await.map_err(|_| {
                ToolError::internal(format!(
                    "the checkpoint of attempt {attempt} of call {call} was not recorded: the attempt is over, or the run is \
                     not driven any more"
                ))
            })
        })
    }
}

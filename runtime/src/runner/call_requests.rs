//! What running calls have the driver of their run do.

use std::{
    future::{Future, poll_fn},
    pin::pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::sync::{
    OwnedSemaphorePermit, Semaphore,
    mpsc::{self, UnboundedReceiver, UnboundedSender},
    oneshot,
};

use crate::dispatch::AttemptEnd;
use toolwright_core::{
    ToolContext, ToolError,
    driver::{CallDriver, MAX_QUESTIONS, defect},
    run::{CallId, Run},
    tool::{BoxFuture, Decision, Question, Unasked},
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
    /// The attempt makes the next one after this one, also if it does not wait for it.
    _turn: Option<OwnedSemaphorePermit>,
}

/// An attempt of a call, as it speaks to its driver.
struct Attempt {
    call: CallId,
    number: u32,
    last: Option<Arc<str>>,
    answers: Vec<(String, Question, Decision)>,
    requests: UnboundedSender<Checkpoint>,
    /// One checkpoint at a time.
    turns: Arc<Semaphore>,
    /// The way to end the attempt with a question, under its key; `None` if nobody can be asked. It is closed when the attempt is
    /// over.
    asks: Option<UnboundedSender<(String, Question)>>,
}

/// The end of an attempt by a question: by the first one that it asks.
pub(super) struct Asked(UnboundedReceiver<(String, Question)>);

impl CallRequests {
    pub(super) fn new() -> Self {
        let (sender, receiver) = mpsc::unbounded_channel();
        Self { sender, receiver }
    }

    /// What the driver does for the attempt of a call that the run has just started, and how a question ends it.
    pub(super) fn of_attempt(
        &self,
        run: &Run,
        call: CallId,
        may_ask: bool,
    ) -> (Arc<dyn CallDriver>, Asked) {
        let (asks, asked) = mpsc::unbounded_channel();
        let attempt = Attempt {
            call,
            number: run.attempt(call),
            last: run.checkpoint(call).cloned(),
            answers: run.answers(call).to_vec(),
            requests: self.sender.clone(),
            turns: Arc::new(Semaphore::new(1)),
            asks: may_ask.then_some(asks),
        };
        (Arc::new(attempt), Asked(asked))
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

impl Asked {
    /// Runs an attempt until it ends, by itself or by a question.
    pub(super) async fn or_end(self, attempt: impl Future<Output = AttemptEnd>) -> AttemptEnd {
        let (mut attempt, mut asked) = (pin!(attempt), self.0);
        poll_fn(|cx| {
            if let Poll::Ready(end) = attempt.as_mut().poll(cx) {
                return Poll::Ready(end);
            }
            match asked.poll_recv(cx) {
                Poll::Ready(Some(question)) => Poll::Ready(AttemptEnd::asking(question)),
                // Nobody can ask it.
                Poll::Ready(None) | Poll::Pending => Poll::Pending,
            }
        })
        .await
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
        Box::pin(async move {
            let (recorded, is_recorded) = oneshot::channel();
            let request = Checkpoint {
                call: self.call,
                attempt: self.number,
                state,
                recorded,
                _turn: Arc::clone(&self.turns).acquire_owned().await.ok(),
            };
            // What is not sent, or dropped, fails the future.
            let _ = self.requests.send(request);
            is_recorded.await.map_err(|_| {
                ToolError::internal(format!(
                    "the checkpoint of attempt {} of call {} was not recorded: the attempt is over, or the run is not \
                     driven any more",
                    self.number, self.call
                ))
            })
        })
    }

    fn ask<'a>(
        &'a self,
        _: &'a ToolContext,
        key: String,
        question: Question,
    ) -> BoxFuture<'a, Result<Decision, Unasked>> {
        Box::pin(async move {
            // An answer is for what the person has read.
            let mut known = self.answers.iter();
            let known = known.find(|(answered, asked, _)| *answered == key && *asked == question);
            if let Some((_, _, answer)) = known {
                return Ok(answer.clone());
            }
            let asks = self.asks.as_ref().ok_or(Unasked::Nobody)?;
            if self.answers.len() >= MAX_QUESTIONS {
                return Err(Unasked::TooMany(MAX_QUESTIONS));
            }
            if let Some(why) = defect(&question) {
                return Err(Unasked::Invalid(why));
            }
            // Of several at once the first is asked, and the others after its answer. The attempt ends then, and what it has
            // started beside itself goes on with the error.
            let _ = asks.send((key, question));
            asks.closed().await;
            Err(Unasked::Failed("the attempt is over".to_owned()))
        })
    }
}

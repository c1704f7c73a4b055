//! A run that is under way.

mod running;

use std::{
    fmt,
    marker::PhantomData,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_core::Stream;

use super::{
    Answer, AnswerError, Inner, NotWaiting, RunControl, RunEvent, RunIsOver,
    begin::Begin,
    control::{Inbox, OpenInbox},
    input_check::InputChecker,
    seen_calls::SeenCalls,
    typed_answer::AnswerType,
};
use running::Running;
use toolwright_core::{
    ToolError, UserMessage,
    driver::about_text,
    run::{CallId, Failure, Finish, RunError, RunId, RunOutcome},
    tool::{CancellationToken, ToolCall, ToolContext, ToolOutput},
};

/// A running run: a stream of its events, and at the end its outcome.
///
/// The run continues while the handle is polled, by [`next`](Self::next) or [`outcome`](Self::outcome), and each step
/// is read before the next one is made. So a program that stores the events has stored a call before it runs. Move the
/// handle into a task to let it run in parallel. Dropping it stops the run.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{
///     ModelResponse, Runner, model::ModelEvent, runner::RunEvent, testing::ScriptedModel,
/// };
///
/// let model = ScriptedModel::new([ModelResponse::from_text("Hello, you.")]);
/// let mut handle = Runner::builder(model).build()?.start("Say hello.");
/// let mut streamed = String::new();
/// while let Some(event) = handle.next().await {
///     if let RunEvent::Delta(ModelEvent::Text(text)) = event {
///         streamed.push_str(&text);
///     }
/// }
/// assert_eq!(handle.outcome().await?.text, streamed);
/// # Ok(()) }
/// ```
///
/// `A` is the result of the run: its outcome, or an [`Answer`] of [a type](crate::RunRequest::answer_as).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ModelResponse, Runner, testing::ScriptedModel};
///
/// let model = ScriptedModel::new([ModelResponse::from_text(r#"{"answer": [2, 3, 5]}"#)]);
/// let runner = Runner::builder(model).build()?;
/// let mut handle = runner.request("Three primes?").answer_as::<Vec<u32>>().start();
/// while let Some(event) = handle.next().await {
///     println!("{event:?}");
/// }
/// assert_eq!(handle.answer().await?.value, [2, 3, 5]);
/// # Ok(()) }
/// ```
#[must_use = "a run goes on only while its handle is polled"]
pub struct RunHandle<A = RunOutcome> {
    id: RunId,
    running: Running,
    inbox: Inbox,
    cancellation: CancellationToken,
    /// The type of its answer, if that has one.
    answer: Option<AnswerType>,
    gives: PhantomData<fn() -> A>,
}

impl<A> RunHandle<A> {
    /// Begins a run. The type of its answer is that of `A`.
    pub(super) fn new(
        (inner, context): (Arc<Inner>, ToolContext),
        owner: Option<String>,
        begin: Begin,
    ) -> Self {
        let (inbox, cancellation) = (Inbox::default(), CancellationToken::new());
        let context = context.with_cancellation(cancellation.clone());
        let checker = InputChecker::new(&inner, owner, &context);
        Self {
            id: begin.id().clone(),
            answer: begin.answer().cloned(),
            running: Running::new((inner, context), begin, checker, OpenInbox(inbox.clone())),
            inbox,
            cancellation,
            gives: PhantomData,
        }
    }

    /// The run's id.
    pub fn id(&self) -> &RunId {
        &self.id
    }

    /// The next event; `None` when the run is over.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime with an enabled timer, if a timer is needed: for retries, calls that still run after
    /// a cancel, time limits of the run or of a request, and a limited wait for people. Also there, if the run is in a
    /// store, or if its model needs tokio. Calls are as in [`Dispatch`](crate::Dispatch#panics).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses no event, and the run continues with the next poll.
    pub async fn next(&mut self) -> Option<RunEvent> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// Returns true when the first record of the run is in the store, and false if there is none. The events before it are
    /// read then.
    #[doc(hidden)]
    pub async fn has_begun(&mut self) -> bool {
        while let Some(event) = self.next().await {
            if matches!(event, RunEvent::Recorded { .. }) {
                return true;
            }
        }
        false
    }

    /// Runs to the end, and skips unread events.
    async fn end(&mut self) -> Result<RunOutcome, RunError> {
        self.read_no_more();
        while self.next().await.is_some() {}
        self.running.take_outcome().into_result()
    }

    /// Declares that the events of the handle are not read any more.
    pub(super) fn read_no_more(&mut self) {
        self.running.read_no_more();
    }

    /// Declares that the reader of the events can discard text.
    pub(super) fn pass_on(&self) {
        self.running.pass_on();
    }

    /// Returns the call with an id, with the arguments that it runs or ran with. It is known once the events of its
    /// response were read, and stays known after its round.
    pub fn call(&self, id: CallId) -> Option<&ToolCall> {
        self.seen().get(id)
    }

    /// The calls that are known: those of a run that goes on are, before any event of it is read.
    pub(super) fn seen(&self) -> &SeenCalls {
        self.running.seen()
    }

    /// Cancels the run: running work is stopped, finished work stays in the outcome, and every call gets a result. The
    /// run then ends with [`Finish::Cancelled`](toolwright_core::Finish::Cancelled); read the handle to its end as
    /// usual. A run that is over stays as it is.
    pub fn cancel(&self) {
        self.cancellation.cancel();
    }

    /// Sends the model a message: see [`RunControl::push`].
    ///
    /// # Errors
    ///
    /// When the run is over.
    pub fn push(&self, message: impl Into<UserMessage>) -> Result<(), RunIsOver> {
        self.control().push(message)
    }

    /// Cancels the run when its round is over: see [`RunControl::cancel_after_round`].
    ///
    /// # Errors
    ///
    /// When the run is over.
    pub fn cancel_after_round(&self) -> Result<(), RunIsOver> {
        self.control().cancel_after_round()
    }

    /// Approves a call that waits: see [`RunControl::approve`].
    ///
    /// # Errors
    ///
    /// When the call does not wait for an approval.
    pub fn approve(&self, call: CallId) -> Result<(), NotWaiting> {
        self.control().approve(call)
    }

    /// Denies a call that waits: see [`RunControl::deny`].
    ///
    /// # Errors
    ///
    /// When the call does not wait for an approval.
    pub fn deny(&self, call: CallId, reason: impl Into<String>) -> Result<(), NotWaiting> {
        self.control().deny(call, reason)
    }

    /// Returns a control of the run for other tasks.
    pub fn control(&self) -> RunControl {
        RunControl::new(
            self.id.clone(),
            self.inbox.clone(),
            self.cancellation.clone(),
        )
    }

    /// Returns the token that cancels the run, for tasks of its own and for other code.
    pub fn cancellation(&self) -> CancellationToken {
        self.cancellation.clone()
    }
}

impl RunHandle {
    /// Runs to the end, skips unread events, and returns the outcome.
    ///
    /// # Errors
    ///
    /// When the run [failed](toolwright_core::Finish::Failed); its finished work is in the error.
    ///
    /// # Panics
    ///
    /// As [`next`](Self::next).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the run and loses its work. A run in a store is not cancelled, and can be resumed.
    pub async fn outcome(mut self) -> Result<RunOutcome, RunError> {
        self.end().await
    }

    /// Answers a call of an external tool: see [`RunControl::answer_call`].
    ///
    /// # Errors
    ///
    /// When the call does not wait for an answer.
    pub fn answer_call(
        &self,
        call: CallId,
        outcome: Result<ToolOutput, ToolError>,
    ) -> Result<(), NotWaiting> {
        self.control().answer_call(call, outcome)
    }
}

impl<T: 'static> RunHandle<Answer<T>> {
    /// Runs to the end, skips unread events, and returns the answer. To answer a call of an external tool, use
    /// [`control`](Self::control).
    ///
    /// # Errors
    ///
    /// When the run failed or ended without an answer: see [`AnswerError`].
    ///
    /// # Panics
    ///
    /// As [`next`](Self::next).
    ///
    /// # Cancel safety
    ///
    /// As [`outcome`](RunHandle::outcome).
    pub async fn answer(mut self) -> Result<Answer<T>, AnswerError> {
        let outcome = self.end().await.map_err(AnswerError::Failed)?;
        match outcome.finish {
            Finish::Answered
            | Finish::Limit {
                summarized: true, ..
            } => {}
            _ => return Err(AnswerError::NoAnswer(Box::new(outcome))),
        }
        let answer = self.answer.expect("a run to an answer has its type");
        match answer.value(&outcome.text) {
            Ok(value) => Ok(Answer::new(value, outcome)),
            Err(error) => {
                let (text, reason) = (outcome.text.clone(), about_text(&error.message));
                let failure = Failure::AnswerUnfit { text, reason };
                Err(AnswerError::Failed(RunError::new(failure, outcome)))
            }
        }
    }

    /// The handle of the run, which gives the answer as text.
    pub fn into_untyped(self) -> RunHandle {
        RunHandle {
            id: self.id,
            running: self.running,
            inbox: self.inbox,
            cancellation: self.cancellation,
            answer: None,
            gives: PhantomData,
        }
    }
}

impl<A> Stream for RunHandle<A> {
    type Item = RunEvent;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<RunEvent>> {
        self.get_mut().running.poll_next(cx)
    }
}

impl<A> fmt::Debug for RunHandle<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunHandle")
            .field("id", &self.id)
            .field("finished", &self.running.is_over())
            .finish_non_exhaustive()
    }
}

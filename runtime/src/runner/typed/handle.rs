//! The handle to a run with a typed answer, and the answer.

use std::{
    fmt,
    marker::PhantomData,
    ops::{Deref, DerefMut},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_core::Stream;
use serde::de::DeserializeOwned;

use super::{AnswerError, check::read_answer, form::LastRead};
use crate::runner::{RunEvent, RunHandle};
use toolwright_core::{
    ToolInput,
    driver::about_text,
    run::{Failure, Finish, RunError, RunOutcome},
};

/// An answer that is a value of a type, and the run that gave it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Answer<T> {
    /// The value.
    pub value: T,
    /// The outcome of the run. Its text is the answer as the model wrote it.
    pub outcome: RunOutcome,
}

/// A run that is under way and whose answer is a value of a type. It is a [`RunHandle`] in all else: a stream of events.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ModelResponse, Runner, testing::ScriptedModel};
///
/// let model = ScriptedModel::new([ModelResponse::from_text(r#"{"answer": [2, 3, 5]}"#)]);
/// let mut handle = Runner::builder(model).build()?.start_as::<Vec<u32>>("Three primes?");
/// while let Some(event) = handle.next().await {
///     println!("{event:?}");
/// }
/// assert_eq!(handle.answer().await?.value, [2, 3, 5]);
/// # Ok(()) }
/// ```
#[must_use = "a run goes on only while its handle is polled"]
pub struct AnswerHandle<T> {
    run: RunHandle,
    /// What was read when the answer was checked.
    last: Arc<LastRead>,
    answer: PhantomData<fn() -> T>,
}

impl<T: ToolInput + DeserializeOwned + 'static> AnswerHandle<T> {
    pub(super) fn new(run: RunHandle, last: Arc<LastRead>) -> Self {
        Self {
            run,
            last,
            answer: PhantomData,
        }
    }

    /// Runs to the end, past the events that nobody has read, and gives the answer.
    ///
    /// # Errors
    ///
    /// When the run failed or ended without an answer: see [`AnswerError`].
    ///
    /// # Panics
    ///
    /// As [`RunHandle::outcome`].
    ///
    /// # Cancel safety
    ///
    /// Dropping the future stops the run and loses what it had done.
    pub async fn answer(self) -> Result<Answer<T>, AnswerError> {
        let outcome = self.run.outcome().await.map_err(AnswerError::Failed)?;
        match outcome.finish {
            Finish::Answered
            | Finish::Limit {
                summarized: true, ..
            } => {}
            _ => return Err(AnswerError::NoAnswer(Box::new(outcome))),
        }
        let read = self.last.take(&outcome.text).map(Ok);
        match read.unwrap_or_else(|| read_answer(&outcome.text)) {
            Ok(value) => Ok(Answer { value, outcome }),
            Err(error) => {
                let (text, reason) = (outcome.text.clone(), about_text(&error.message));
                let failure = Failure::AnswerUnfit { text, reason };
                Err(AnswerError::Failed(RunError::new(failure, outcome)))
            }
        }
    }

    /// The handle of the run, which gives the answer as text.
    pub fn into_run(self) -> RunHandle {
        self.run
    }
}

impl<T> Deref for AnswerHandle<T> {
    type Target = RunHandle;

    fn deref(&self) -> &RunHandle {
        &self.run
    }
}

impl<T> DerefMut for AnswerHandle<T> {
    fn deref_mut(&mut self) -> &mut RunHandle {
        &mut self.run
    }
}

impl<T> Stream for AnswerHandle<T> {
    type Item = RunEvent;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<RunEvent>> {
        Pin::new(&mut self.get_mut().run).poll_next(cx)
    }
}

impl<T> fmt::Debug for AnswerHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.run.fmt(f)
    }
}

//! What the driver of a run does for a call that runs.

use std::fmt;

use super::ToolContext;
use crate::{
    ToolError,
    tool::{BoxFuture, Decision, Question, Unasked},
};

/// The largest checkpoint, and the longest question, in bytes.
const MAX_TEXT: usize = 64 * 1024;

/// What the driver of a run does for one attempt of a call. For a call outside of a run, whoever makes the call asks
/// questions, and there are no checkpoints.
pub trait CallDriver: Send + Sync {
    /// The checkpoint that an earlier attempt has recorded last.
    fn last_checkpoint(&self) -> Option<&str> {
        None
    }

    /// Records a checkpoint. The future ends when the record is where the run is stored.
    fn checkpoint(&self, state: String) -> BoxFuture<'_, Result<(), ToolError>> {
        drop(state);
        Box::pin(async { Ok(()) })
    }

    /// Asks a person, or gives the answer to the question of this key that is known. The context is that of the call.
    fn ask<'a>(
        &'a self,
        cx: &'a ToolContext,
        key: String,
        question: Question,
    ) -> BoxFuture<'a, Result<Decision, Unasked>>;
}

impl fmt::Debug for dyn CallDriver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallDriver").finish_non_exhaustive()
    }
}

impl ToolContext {
    /// Records how far the call has come, in the log of its run. When the call runs again, it continues from the
    /// [last checkpoint](Self::last_checkpoint), also in another process. A later checkpoint replaces the one before.
    ///
    /// A call with a checkpoint **runs again** if its process died while it ran, whatever its [effects](crate::Effects);
    /// without one, a call that writes does not. So the tool promises that an attempt with a checkpoint does not repeat
    /// what was done before it. Record the checkpoint after a step that has to happen once, with all that the next attempt needs
    /// to go on. A step whose end may have been lost needs a service that can be asked for it, or an
    /// [idempotency key](Self::idempotency_key).
    ///
    /// It returns when the store of the run has the record; in a run without a store, when the run has it. Outside of a run,
    /// and for a call that a tool makes by itself, it does nothing. Nobody is shown the text: not the model, and no front
    /// end. It is stored as it is, without redaction, and only those who read the log of the run find it.
    ///
    /// ```
    /// use toolwright::{ToolContext, ToolError, tool};
    ///
    /// # async fn begin(_: &str) -> Result<String, ToolError> { Ok("7".to_owned()) }
    /// # async fn result_of(job: &str) -> Result<String, ToolError> { Ok(format!("{job} is done")) }
    /// /// Render a film.
    /// #[tool]
    /// async fn render(film: String, #[context] cx: &ToolContext) -> Result<String, ToolError> {
    ///     let job = match cx.last_checkpoint() {
    ///         Some(job) => job.to_owned(),
    ///         None => {
    ///             let job = begin(&film).await?;
    ///             cx.checkpoint(&job).await?;
    ///             job
    ///         }
    ///     };
    ///     result_of(&job).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is longer than 64 KiB. When it was not recorded: the attempt is over, or the run is not driven any
    /// more, as when another process has taken it over or its store fails. The tool then must not go on.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped, the checkpoint may still be recorded.
    #[doc(alias("save", "persist", "resume", "durable"))]
    pub async fn checkpoint(&self, state: impl Into<String>) -> Result<(), ToolError> {
        let state = state.into();
        if state.len() > MAX_TEXT {
            return Err(ToolError::internal(format!(
                "a checkpoint of {} bytes: the largest one has {MAX_TEXT}",
                state.len()
            )));
        }
        match &self.driver {
            Some(driver) => driver.checkpoint(state).await,
            None => Ok(()),
        }
    }

    /// Asks a person, and returns the answer. The key names the question within the call: an answer is for one question, and
    /// the same one under the same key gets it at once. Take a word for it, without a time or a random number.
    ///
    /// **In a run the call may end here, and runs again from its beginning** when the answer is there, perhaps in another
    /// process: `ask` then returns the answer at once. So ask before the first effect, or record a
    /// [checkpoint](Self::checkpoint) after it: what was done before a question is done again. This holds for tools that
    /// write as well, whose calls are otherwise never repeated. The new attempt counts for no retry and no rate limit, has
    /// the same idempotency key, and its time limit begins anew.
    ///
    /// The call waits as one that waits for an approval: for the [`Approver`](https://docs.rs/toolwright/latest/toolwright/approval/trait.Approver.html)
    /// of the runner, or, in a run that [suspends](crate::Finish::Suspended), as a [`PendingCall`](crate::run::PendingCall)
    /// whose answer comes from any process. If nobody answers in the [time](crate::run::RunConfig::pending_time) of the run,
    /// the answer is [`Decision::Deny`] with that reason. A filled form was checked against its schema.
    ///
    /// It is for the questions of tools of this program. What a server of the Model Context Protocol asks within a call of its tool
    /// is answered by the hook of [`Client::asking`](https://docs.rs/toolwright/latest/toolwright/mcp/struct.Client.html#method.asking),
    /// or asked in this way too, with `Client::asking_in_runs`.
    ///
    /// Outside of a run the approver of the call answers in place, and the time limit of the call goes on. A call that a client of
    /// the Model Context Protocol makes without a task has no checkpoints, and may run again from its beginning as well.
    ///
    /// The question and the answer are in the log of the run as they are, without redaction: ask for no secret by a form. The
    /// answers are void when the approval of the call is.
    ///
    /// ```
    /// use toolwright::{ToolContext, ToolError, approval::Decision, schema::Schema, tool, tool::Question};
    ///
    /// /// Book a table in a restaurant.
    /// #[tool]
    /// async fn book_table(restaurant: String, #[context] cx: &ToolContext) -> Result<String, ToolError> {
    ///     let form = r#"{"type": "object", "properties": {"guests": {"type": "integer"}}, "required": ["guests"]}"#;
    ///     let question = Question::form("For how many people?", Schema::from_text(form)?);
    ///     Ok(match cx.ask("guests", question).await? {
    ///         Decision::ApproveWith { arguments } => format!("{restaurant} is booked: {arguments}"),
    ///         _ => "The user does not want a table.".to_owned(),
    ///     })
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// When nobody can be asked, when the call has asked 16 questions, and when the question is longer than 64 KiB, its schema is
    /// none of an object, or its address is none of `http` or `https`. Outside of a run, also when the call has asked another
    /// question by this key. What the call has started beside itself, such as a task, has an error when the attempt is over.
    ///
    /// # Cancel safety
    ///
    /// If the future is dropped, the question may still be asked.
    #[doc(alias("elicit", "interrupt", "prompt", "input"))]
    pub async fn ask(
        &self,
        key: impl Into<String>,
        question: Question,
    ) -> Result<Decision, Unasked> {
        let key = key.into();
        let length = key.len() + question.len();
        if length > MAX_TEXT {
            return Err(Unasked::TooLong(length));
        }
        match &self.driver {
            Some(driver) => driver.ask(self, key, question).await,
            None => Err(Unasked::Nobody),
        }
    }

    /// Returns the [checkpoint](Self::checkpoint) that an earlier attempt of the call has recorded last; `None` if there is
    /// none, as at the first attempt. It stays the same while the attempt runs.
    pub fn last_checkpoint(&self) -> Option<&str> {
        self.driver.as_ref()?.last_checkpoint()
    }
}

#[cfg(test)]
mod tests {
    use std::{
        pin::pin,
        task::{Context, Poll, Waker},
    };

    use super::*;

    /// Records a checkpoint without a run, which never waits.
    fn recorded(cx: &ToolContext, state: String) -> Result<(), ToolError> {
        let recorded = pin!(cx.checkpoint(state));
        match recorded.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(recorded) => recorded,
            Poll::Pending => panic!("it waits for nothing"),
        }
    }

    #[test]
    fn a_call_outside_of_a_run_has_no_checkpoints() {
        let cx = ToolContext::new("a");
        assert_eq!(recorded(&cx, "one".to_owned()), Ok(()));
        assert_eq!(cx.last_checkpoint(), None);
    }

    #[test]
    fn a_checkpoint_has_a_largest_size() {
        let cx = ToolContext::new("a");
        let of = |bytes| recorded(&cx, "x".repeat(bytes));
        assert_eq!(of(MAX_TEXT), Ok(()));
        let error = of(MAX_TEXT + 1).expect_err("is too long");
        assert!(format!("{error:?}").contains("65537 bytes"), "{error:?}");
    }
}

//! A stored run that is to go on, with what it is given for that.

use std::{fmt, marker::PhantomData};

use crate::{
    Runner,
    runner::{
        Answer, RunHandle,
        typed_answer::{AnswerType, TypedAnswer},
    },
};
use source::Source;
use toolwright_core::run::{Resolution, ResumeError, RunId, RunOutcome, StoredRun};

/// A request to resume a stored run. [`Runner::resume`] makes it.
///
/// `R` says where the run is stored, and `A` is its result: its outcome, or an [`Answer`].
#[must_use = "a run goes on only when it is started"]
pub struct ResumeRequest<R, A = RunOutcome> {
    runner: Runner,
    source: Source,
    decisions: Vec<Resolution>,
    answer: Option<AnswerType>,
    kind: PhantomData<fn() -> (R, A)>,
}

/// A stored run: its [`RunId`], by value or borrowed, for one of the [store](crate::RunnerBuilder::store) of the runner, or a [`StoredRun`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no stored run",
    label = "give the id of a run in the store of the runner, or the run as a value",
    note = "write `&run_id`, or give the `StoredRun` of `RunOutcome::suspended`"
)]
pub trait Resumable {
    /// Returns where the run is stored. The type has no public name, so that only these types are stored runs.
    #[doc(hidden)]
    fn source(self) -> Source;
}

impl Resumable for &RunId {
    fn source(self) -> Source {
        Source::Kept(self.clone())
    }
}

impl Resumable for RunId {
    fn source(self) -> Source {
        Source::Kept(self)
    }
}

impl Resumable for StoredRun {
    fn source(self) -> Source {
        Source::Here(Box::new(self))
    }
}

mod source {
    use super::{RunId, StoredRun, fmt};

    /// Where a run is stored.
    pub enum Source {
        /// In the store of the runner.
        Kept(RunId),
        /// Here.
        Here(Box<StoredRun>),
    }

    /// Without the log, which holds the whole conversation.
    impl fmt::Debug for Source {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                Self::Kept(id) => id.fmt(f),
                Self::Here(_) => f.write_str("StoredRun"),
            }
        }
    }
}

impl Runner {
    /// Resumes a stored run: one whose process has died, or one that was
    /// [suspended](toolwright_core::Finish::Suspended).
    ///
    /// - By its id, for a run of the [store](crate::RunnerBuilder::store), of this process or another, that the
    ///   [owner](Self::with_owner) of this runner may see. Decisions and answers for its calls come through its inbox
    ///   ([`Store::put`](crate::store::Store::put)), before or after this call.
    /// - With a [`StoredRun`] as a value, and the [decisions](ResumeRequest::decide) about its calls. Do that only
    ///   once: this runner does not know other copies of the value.
    ///
    /// A call that was running and has no result runs again if its tool is read-only or idempotent, with the same
    /// idempotency key, or if it recorded a [checkpoint](toolwright_core::ToolContext::checkpoint). Another one that writes
    /// does not, and the model reads that it may have taken effect. A request to the
    /// model is sent again. If calls still wait and no other work is left, the run is suspended again.
    ///
    /// The run has the settings that it began with, apart from those of its calls and of its model, which come from
    /// this runner. Its time limit continues: for a run whose process has died, the used time is known up to about the
    /// end of its last step. The time limits of one request and of a summary begin again. The handle gives only new
    /// events, with their places in the log.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{ModelResponse, Runner, ToolCall, run::Resolution, testing::ScriptedModel, tool, toolset};
    ///
    /// /// Delete a file.
    /// #[tool(approval)]
    /// fn delete(path: String) -> String {
    ///     format!("deleted {path}")
    /// }
    ///
    /// let calls = ModelResponse::from_calls([ToolCall::new("1", "delete", r#"{"path": "a.txt"}"#)]);
    /// let model = ScriptedModel::new([calls, ModelResponse::from_text("Done.")]);
    /// let runner = Runner::builder(model).tools(toolset![delete]).suspends().build()?;
    ///
    /// let run = runner.run("Delete a.txt.").await?.suspended.expect("the call waits");
    /// let decisions: Vec<_> = run.pending().iter().map(|call| call.approve()).collect();
    /// let handle = runner.resume(run).decide(decisions).start().await?;
    /// assert_eq!(handle.outcome().await?.text, "Done.");
    /// # Ok(()) }
    /// ```
    #[doc(alias("continue", "restore", "checkpoint"))]
    pub fn resume<R: Resumable>(&self, run: R) -> ResumeRequest<R> {
        ResumeRequest {
            runner: self.clone(),
            source: run.source(),
            decisions: Vec::new(),
            answer: None,
            kind: PhantomData,
        }
    }
}

impl<A> ResumeRequest<StoredRun, A> {
    /// Adds decisions about waiting calls, and answers to them. The calls of [`StoredRun::pending`] make them. A run of
    /// a store receives them through its inbox.
    #[doc(alias("approve", "deny"))]
    pub fn decide(mut self, decisions: impl IntoIterator<Item = Resolution>) -> Self {
        self.decisions.extend(decisions);
        self
    }
}

impl<R, A> ResumeRequest<R, A> {
    /// Sets the type of the answer. Use the type that the run began with: the model still has its schema.
    ///
    /// Without it, the run gives the text of the answer. The text is checked by the type if the runner [knows
    /// it](Runner::with_answer_type), or else against the schema in the log if the feature `jsonschema` is on; otherwise
    /// the first answer is accepted. [`recover`](Runner::recover) does the same.
    pub fn answer_as<T: TypedAnswer>(self) -> ResumeRequest<R, Answer<T>> {
        ResumeRequest {
            runner: self.runner,
            source: self.source,
            decisions: self.decisions,
            answer: Some(AnswerType::of::<T>()),
            kind: PhantomData,
        }
    }

    /// Resumes the run, and returns its handle.
    ///
    /// A run of a store that was resumed five times without progress is parked: the store has the reason, and
    /// [`recover`](Runner::recover) skips it. Resume it by its id to try again.
    ///
    /// # Errors
    ///
    /// When the run is over or its log is damaged. Nothing is changed then.
    ///
    /// By its id: when the runner has no store; when another driver holds the run, or the store has no such run or
    /// cannot be read ([`ResumeError::Store`]); when its tools have changed and [that is
    /// refused](crate::RunnerBuilder::on_changed_tools).
    ///
    /// As a value: when a decision or an answer is for no call that waits, comes too late
    /// ([`RunConfig::pending_time`](toolwright_core::RunConfig::pending_time)), or approves a call whose tool has changed
    /// since.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future may leave a run of the store held until the
    /// [lease time](crate::RunnerBuilder::lease_time) is over.
    pub async fn start(self) -> Result<RunHandle<A>, ResumeError> {
        match self.source {
            Source::Kept(id) => {
                let resumed = self.runner.resume_if(&id, |_| true, self.answer).await?;
                Ok(resumed.expect("every run goes on"))
            }
            Source::Here(run) => self.runner.go_on(*run, self.decisions, self.answer),
        }
    }
}

impl<R, A> fmt::Debug for ResumeRequest<R, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decided: Vec<_> = self.decisions.iter().map(Resolution::id).collect();
        f.debug_struct("ResumeRequest")
            .field("run", &self.source)
            .field("decided", &decided)
            .finish_non_exhaustive()
    }
}

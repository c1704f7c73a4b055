//! A stored run that is to go on, with what it is given for that.

use std::{fmt, marker::PhantomData};

use crate::{
    Runner,
    runner::{
        Answer, RunHandle,
        typed::{AnswerType, TypedAnswer},
    },
};
use source::Source;
use toolwright_core::run::{Resolution, ResumeError, RunId, RunOutcome, StoredRun};

/// A stored run that is to go on. [`Runner::resume`] makes it.
///
/// `R` says where the run is stored, and `A` is what it gives: its outcome, or an [`Answer`].
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
pub trait Resumable: source::Stored {}

impl Resumable for &RunId {}
impl Resumable for RunId {}
impl Resumable for StoredRun {}

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

    pub trait Stored {
        fn source(self) -> Source;
    }

    impl Stored for &RunId {
        fn source(self) -> Source {
            Source::Kept(self.clone())
        }
    }

    impl Stored for RunId {
        fn source(self) -> Source {
            Source::Kept(self)
        }
    }

    impl Stored for StoredRun {
        fn source(self) -> Source {
            Source::Here(Box::new(self))
        }
    }
}

impl Runner {
    /// Goes on with a stored run: one whose process is gone, or one that was
    /// [suspended](toolwright_core::Finish::Suspended).
    ///
    /// - By its id with one of the [store](crate::RunnerBuilder::store), of this process or another, that is there for the
    ///   [owner](Self::with_owner) of this runner. Decisions and answers for its calls come through its inbox
    ///   ([`Store::put`](crate::store::Store::put)), before or after.
    /// - With a [`StoredRun`] as a value, and the [decisions](ResumeRequest::decide) about its calls. Do that once: this
    ///   runner does not know what else has the value.
    ///
    /// A call that was running and has no result runs again if its tool is read-only or idempotent, with the same
    /// idempotency key. One that writes does not, and the model is told that it may have taken effect. A request to the
    /// model is made again. If some calls wait still and nothing else is under way, the run is suspended again.
    ///
    /// The run keeps the settings that it began with, apart from those of its calls and of its model, which are those of
    /// this runner. It has what is left of its time limit: of a run whose process is gone, the time is known up to about
    /// the last step that had ended. The time of one request and that of a summary begin anew. The events of the handle
    /// are those that are new, with their places in the log.
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
    /// Adds what was decided about calls that wait, and answers to them: [`StoredRun::pending`] makes it. A run of a store
    /// receives it through its inbox.
    #[doc(alias("approve", "deny"))]
    pub fn decide(mut self, decisions: impl IntoIterator<Item = Resolution>) -> Self {
        self.decisions.extend(decisions);
        self
    }
}

impl<R, A> ResumeRequest<R, A> {
    /// Sets the type of the answer. What the model was told to answer stays as it was when the run began: the type should
    /// be the one of then.
    ///
    /// Without it, the run gives the text of the answer, which is checked by the schema in the log if there is the feature
    /// `jsonschema`, and elsewhere is the first one. So does [`recover`](Runner::recover).
    pub fn answer_as<T: TypedAnswer>(self) -> ResumeRequest<R, Answer<T>> {
        ResumeRequest {
            runner: self.runner,
            source: self.source,
            decisions: self.decisions,
            answer: Some(AnswerType::of::<T>()),
            kind: PhantomData,
        }
    }

    /// Goes on with the run, and gives the handle to it.
    ///
    /// A run of a store that was resumed five times without getting further is parked: it is in the store with the reason,
    /// and [`recover`](Runner::recover) leaves it alone. To resume it by its id tries it again.
    ///
    /// # Errors
    ///
    /// When the run is over or its log is damaged. Nothing is done then.
    ///
    /// By its id: when the runner has no store; when another driver holds the run, or the store has no such run or cannot be
    /// read ([`ResumeError::Store`]); when its tools are others now and
    /// [that is refused](crate::RunnerBuilder::on_changed_tools).
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

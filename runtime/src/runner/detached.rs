//! A run that goes on by itself.

use std::panic::resume_unwind;

use tokio::task::JoinHandle;

use super::{RunControl, RunHandle};
use toolwright_core::run::{RunError, RunId, RunOutcome};

/// A run in its own task: it continues without a reader, and when this is dropped. [`RunHandle::detach`] makes it.
///
/// If the run is in a store, [`Runner::attach`](crate::Runner::attach) reads its events, any number of times.
#[derive(Debug)]
pub struct DetachedRun {
    control: RunControl,
    id: RunId,
    task: JoinHandle<Result<RunOutcome, RunError>>,
}

impl RunHandle {
    /// Moves the run into its own task, where it continues without polling. Control it by [`DetachedRun::control`], or
    /// by the inbox of its store.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use toolwright::{ModelResponse, Runner, testing::ScriptedModel};
    ///
    /// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
    /// let run = Runner::builder(model).build()?.start("Say hello.").detach();
    /// assert_eq!(run.outcome().await?.text, "Hello.");
    /// # Ok(()) }
    /// ```
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    pub fn detach(self) -> DetachedRun {
        DetachedRun {
            control: self.control(),
            id: self.id().clone(),
            task: tokio::spawn(self.outcome()),
        }
    }
}

impl DetachedRun {
    /// The run's id.
    pub fn id(&self) -> &RunId {
        &self.id
    }

    /// A way to steer the run.
    pub fn control(&self) -> &RunControl {
        &self.control
    }

    /// Waits for the end of the run, whatever becomes of it.
    pub(super) async fn over(self) {
        let _ = self.task.await;
    }

    /// Waits for the end of the run, and gives its outcome.
    ///
    /// # Errors
    ///
    /// As [`RunHandle::outcome`].
    ///
    /// # Panics
    ///
    /// As [`RunHandle::outcome`], and when the tokio runtime that drove the run was shut down.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future does not stop the run; its outcome is lost.
    pub async fn outcome(self) -> Result<RunOutcome, RunError> {
        match self.task.await {
            Ok(outcome) => outcome,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(error) => panic!("the task of the run is gone: {error}"),
            },
        }
    }
}

//! Work for a connection, and the channel for its result.

use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::oneshot;
use toolwright_runtime::store::StoreError;

use crate::failure::Failure;

/// Work for a connection. Its answer waits until it is known that the work counts.
pub(crate) trait Job: Send {
    /// Does the work. Returns false if it failed: what it has changed is to be undone. It may be done again then.
    fn run(&mut self, connection: &Connection) -> bool;

    /// Answers with what the work gave, if that counts.
    fn answer(self: Box<Self>, verdict: &Verdict);
}

/// Whether work counts that was done.
pub(crate) struct Verdict {
    /// The error of the transaction.
    pub(super) failed: Option<StoreError>,
    /// The error of files that are gone. All that SQLite says of them follows from it.
    pub(super) missing: Option<StoreError>,
    /// How long is waited for locks.
    pub(super) waited: Duration,
}

/// A job, and what waits for its answer.
pub(crate) fn task<T, F>(work: F) -> (Box<dyn Job>, oneshot::Receiver<Result<T, StoreError>>)
where
    T: Send + 'static,
    F: Fn(&Connection) -> Result<T, Failure> + Send + 'static,
{
    let (reply, answer) = oneshot::channel();
    let task = Task {
        work,
        result: None,
        reply,
    };
    (Box::new(task), answer)
}

struct Task<T, F> {
    work: F,
    result: Option<Result<T, Failure>>,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for Task<T, F>
where
    T: Send,
    F: Fn(&Connection) -> Result<T, Failure> + Send,
{
    fn run(&mut self, connection: &Connection) -> bool {
        if self.reply.is_closed() {
            // Nobody waits any more, and may have done the contrary since by another store.
            return false;
        }
        let result = (self.work)(connection);
        self.result.insert(result).is_ok()
    }

    fn answer(self: Box<Self>, verdict: &Verdict) {
        let Verdict {
            failed,
            missing,
            waited,
        } = verdict;
        let answer = match (self.result, missing, failed) {
            (Some(Err(Failure::Store(error))), ..) => Err(error),
            (_, Some(error), _) => Err(error.clone()),
            (Some(Err(failure)), ..) => Err(failure.into_error(*waited)),
            (_, _, Some(error)) => Err(error.clone()),
            (Some(Ok(result)), None, None) => Ok(result),
            // Skipped, because the caller does not wait any more.
            (None, None, None) => return,
        };
        // Who has ceased to wait since does not hear of it.
        let _ = self.reply.send(answer);
    }
}

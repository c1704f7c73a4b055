//! The task that notifies. What has changed while it does goes along with the next notification.

use std::sync::Arc;

use toolwright_core::driver::Mutex;

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::connection::{Access, Pool};

const NOTIFY: &str =
    "SELECT pg_notify($1, run::text), set_config('synchronous_commit', 'off', TRUE)
    FROM unnest($2::bigint[]) AS changed (run)";

/// The way to the task, which begins with the first change and ends with the store.
#[derive(Debug, Default)]
pub(super) struct Notifier(Mutex<Option<UnboundedSender<i64>>>);

impl Notifier {
    /// Tells other stores that a run has changed.
    pub(super) fn tell(&self, run: i64, pool: &Arc<Pool>) {
        // Nothing panics while it is held.
        let mut sender = self.0.lock();
        let is_sent = sender
            .as_ref()
            .is_some_and(|sender| sender.send(run).is_ok());
        if !is_sent {
            let (new, changes) = unbounded_channel();
            // The task holds the other end.
            let _ = new.send(run);
            *sender = Some(new);
            tokio::spawn(notify(changes, Arc::clone(pool)));
        }
    }
}

async fn notify(mut changes: UnboundedReceiver<i64>, pool: Arc<Pool>) {
    let mut runs = Vec::new();
    while changes.recv_many(&mut runs, usize::MAX).await > 0 {
        runs.sort_unstable();
        runs.dedup();
        let (channel, told) = (&pool.target().schema, &runs);
        let notified = pool.with(Access::Read, |session| async move {
            session.change(NOTIFY, &[channel, told]).await.map(drop)
        });
        // Waiters poll by themselves, and operations report what is wrong with the database.
        let _ = notified.await;
        runs.clear();
    }
}

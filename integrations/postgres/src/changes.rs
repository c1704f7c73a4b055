//! Waiters are notified of a change, whichever store made it.
//!
//! A notification is sent after the change, by itself: within its transaction PostgreSQL would let one commit of the
//! whole database wait for the sync of the one before. A change without a notification, because a process died or a
//! connection was lost, is found by polling.

mod listener;
mod notifier;

use std::{sync::Arc, time::Duration};

use toolwright_core::driver::Mutex;

use tokio::{sync::broadcast, task::JoinHandle};

use crate::connection::Pool;
use notifier::Notifier;

/// The number of changes that a waiter may be behind.
const BEHIND: usize = 64;

/// What has changed.
#[derive(Debug, Clone, Copy)]
enum Change {
    /// The run of this row.
    Run(i64),
    /// Any change: notifications were missed meanwhile.
    Any,
}

/// The way of changes between the stores of a schema.
#[derive(Debug)]
pub(crate) struct Changes {
    heard: broadcast::Sender<Change>,
    notifier: Notifier,
    listener: Mutex<Option<Listening>>,
}

/// A task that ends with what holds it.
#[derive(Debug)]
struct Listening(JoinHandle<()>);

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Changes {
    pub(crate) fn new() -> Self {
        Self {
            heard: broadcast::Sender::new(BEHIND),
            notifier: Notifier::default(),
            listener: Mutex::default(),
        }
    }

    /// Says that the run of a row has changed.
    pub(crate) fn tell(&self, run: i64, pool: &Arc<Pool>) {
        // Nobody may wait.
        let _ = self.heard.send(Change::Run(run));
        self.notifier.tell(run, pool);
    }

    /// Hears of changes from now on.
    pub(crate) fn hear(&self, pool: &Arc<Pool>) -> Heard {
        let heard = self.heard.subscribe();
        let mut listener = self.listener.lock();
        if listener.as_ref().is_none_or(|task| task.0.is_finished()) {
            let listening = listener::listen(pool.target().clone(), self.heard.clone());
            *listener = Some(Listening(tokio::spawn(listening)));
        }
        Heard(heard)
    }
}

/// The changes that a waiter receives.
#[derive(Debug)]
pub(crate) struct Heard(broadcast::Receiver<Change>);

impl Heard {
    /// Waits until the run of a row may have changed, for this time at most.
    pub(crate) async fn of(&mut self, run: i64, at_most: Duration) {
        let told = async {
            loop {
                match self.0.recv().await {
                    Ok(Change::Run(changed)) if changed != run => {}
                    _ => return,
                }
            }
        };
        // That the time is over is a reason to look as well.
        let _ = tokio::time::timeout(at_most, told).await;
    }
}

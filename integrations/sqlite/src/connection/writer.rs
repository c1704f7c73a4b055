//! The thread that writes: its queue, and its notifications.

use std::{
    path::PathBuf,
    sync::{
        Arc, Weak,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread,
    time::{Duration, Instant},
};

use tokio::sync::{oneshot, watch};
use toolwright_runtime::store::StoreError;

use super::{
    job::Job,
    readers::Readers,
    setup::Target,
    transactions::{Change, Transactions},
};
use crate::failure::unavailable;

/// The most jobs of one transaction.
const BATCH: usize = 64;
/// How often writes of other processes are polled for, while a reader waits.
const POLL: Duration = Duration::from_millis(250);

/// What the thread is asked for.
pub(crate) enum Order {
    /// A change, as part of a transaction.
    Write(Change),
    /// Work outside of a transaction.
    Alone(Box<dyn Job>),
    /// Somebody waits for changes.
    Watch,
}

/// The way to the thread. It ends when all of these are dropped.
#[derive(Debug, Clone)]
pub(crate) struct WriterThread {
    orders: Sender<Order>,
    /// The thread has it: the waiter gets an error when the thread ends.
    changes: Weak<watch::Sender<u64>>,
}

impl WriterThread {
    /// Opens a database on a new thread. It gives the connections that read, and the path, of one in a file.
    pub(crate) async fn open(
        target: Target,
    ) -> Result<(Self, Option<(Readers, PathBuf)>), StoreError> {
        let (sender, orders) = channel();
        let (opened, is_open) = oneshot::channel();
        let changes = Arc::new(watch::Sender::new(0));
        let thread = Self {
            orders: sender,
            changes: Arc::downgrade(&changes),
        };
        let work = move || match Writer::open(&target, orders, changes) {
            Ok((writer, readers)) => {
                if opened.send(Ok(readers)).is_ok() {
                    writer.work();
                }
            }
            // Who asked for it is gone.
            Err(error) => drop(opened.send(Err(error))),
        };
        thread::Builder::new()
            .name("toolwright-sqlite".to_owned())
            .spawn(work)
            .map_err(|error| unavailable(format!("no thread can be started: {error}")))?;
        let readers = is_open.await.unwrap_or_else(|_| Err(ended()))?;
        Ok((thread, readers))
    }

    /// Gives the thread an order. Its job is dropped if the thread has ended.
    pub(crate) fn order(&self, order: Order) {
        let _ = self.orders.send(order);
    }

    /// Hears of changes from now on.
    ///
    /// # Errors
    ///
    /// When the thread has ended.
    pub(crate) fn changes(&self) -> Result<watch::Receiver<u64>, StoreError> {
        let changes = self.changes.upgrade().ok_or_else(ended)?.subscribe();
        self.order(Order::Watch);
        Ok(changes)
    }
}

/// The thread of a connection has ended.
pub(crate) fn ended() -> StoreError {
    unavailable("the store's thread has ended: open the store again")
}

struct Writer {
    transactions: Transactions,
    orders: Receiver<Order>,
    changes: Arc<watch::Sender<u64>>,
    /// An order that ended a batch.
    held: Option<Order>,
    /// What other processes have written, as a number that changes with it, and when it was looked at.
    version: Option<i64>,
    looked: Option<Instant>,
}

impl Writer {
    fn open(
        target: &Target,
        orders: Receiver<Order>,
        changes: Arc<watch::Sender<u64>>,
    ) -> Result<(Self, Option<(Readers, PathBuf)>), StoreError> {
        let transactions = Transactions::open(target)?;
        let readers = match transactions.place() {
            Some(place) => Some((Readers::start(target, place)?, place.path().to_owned())),
            None => None,
        };
        let writer = Self {
            transactions,
            orders,
            changes,
            held: None,
            version: None,
            looked: None,
        };
        Ok((writer, readers))
    }

    fn work(mut self) {
        while let Some(order) = self.next() {
            match order {
                Order::Write(first) => {
                    let batch = self.batch(first);
                    if self.transactions.write(batch) {
                        self.tell();
                    }
                }
                Order::Alone(job) => self.transactions.alone(job),
                Order::Watch => {}
            }
        }
    }

    /// Waits for the next order, and looks meanwhile for what other processes have written.
    fn next(&mut self) -> Option<Order> {
        if let Some(order) = self.held.take() {
            return Some(order);
        }
        loop {
            // A database in memory has no other process.
            if self.transactions.place().is_none() || self.changes.receiver_count() == 0 {
                return self.orders.recv().ok();
            }
            let looked = self.looked.map_or(POLL, |looked| looked.elapsed());
            let Some(left) = POLL.checked_sub(looked).filter(|left| !left.is_zero()) else {
                self.look();
                continue;
            };
            match self.orders.recv_timeout(left) {
                Ok(order) => return Some(order),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    fn look(&mut self) {
        self.looked = Some(Instant::now());
        let version = self.transactions.version();
        // An error is a change as well: who waits then reads, and gets it.
        if version.is_none() || version != self.version {
            self.tell();
        }
        self.version = version;
    }

    fn tell(&self) {
        self.changes.send_modify(|changes| *changes += 1);
    }

    /// The changes that wait already go along in one transaction: many runs at once then share a sync.
    fn batch(&mut self, first: Change) -> Vec<Change> {
        let mut batch = vec![first];
        while batch.len() < BATCH {
            match self.orders.try_recv() {
                Ok(Order::Write(change)) => batch.push(change),
                Ok(Order::Watch) => {}
                Ok(order) => {
                    self.held = Some(order);
                    break;
                }
                Err(_) => break,
            }
        }
        batch
    }
}

//! Where runs and conversations are kept, so that they survive the process that drives them.
//!
//! A [`Store`] keeps, for each run, its [`RunInfo`], the entries of its log, its inbox and a lease. One process at a
//! time drives a run: it holds the lease, and a store refuses what an older holder appends. [`MemoryStore`] serves tests
//! and programs whose runs need not survive the process.

mod append;
mod below;
mod conversations;
mod entry;
mod inbox;
mod lease;
mod listing;
mod memory;
mod page;
mod pointer;
mod retention;
mod scope;
mod timed;

use std::time::{Duration, SystemTime};

pub use append::{Append, LoadedRun, NewRun, RunStatus};
pub use conversations::{ConversationId, ConversationInfo, ConversationRef, ConversationVersion};
pub use entry::Entry;
pub use inbox::{InboxContent, InboxItem, Received};
pub use lease::Lease;
pub(crate) use listing::{CALL, PARENT, ROOT, TASK};
pub use listing::{Page, RunFilter, RunInfo, RunSummary};
pub use memory::MemoryStore;
pub use retention::Deleted;
pub use scope::Scope;
#[doc(hidden)]
pub use timed::TimedStore;
pub(crate) use timed::{answer_of, no_answer};

pub use toolwright_core::run::{StoreError, StoreErrorKind};
use toolwright_core::{run::RunId, tool::BoxFuture};

/// Keeps runs and conversations.
///
/// # Contract
///
/// - What one method changes, it changes whole or not at all, also when the process dies meanwhile.
/// - [`create`](Self::create) and [`append`](Self::append) return when the change is durable: when the next
///   [`load`](Self::load) of any process finds it. With [`Append::synced`] it survives a loss of power as well.
/// - A lease has a token, and each new one of a run has a greater token than all before it. [`append`](Self::append),
///   [`renew`](Self::renew) and [`release`](Self::release) refuse a token that is not the newest, with
///   [`StoreErrorKind::LeaseLost`]. A lease that has expired holds until another driver takes one.
/// - A store may know that the process is gone that held a lease: nobody holds the run then. It knows that by a lock which that
///   process held, and never by the number of the process.
/// - The first lease of a run, that of [`create`](Self::create), has token 1.
/// - An append with a [status](Append::status) other than [`RunStatus::Open`] gives the lease back with it. One with
///   [`RunStatus::Suspended`] is refused while the inbox has an item after [`Append::taken`]: what somebody says to a run
///   is heard by its driver, or comes when nobody drives it.
/// - Dropping a future may leave its change made or not made, and nothing in between.
/// - The id of a run is used once. A lease of a deleted run may hold for another run of its id.
/// - Ids are any text: a store escapes what it cannot write.
/// - An operation sees what is in its [`Scope`], and answers of all else as of an id that is unknown, by the same look at the
///   store that does the rest of it. One that goes by a [lease](Lease) needs no scope: the lease was taken within one.
///
/// A `Box` or `Arc` of a store is a store: all methods reach the store in it. One that wraps another store forwards them all as
/// well, also those that have a default.
///
/// The package `toolwright-store-tests` has the tests that every store passes.
pub trait Store: Send + Sync + 'static {
    /// Creates a run with the first entries of its log, and leases it. A run that continues a conversation
    /// locks it until the run is finished or abandoned. It is created in the scope of its [owner](RunInfo::owner); a run without
    /// one is the application's, and may continue any conversation.
    ///
    /// # Errors
    ///
    /// When a run with this id exists already ([`StoreErrorKind::Exists`]); when the conversation has another version
    /// than the run continues ([`StoreErrorKind::Outdated`]) or is locked by another run
    /// ([`StoreErrorKind::ConversationBusy`]); when the id of the run or of a new conversation is in use by another owner
    /// ([`StoreErrorKind::NotFound`]).
    fn create<'a>(
        &'a self,
        run: &'a NewRun,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>>;

    /// Takes the lease of a run that nobody drives.
    ///
    /// # Errors
    ///
    /// When somebody holds it and its time is not over ([`StoreErrorKind::Held`]), unless the store knows that his
    /// process is gone; when the run does not exist, or it is over ([`StoreErrorKind::RunIsOver`]).
    fn lease<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>>;

    /// Extends a lease: it holds for this time from now on. One that was given back is not extended.
    ///
    /// # Errors
    ///
    /// When it is not the newest of the run, or the run is over ([`StoreErrorKind::RunIsOver`]).
    fn renew<'a>(
        &'a self,
        lease: &'a Lease,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>>;

    /// Releases a lease: another driver may take the run.
    ///
    /// # Errors
    ///
    /// When it is not the newest of the run.
    fn release<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Appends entries to the log of a run, with all that changes with them.
    ///
    /// # Errors
    ///
    /// When the lease is not the newest of the run, or the run is over ([`StoreErrorKind::RunIsOver`]); when the first entry is not the next one of the log
    /// ([`StoreErrorKind::OutOfSequence`]); when the conversation that is saved is not the next version
    /// ([`StoreErrorKind::Outdated`]); when the run is to be suspended and its inbox has an item that was not taken
    /// ([`StoreErrorKind::InboxNotEmpty`]). Nothing is changed then.
    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        append: &'a Append,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Loads a run, with the entries of its log from this one on, in order.
    ///
    /// # Errors
    ///
    /// When the run does not exist ([`StoreErrorKind::NotFound`]).
    fn load<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<LoadedRun, StoreError>>;

    /// Lists runs, the newest first, a page at a time. A damaged one takes no other with it: it is in
    /// [`Page::damaged`].
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn list<'a>(
        &'a self,
        scope: Scope<'a>,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Page<RunSummary>, StoreError>>;

    /// Puts an item into the inbox of a run. Nobody needs a lease for it. An item that is in the inbox already is not
    /// put a second time, also if it was taken since or the run is over.
    ///
    /// # Errors
    ///
    /// When the run does not exist, or it is finished or abandoned ([`StoreErrorKind::RunIsOver`]); when the inbox has
    /// or had an item with this id and another content ([`StoreErrorKind::Exists`]).
    fn put<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        item: &'a InboxItem,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Returns the items of an inbox after this place, in the order in which they came.
    ///
    /// # Errors
    ///
    /// When the run does not exist.
    fn inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<Vec<Received>, StoreError>>;

    /// Waits until the inbox of a run may have an item after this place, or the run is over or deleted. It may return too
    /// early. By default it waits for half a second.
    ///
    /// # Errors
    ///
    /// When there is no such item and the run is over ([`StoreErrorKind::RunIsOver`]); when the run does not exist, or
    /// the store cannot be read.
    fn wait_for_inbox<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let _ = (scope, run, after);
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            Ok(())
        })
    }

    /// Waits until the log of a run may have an entry at this place, or until the run may be no longer
    /// [open](RunStatus::Open). It may return too early. By default it waits for half a second.
    ///
    /// # Errors
    ///
    /// When the run does not exist, or the store cannot be read.
    fn wait_for_entries<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let _ = (scope, run, from);
        Box::pin(async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            Ok(())
        })
    }

    /// Ends a run that is not finished, whichever driver holds its lease: its conversation is free, and nothing is
    /// appended any more. A damaged run can be abandoned as well, so that it can be deleted; a store may say of its
    /// log that it is empty then.
    ///
    /// # Errors
    ///
    /// When the run does not exist, or it is over.
    fn abandon<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Loads the versions of a conversation that come after one, oldest first: all of them after 0, and none beyond the other
    /// bound. Empty if there is no newer version, or no such conversation.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
        after: u64,
        up_to: Option<u64>,
    ) -> BoxFuture<'a, Result<Vec<ConversationVersion>, StoreError>>;

    /// Saves the next version of a conversation, for conversations that come from elsewhere. A new one belongs to the owner of
    /// the scope. A run saves its own with [`append`](Self::append).
    ///
    /// # Errors
    ///
    /// When it is not the next version ([`StoreErrorKind::Outdated`]) or a run locks the conversation
    /// ([`StoreErrorKind::ConversationBusy`]); when it is the first one, and another owner has a conversation of this id
    /// ([`StoreErrorKind::NotFound`]).
    fn save_conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
        version: &'a ConversationVersion,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Lists conversations, those that changed last first, a page at a time.
    ///
    /// # Errors
    ///
    /// When the store cannot be read.
    fn conversations<'a>(
        &'a self,
        scope: Scope<'a>,
        after: Option<&'a str>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Page<ConversationInfo>, StoreError>>;

    /// Deletes a run that is finished or abandoned, with its log and its inbox. Runs of
    /// [sub-agents](crate::runner::SubAgent) below it stay: [`delete_with_below`](Self::delete_with_below) deletes them as well.
    ///
    /// # Errors
    ///
    /// When the run does not exist, or it is not over ([`StoreErrorKind::InUse`]).
    fn delete_run<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Deletes a run that is finished or abandoned, after all runs of [sub-agents](crate::runner::SubAgent) below it. One of
    /// these that is not over is [abandoned](Self::abandon) before: a driver that it has stops before its next act.
    ///
    /// # Errors
    ///
    /// When the run does not exist, or it is not over ([`StoreErrorKind::InUse`]), and nothing is deleted then; when
    /// the store cannot be read or written. Some of the runs below may be deleted then: call it again.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future may leave some of the runs below deleted.
    fn delete_with_below<'a>(
        &'a self,
        scope: Scope<'a>,
        run: &'a RunId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(below::delete(self, scope, run))
    }

    /// Deletes a conversation with all its versions.
    ///
    /// # Errors
    ///
    /// When the conversation does not exist, or a run that is not over needs it
    /// ([`StoreErrorKind::InUse`]).
    fn delete_conversation<'a>(
        &'a self,
        scope: Scope<'a>,
        id: &'a ConversationId,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Deletes all runs that [ended](RunSummary::ended) before a time, and all conversations that were
    /// [saved](ConversationInfo::saved) last before it. The time is one of the clock of the store: `SystemTime::now()` less
    /// what is to be kept.
    ///
    /// What a run needs that is not over stays, however old: open, suspended and parked runs, the runs of
    /// [sub-agents](crate::runner::SubAgent) below them, and the conversations that they continue.
    /// [Abandon](Self::abandon) a parked run first that is not needed any more. A damaged run stays as well, as long as
    /// it is not abandoned. What cannot be read [is counted](Deleted::damaged), and stops nothing else.
    ///
    /// A run and its conversation go each by their own time. A run whose conversation was deleted can still be loaded
    /// with its log; the messages before it are deleted with the conversation. A conversation is whole without its
    /// runs.
    ///
    /// Others may work meanwhile: what they begin, end or save since is later than the time, and stays. By default the
    /// pages of both lists are walked, and each deletion is one of its own. A version of a conversation that is saved
    /// between the listing and the deletion would be deleted too: a store prevents that if it can, as all stores of
    /// this crate do.
    ///
    /// # Errors
    ///
    /// When the store cannot be read or written. The deletions until then stay: call it again.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future may leave some of it deleted.
    fn delete_before(&self, time: SystemTime) -> BoxFuture<'_, Result<Deleted, StoreError>> {
        Box::pin(retention::delete_before(self, time))
    }
}

//! A store in a folder.

mod continuing;
mod disk;
mod driving;
mod inbox;
mod line;
mod log;
mod looking;
mod names;
mod place;
mod retention;
mod runs;
mod taking;
mod talks;
#[cfg(test)]
mod tests;
mod turns;

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, SystemTime},
};

use super::{
    Append, ConversationId, ConversationInfo, ConversationVersion, Deleted, InboxItem, Lease,
    LoadedRun, NewRun, Page, Received, RunFilter, RunSummary, Store, StoreError, StoreErrorKind,
};
use crate::{run::RunId, tool::BoxFuture};
use disk::Disk;
use log::State;
use place::Place;

/// The time between two looks for what somebody waits for.
const LOOKS: Duration = Duration::from_millis(50);

/// A store in a folder, as lines of JSON that other programs can read. Clones share it, and several processes may open
/// one folder.
///
/// It is for programs of one machine with few runs: a list reads a file of every run, and what needs the state of a run
/// reads its log. The folder is on a file system with hard links, and not on a network.
///
/// ```
/// use toolwright::store::{FileStore, RunFilter, Store};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("toolwright-example-{}", std::process::id()));
/// let store = FileStore::open(&folder).await?;
/// assert!(store.list(&RunFilter::default()).await?.items.is_empty());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(()) }
/// ```
///
/// # Layout
///
/// ```text
/// toolwright-store.json                       {"format": "toolwright files", "version": 1}
/// runs/x-<id>/info.json                       what is known of the run from its beginning
/// runs/x-<id>/log-<token>.jsonl               a segment of its log
/// runs/x-<id>/inbox/item-<place>.json         an item of its inbox
/// conversations/x-<id>/version-<number>.json  a version of a conversation
/// conversations/x-<id>/draft-<id>.json        a version that a run saves
/// conversations/x-<id>/lock-<number>.json     who continues the conversation: the greatest number counts
/// ```
///
/// In the name of a folder stand the lower-case ASCII letters, digits, `-` and `_` of the id as they are, and each of
/// its other bytes as `%` and two hexadecimal digits. A name that grows longer than 150 bytes is cut there, and goes on
/// with `%h` and the SHA-256 of the id. Tokens, places and numbers have 20 digits. Names that begin with a dot are of
/// work under way, or of a process that died in it: remove them when no process has the folder open.
///
/// A segment belongs to one lease, and only its driver writes to it. Each line is a JSON object:
///
/// | Line | Contents |
/// | --- | --- |
/// | the first | `version` (1), `token`, `until_ms` (the time until which the lease holds), `after` (`token` and `bytes`: how much of the segment before counts), `abandoned` (true if the run is given up), `at_ms` (when that was) |
/// | `{"entry": …}` | an [`Entry`](super::Entry), as it is |
/// | `{"text": "…"}` | an entry that is no JSON of one line |
/// | `{"end": …}` | the end of an append: `first` and `entries` (the place of its first entry, and their number), and what changes with them: `taken`, `status`, `at_ms` (of an append that ends the run), `synced` (true if it was to survive a loss of power), `saved` (`version` and `draft` of a conversation), `gate` (`place` and `id`) |
/// | `{"lease": …}` | a renewal with `until_ms`, or without it the lease was given back |
///
/// To read a log, begin with the segment of the greatest token that has a whole first line, and follow `after` to the
/// first one. Of each segment before count as many bytes as the next one says. Of the last one everything counts up
/// to its last `end` or `lease`; a line of it with a zero byte ends what counts, if no `synced` append follows. An append
/// with a `gate` counts only if the inbox has that gate at that place: a run is suspended by closing the gate where the
/// next item would have come. What is in the inbox counts up to the first place without a file.
///
/// Whoever takes a lease creates the next segment, which only one can do; then reads the one before; then writes the
/// first line. A driver looks for a newer segment after each append. If there is none, whoever takes the lease later
/// finds the append. If there is one, its first line says if the append counts. Who dies between the two steps keeps
/// others out for five seconds.
///
/// Items, versions and locks are written under another name first, and appear whole. A version that a run saves is a
/// draft until the `end` that names it counts; whoever finds such an `end` makes a version of the draft. A lock holds
/// as long as its run is not over. A run appears whole by renaming its folder from `.new-<birth>`; until then its lock
/// holds for five seconds, so that a process that dies between the two locks a conversation no longer.
///
/// # Versions
///
/// A program reads all versions up to its own. What is newer it refuses with [`StoreErrorKind::Newer`], and leaves as it is:
/// use a newer program.
///
/// # What survives
///
/// All of it survives the end of the process. What [`Append::synced`] asks for, the beginning of a run, leases, items of
/// the inbox, versions and locks survive a loss of power. An append without it does with the next that has it. Renewals
/// of leases are not synced. After a sync that failed, the lease is over, and what was to be synced does not count, if that
/// can still be written. Another process may have read it before: then it has entries that are void, and others come in
/// their places.
///
/// # What is damaged
///
/// A run that cannot be read is [left out of lists](Page::damaged), and can be abandoned and deleted. Its log is empty once
/// it is abandoned; the files of that stay until it is deleted. What has a newer version is for a newer program to abandon.
///
/// # Cancel safety
///
/// The work is done by [`tokio::task::spawn_blocking`], and goes on when its future is dropped.
#[derive(Debug, Clone)]
pub struct FileStore(Arc<Place>);

impl FileStore {
    /// Opens the store of a folder, and makes one of it if it is none.
    ///
    /// # Errors
    ///
    /// When the folder cannot be read or created, or has a newer form than this program reads.
    pub async fn open(folder: impl Into<PathBuf>) -> Result<Self, StoreError> {
        Self::open_on(folder.into(), Disk::default(), 0).await
    }

    async fn open_on(folder: PathBuf, disk: Disk, process: u32) -> Result<Self, StoreError> {
        let place = blocking(move || Place::open(&folder, disk, process)).await?;
        Ok(Self(Arc::new(place)))
    }

    fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Place) -> Result<T, StoreError> + Send + 'static,
    ) -> BoxFuture<'_, Result<T, StoreError>> {
        let place = self.0.clone();
        Box::pin(blocking(move || work(&place)))
    }

    /// Looks until nothing is given for the next look.
    async fn until(
        &self,
        look: impl Fn(&Place, Option<State>) -> Result<Option<State>, StoreError>
        + Clone
        + Send
        + 'static,
    ) -> Result<(), StoreError> {
        let mut known = None;
        loop {
            let look = look.clone();
            known = self.with(move |place| look(place, known)).await?;
            if known.is_none() {
                return Ok(());
            }
            tokio::time::sleep(LOOKS).await;
        }
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| {
        let message = format!("the work on files was broken off: {error}");
        Err(StoreError::new(StoreErrorKind::Unavailable, message))
    })
}

impl Store for FileStore {
    fn create<'a>(
        &'a self,
        run: &'a NewRun,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        let run = run.clone();
        self.with(move |place| place.create(&run, lease_time))
    }

    fn lease<'a>(
        &'a self,
        run: &'a RunId,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        let run = run.clone();
        self.with(move |place| place.lease(&run, lease_time))
    }

    fn renew<'a>(
        &'a self,
        lease: &'a Lease,
        lease_time: Duration,
    ) -> BoxFuture<'a, Result<Lease, StoreError>> {
        let lease = lease.clone();
        self.with(move |place| place.renew(&lease, Some(lease_time)))
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> BoxFuture<'a, Result<(), StoreError>> {
        let lease = lease.clone();
        self.with(move |place| place.renew(&lease, None).map(drop))
    }

    fn append<'a>(
        &'a self,
        lease: &'a Lease,
        append: &'a Append,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let (lease, append) = (lease.clone(), append.clone());
        self.with(move |place| place.append(&lease, &append))
    }

    fn load<'a>(
        &'a self,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<LoadedRun, StoreError>> {
        let run = run.clone();
        self.with(move |place| place.load(&run, from))
    }

    fn list<'a>(
        &'a self,
        filter: &'a RunFilter,
    ) -> BoxFuture<'a, Result<Page<RunSummary>, StoreError>> {
        let filter = filter.clone();
        self.with(move |place| place.list(&filter))
    }

    fn put<'a>(
        &'a self,
        run: &'a RunId,
        item: &'a InboxItem,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let (run, item) = (run.clone(), item.clone());
        self.with(move |place| place.put(&run, &item))
    }

    fn inbox<'a>(
        &'a self,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<Vec<Received>, StoreError>> {
        let run = run.clone();
        self.with(move |place| place.inbox(&run, after))
    }

    fn wait_for_inbox<'a>(
        &'a self,
        run: &'a RunId,
        after: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let run = run.clone();
        Box::pin(self.until(move |place, known| place.look_for_item(&run, after, known)))
    }

    fn wait_for_entries<'a>(
        &'a self,
        run: &'a RunId,
        from: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let run = run.clone();
        Box::pin(self.until(move |place, known| place.look_for_entry(&run, from, known)))
    }

    fn abandon<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>> {
        let run = run.clone();
        self.with(move |place| place.abandon(&run))
    }

    fn conversation<'a>(
        &'a self,
        id: &'a ConversationId,
        up_to: Option<u64>,
    ) -> BoxFuture<'a, Result<Vec<ConversationVersion>, StoreError>> {
        let id = id.clone();
        self.with(move |place| place.versions(&id, up_to))
    }

    fn save_conversation<'a>(
        &'a self,
        id: &'a ConversationId,
        owner: Option<&'a str>,
        version: &'a ConversationVersion,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let (id, owner) = (id.clone(), owner.map(str::to_owned));
        let version = version.clone();
        self.with(move |place| place.save_conversation(&id, owner.as_deref(), &version))
    }

    fn conversations<'a>(
        &'a self,
        owner: Option<&'a str>,
        after: Option<&'a str>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Page<ConversationInfo>, StoreError>> {
        let (owner, after) = (owner.map(str::to_owned), after.map(str::to_owned));
        self.with(move |place| place.list_conversations(owner.as_deref(), after.as_deref(), limit))
    }

    fn delete_run<'a>(&'a self, run: &'a RunId) -> BoxFuture<'a, Result<(), StoreError>> {
        let run = run.clone();
        self.with(move |place| place.delete_run(&run))
    }

    fn delete_conversation<'a>(
        &'a self,
        id: &'a ConversationId,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        let id = id.clone();
        self.with(move |place| place.delete_conversation(&id, |_| Ok(())))
    }

    fn delete_before(&self, time: SystemTime) -> BoxFuture<'_, Result<Deleted, StoreError>> {
        self.with(move |place| place.delete_before(time))
    }
}

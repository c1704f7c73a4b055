//! What cases begin with.

use std::{
    collections::BTreeMap,
    fmt::Debug,
    time::{Duration, SystemTime},
};

use super::case::Shared;
use toolwright::{
    run::RunId,
    store::{
        Append, ConversationId, ConversationRef, ConversationVersion, InboxContent, InboxItem,
        Lease, LoadedRun, NewRun, RunFilter, RunInfo, RunStatus, Scope, StoreError, StoreErrorKind,
    },
};

/// A time in which no case ends.
pub(super) const LONG: Duration = Duration::from_secs(60 * 60);

/// A time that is over when it begins.
pub(super) const NOW: Duration = Duration::ZERO;

/// A time in whole seconds, which every store can keep.
pub(super) fn at(seconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds)
}

pub(super) fn id(run: &str) -> RunId {
    RunId::new(run)
}

pub(super) fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// A run with one entry.
pub(super) fn new_run(run: &str) -> NewRun {
    NewRun::new(RunInfo::new(id(run), "runner", at(0)), texts(&["zero"]))
}

/// A run that continues a version of a conversation.
pub(super) fn continues(run: &str, conversation: &str, version: u64) -> NewRun {
    let mut new = new_run(run);
    new.info.conversation = Some(ConversationRef::new(conversation, version));
    new
}

/// A run with one entry, and its lease.
pub(super) async fn created(store: &Shared, run: &str) -> Lease {
    created_of(store, &new_run(run)).await
}

pub(super) async fn created_of(store: &Shared, run: &NewRun) -> Lease {
    let lease = store.create(run, LONG).await;
    lease.expect("a new run is created")
}

/// A filter with these settings.
pub(super) fn filter(set: impl FnOnce(&mut RunFilter)) -> RunFilter {
    let mut filter = RunFilter::default();
    set(&mut filter);
    filter
}

/// An append that changes the status alone.
pub(super) fn status(status: RunStatus) -> Append {
    let mut append = Append::new(0, Vec::new());
    append.status = Some(status);
    append
}

/// Finishes a run.
pub(super) async fn finish(store: &Shared, lease: &Lease) {
    let finished = store.append(lease, &status(RunStatus::Finished)).await;
    finished.expect("a driver finishes its run");
}

pub(super) async fn loaded(store: &Shared, run: &str) -> LoadedRun {
    let loaded = store.load(Scope::All, &id(run), 0).await;
    loaded.expect("a run that was created is loaded")
}

pub(super) fn item(id: &str) -> InboxItem {
    InboxItem::with_id(id, InboxContent::Cancel)
}

pub(super) async fn put(store: &Shared, run: &str, item_id: &str) {
    let put = store.put(Scope::All, &id(run), &item(item_id)).await;
    put.expect("an item is put into the inbox of a run that is not over");
}

/// The places and the ids of the items of an inbox.
pub(super) async fn inbox(store: &Shared, run: &str, after: u64) -> Vec<(u64, String)> {
    let items = store.inbox(Scope::All, &id(run), after).await;
    let items = items.expect("the inbox of a run is read");
    let item =
        |received: toolwright::store::Received| (received.place, received.item.id().to_owned());
    items.into_iter().map(item).collect()
}

pub(super) fn labels(labels: &[(&str, &str)]) -> BTreeMap<String, String> {
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    labels.iter().map(owned).collect()
}

/// The ids of the runs of all pages of a list.
pub(super) async fn listed(store: &Shared, filter: &RunFilter) -> Vec<String> {
    listed_in(store, Scope::All, filter).await
}

/// The ids of the runs of all pages of a list in a scope.
pub(super) async fn listed_in(store: &Shared, scope: Scope<'_>, filter: &RunFilter) -> Vec<String> {
    let (mut filter, mut ids) = (filter.clone(), Vec::new());
    loop {
        let page = store.list(scope, &filter).await.expect("runs are listed");
        ids.extend(page.items.iter().map(|run| run.info.run_id.to_string()));
        assert!(ids.len() < 10_000, "the pages of a list come to an end");
        match page.next {
            Some(next) => filter.after = Some(next),
            None => return ids,
        }
    }
}

/// Saves the next version of a conversation.
pub(super) async fn save(store: &Shared, conversation: &str, version: u64, text: &str) {
    let version = ConversationVersion::new(version, text);
    let id = ConversationId::new(conversation);
    let saved = store.save_conversation(Scope::All, &id, &version);
    saved.await.expect("the next version is saved");
}

/// The versions of a conversation, and their texts.
pub(super) async fn versions(store: &Shared, conversation: &str) -> Vec<(u64, String)> {
    let id = ConversationId::new(conversation);
    let versions = store.conversation(Scope::All, &id, 0, None).await;
    let versions = versions.expect("a conversation is loaded, also when there is none");
    versions
        .into_iter()
        .map(|it| (it.version, it.text))
        .collect()
}

/// Checks that something was refused, with this kind of error.
#[track_caller]
pub(super) fn refused<T: Debug>(
    what: &str,
    result: Result<T, StoreError>,
    kind: StoreErrorKind,
) -> StoreError {
    refused_as(what, result, &[kind])
}

/// Checks that something was refused, with one of these kinds of errors.
#[track_caller]
pub(super) fn refused_as<T: Debug>(
    what: &str,
    result: Result<T, StoreError>,
    kinds: &[StoreErrorKind],
) -> StoreError {
    match result {
        Err(error) if kinds.contains(&error.kind) => error,
        Err(error) => panic!("{what}: expected {kinds:?}, got {:?}: {error}", error.kind),
        Ok(value) => panic!("{what}: expected {kinds:?}, but it was done: {value:?}"),
    }
}

/// Checks that something was refused about a run, which the error names.
#[track_caller]
pub(super) fn refused_of<T: Debug>(
    what: &str,
    run: &str,
    result: Result<T, StoreError>,
    kind: StoreErrorKind,
) {
    let error = refused(what, result, kind);
    assert_eq!(
        error.run_id,
        Some(id(run)),
        "{what}: the error names the run"
    );
}

/// Waits until every clock shows another time, so that what comes next is later.
pub(super) async fn later() {
    let begun = SystemTime::now();
    while begun
        .elapsed()
        .is_ok_and(|passed| passed < Duration::from_millis(3))
    {
        tokio::task::yield_now().await;
    }
}

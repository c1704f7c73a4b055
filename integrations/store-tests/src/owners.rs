//! Owners: what belongs to another one is not there, in no operation.

use std::fmt::Debug;

use super::{
    case::Shared,
    fixture::{LONG, continues, created_of, finish, id, inbox, item, loaded, new_run, put, texts},
};
use toolwright::store::{
    Append, ConversationId, ConversationVersion, NewRun, RunFilter, RunStatus, Scope, StoreError,
    StoreErrorKind,
};

const ADA: Scope<'static> = Scope::Owner("ada");

/// Those who see nothing of ada's.
const OTHERS: [Scope<'static>; 3] = [Scope::Owner("bob"), Scope::Owner(""), Scope::Owner("ada ")];

/// Those who do.
const SEEING: [Scope<'static>; 2] = [ADA, Scope::All];

fn of(scope: Scope<'_>, mut run: NewRun) -> NewRun {
    run.info.owner = scope.owner().map(str::to_owned);
    run
}

fn of_ada(run: &str) -> NewRun {
    of(ADA, new_run(run))
}

fn talk() -> ConversationId {
    ConversationId::new("talk")
}

/// Saves a version of a conversation.
async fn save(
    store: &Shared,
    scope: Scope<'_>,
    talk: &str,
    version: u64,
) -> Result<(), StoreError> {
    let version = ConversationVersion::new(version, "text");
    let id = ConversationId::new(talk);
    store.save_conversation(scope, &id, &version).await
}

/// Saves a version of a conversation by a run.
fn saving(version: u64) -> Append {
    let mut append = Append::new(0, Vec::new());
    append.conversation = Some(ConversationVersion::new(version, "text"));
    append
}

/// The kind of an error, and what it says but for the id of the run.
fn said<T: Debug>(
    what: &str,
    result: Result<T, StoreError>,
    run: &str,
) -> (StoreErrorKind, String) {
    let error = match result {
        Err(error) => error,
        Ok(value) => panic!("{what}: it was done: {value:?}"),
    };
    assert_eq!(
        error.run_id,
        Some(id(run)),
        "{what}: the run that was asked for"
    );
    (error.kind, error.message.clone())
}

/// What each operation by the id of a run says.
async fn refusals(store: &Shared, scope: Scope<'_>, run: &str) -> Vec<(StoreErrorKind, String)> {
    let run_id = id(run);
    vec![
        said("lease", store.lease(scope, &run_id, LONG).await, run),
        said("load", store.load(scope, &run_id, 0).await, run),
        said("load", store.load(scope, &run_id, u64::MAX).await, run),
        said("put", store.put(scope, &run_id, &item("x")).await, run),
        said("inbox", store.inbox(scope, &run_id, 0).await, run),
        said("wait", store.wait_for_inbox(scope, &run_id, 0).await, run),
        said("wait", store.wait_for_entries(scope, &run_id, 0).await, run),
        said("abandon", store.abandon(scope, &run_id).await, run),
        said("delete", store.delete_run(scope, &run_id).await, run),
        said("delete", store.delete_with_below(scope, &run_id).await, run),
    ]
}

pub(super) async fn a_run_of_another_owner_is_not_there(store: Shared) {
    let lease = created_of(&store, &of_ada("run")).await;
    put(&store, "run", "x").await;
    for other in OTHERS {
        let unknown = refusals(&store, other, "unknown").await;
        let is_not_found = |(kind, _): &(_, _)| *kind == StoreErrorKind::NotFound;
        assert!(unknown.iter().all(is_not_found), "{unknown:?}");
        assert_eq!(
            refusals(&store, other, "run").await,
            unknown,
            "held, for {other:?}"
        );
    }
    finish(&store, &lease).await;
    for other in OTHERS {
        let unknown = refusals(&store, other, "unknown").await;
        assert_eq!(
            refusals(&store, other, "run").await,
            unknown,
            "over, for {other:?}"
        );
    }
    let run = loaded(&store, "run").await;
    assert_eq!(run.status, RunStatus::Finished, "nothing has changed");
    assert_eq!(inbox(&store, "run", 0).await, [(1, "x".to_owned())]);
}

pub(super) async fn a_run_without_an_owner_is_the_applications(store: Shared) {
    created_of(&store, &new_run("run")).await;
    let unknown = refusals(&store, ADA, "unknown").await;
    assert_eq!(refusals(&store, ADA, "run").await, unknown);
    loaded(&store, "run").await;
}

pub(super) async fn an_owner_and_the_application_do_all(store: Shared) {
    for (number, scope) in SEEING.into_iter().enumerate() {
        let run = number.to_string();
        let lease = created_of(&store, &of_ada(&run)).await;
        let run = id(&run);
        store.release(&lease).await.expect("it is free");
        let done = async {
            store.lease(scope, &run, LONG).await?;
            store.load(scope, &run, 0).await?;
            store.put(scope, &run, &item("x")).await?;
            assert_eq!(store.inbox(scope, &run, 0).await?.len(), 1);
            store.wait_for_inbox(scope, &run, 0).await?;
            store.wait_for_entries(scope, &run, 0).await?;
            store.abandon(scope, &run).await?;
            store.delete_run(scope, &run).await
        };
        done.await
            .unwrap_or_else(|error| panic!("{scope:?}: {error}"));
        let new = of_ada("with below");
        finish(&store, &created_of(&store, &new).await).await;
        let deleted = store.delete_with_below(scope, &new.info.run_id).await;
        deleted.unwrap_or_else(|error| panic!("{scope:?}: {error}"));
    }
}

pub(super) async fn lists_have_what_is_in_the_scope(store: Shared) {
    for (run, owner) in [("a", Some("ada")), ("b", Some("bob")), ("c", None)] {
        created_of(&store, &of(owner.into(), new_run(run))).await;
        let saved = save(&store, owner.into(), run, 1).await;
        saved.expect("the first version is saved");
    }
    for (scope, expected) in [
        (ADA, vec!["a"]),
        (Scope::Owner(""), vec![]),
        (Scope::All, vec!["a", "b", "c"]),
    ] {
        let runs = store.list(scope, &RunFilter::default()).await;
        let runs = runs.expect("runs are listed").items.into_iter();
        let mut runs: Vec<_> = runs.map(|it| it.info.run_id.to_string()).collect();
        runs.sort();
        assert_eq!(runs, expected, "the runs of {scope:?}");
        let talks = store.conversations(scope, None, 10).await;
        let talks = talks.expect("conversations are listed").items.into_iter();
        let mut talks: Vec<_> = talks.map(|it| it.id.to_string()).collect();
        talks.sort();
        assert_eq!(talks, expected, "the conversations of {scope:?}");
    }
}

pub(super) async fn an_id_of_another_owner_is_no_new_run(store: Shared) {
    created_of(&store, &of_ada("run")).await;
    for other in OTHERS {
        let created = store.create(&of(other, new_run("run")), LONG).await;
        let (kind, _) = said("create", created, "run");
        assert_eq!(kind, StoreErrorKind::NotFound, "{other:?}");
        let created = store
            .create(&of(other, continues("run", "new", 0)), LONG)
            .await;
        let (kind, _) = said("create in a conversation", created, "run");
        assert_eq!(kind, StoreErrorKind::NotFound, "{other:?}");
    }
    for scope in SEEING {
        let created = store.create(&of(scope, new_run("run")), LONG).await;
        let (kind, _) = said("create", created, "run");
        assert_eq!(kind, StoreErrorKind::Exists, "{scope:?}");
    }
}

/// What each operation by the id of a conversation says, of one that is not there for it.
async fn talk_refusals(store: &Shared, scope: Scope<'_>, talk: &str) -> Vec<StoreError> {
    let id = ConversationId::new(talk);
    let versions = store.conversation(scope, &id, 0, None).await;
    assert_eq!(versions.expect("an empty list"), [], "{scope:?}");
    let mut refused = Vec::new();
    for version in [0, 2, 3] {
        refused.push(save(store, scope, talk, version).await.err());
    }
    for version in [1, 2] {
        let new = of(scope, continues("of another", talk, version));
        refused.push(store.create(&new, LONG).await.err());
    }
    refused.push(store.delete_conversation(scope, &id).await.err());
    let refused = refused.into_iter().map(|it| it.expect("it is refused"));
    refused.collect()
}

/// Checks that a conversation of ada's is not there for others, and its id is none of a new one.
async fn is_not_there(store: &Shared) {
    for other in OTHERS {
        let unknown = talk_refusals(store, other, "unknown").await;
        let found = talk_refusals(store, other, "talk").await;
        for (found, unknown) in found.iter().zip(&unknown) {
            let said =
                |error: &StoreError| (error.kind, error.message.clone(), error.run_id.clone());
            assert_eq!(said(found), said(unknown), "{other:?}");
        }
        let saved = save(store, other, "talk", 1).await;
        let created = store
            .create(&of(other, continues("new", "talk", 0)), LONG)
            .await;
        for error in [saved.err(), created.err()] {
            let error = error.unwrap_or_else(|| panic!("{other:?} has it"));
            assert_eq!(error.kind, StoreErrorKind::NotFound, "{other:?}: {error}");
            assert_ne!(error.run_id, Some(id("run")), "{other:?}: {error}");
        }
    }
}

pub(super) async fn a_conversation_of_another_owner_is_not_there(store: Shared) {
    let saved = save(&store, ADA, "talk", 1).await;
    saved.expect("a new conversation is saved");
    is_not_there(&store).await;
    let lease = created_of(&store, &of(ADA, continues("run", "talk", 1))).await;
    is_not_there(&store).await;
    store
        .append(&lease, &saving(2))
        .await
        .expect("it is the owner's");
    finish(&store, &lease).await;
    for (version, scope) in (3..).zip(SEEING) {
        let saved = save(&store, scope, "talk", version).await;
        saved.unwrap_or_else(|error| panic!("{scope:?}: {error}"));
        let versions = store.conversation(scope, &talk(), 0, None).await;
        let versions = versions.expect("it is loaded").len() as u64;
        assert_eq!(versions, version, "{scope:?}");
    }
    let page = store.conversations(Scope::All, None, 10).await;
    let owner = &page.expect("conversations are listed").items[0].owner;
    assert_eq!(owner.as_deref(), Some("ada"), "it keeps its owner");
}

pub(super) async fn a_new_conversation_is_that_of_its_run(store: Shared) {
    let lease = created_of(&store, &of(ADA, continues("run", "talk", 0))).await;
    is_not_there(&store).await;
    store
        .append(&lease, &saving(1))
        .await
        .expect("it is the owner's");
    is_not_there(&store).await;
    finish(&store, &lease).await;
    is_not_there(&store).await;
    for scope in SEEING {
        let deleted = store.delete_conversation(scope, &talk()).await;
        deleted.unwrap_or_else(|error| panic!("{scope:?}: {error}"));
        let saved = save(&store, ADA, "talk", 1).await;
        saved.expect("the id is free again");
    }
}

pub(super) async fn a_conversation_without_an_owner_is_the_applications(store: Shared) {
    let saved = save(&store, Scope::All, "talk", 1).await;
    saved.expect("a new conversation is saved");
    let refused = store
        .create(&of(ADA, continues("new", "talk", 0)), LONG)
        .await;
    let refused = refused.expect_err("it is not hers");
    assert_eq!(refused.kind, StoreErrorKind::NotFound);
    let versions = store.conversation(ADA, &talk(), 0, None).await;
    assert_eq!(versions.expect("an empty list"), []);
}

pub(super) async fn the_application_continues_a_conversation_of_an_owner(store: Shared) {
    let saved = save(&store, ADA, "talk", 1).await;
    saved.expect("a new conversation is saved");
    let lease = created_of(&store, &continues("run", "talk", 1)).await;
    let saved = save(&store, ADA, "talk", 2).await;
    let created = store
        .create(&of(ADA, continues("new", "talk", 1)), LONG)
        .await;
    let deleted = store.delete_conversation(ADA, &talk()).await;
    for (error, kind) in [
        (saved.err(), StoreErrorKind::ConversationBusy),
        (created.err(), StoreErrorKind::ConversationBusy),
        (deleted.err(), StoreErrorKind::InUse),
    ] {
        let error = error.expect("the application has it");
        assert_eq!(error.kind, kind, "{error}");
        assert_ne!(
            error.run_id,
            Some(id("run")),
            "the run is not hers: {error}"
        );
    }
    let mut append = saving(2);
    append.first = 1;
    append.entries = texts(&["one"]);
    store
        .append(&lease, &append)
        .await
        .expect("it continues it");
    finish(&store, &lease).await;
    let versions = store.conversation(ADA, &talk(), 0, None).await;
    assert_eq!(versions.expect("it is hers").len(), 2);
}

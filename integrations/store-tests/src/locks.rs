//! Conversations that a run continues.

use super::{
    case::Shared,
    fixture::{
        LONG, continues, created_of, finish, id, refused, refused_of, save, status, versions,
    },
};
use toolwright::store::{
    Append, ConversationId, ConversationVersion, RunStatus, Scope, StoreError, StoreErrorKind,
};

/// Checks that a run is refused since another one continues the conversation, which the error names.
#[track_caller]
fn busy<T: std::fmt::Debug>(result: Result<T, StoreError>, by: &str) {
    let what = "continuing a conversation that another run continues";
    refused_of(what, by, result, StoreErrorKind::ConversationBusy);
}

pub(super) async fn a_conversation_is_continued_by_one_run(store: Shared) {
    save(&store, "talk", 1, "one").await;
    save(&store, "other", 1, "another").await;
    created_of(&store, &continues("first", "talk", 1)).await;
    busy(
        store.create(&continues("second", "talk", 1), LONG).await,
        "first",
    );
    created_of(&store, &continues("third", "other", 1)).await;
}

pub(super) async fn a_conversation_that_is_not_there_is_locked(store: Shared) {
    created_of(&store, &continues("first", "talk", 0)).await;
    assert_eq!(versions(&store, "talk").await, [], "it is not there yet");
    let page = store
        .conversations(Scope::All, None, 10)
        .await
        .expect("conversations are listed");
    assert_eq!(page.items.len(), 0, "and not listed");
    busy(
        store.create(&continues("second", "talk", 0), LONG).await,
        "first",
    );
    store
        .abandon(Scope::All, &id("first"))
        .await
        .expect("a run is given up");
    created_of(&store, &continues("third", "talk", 0)).await;
}

pub(super) async fn one_of_two_at_once_gets_the_conversation(store: Shared) {
    for round in 0..5 {
        let talk = format!("talk {round}");
        let begin = |run: u32| {
            let (store, talk) = (store.clone(), talk.clone());
            tokio::spawn(async move {
                let run = continues(&format!("{talk}, run {run}"), &talk, 0);
                store.create(&run, LONG).await
            })
        };
        let tasks = [begin(0), begin(1), begin(2)];
        let mut created = 0;
        for task in tasks {
            match task.await.expect("creating a run does not panic") {
                Ok(_) => created += 1,
                Err(error) => {
                    refused::<()>("the others", Err(error), StoreErrorKind::ConversationBusy);
                }
            }
        }
        assert_eq!(
            created, 1,
            "one of three runs at once continues a conversation"
        );
    }
}

pub(super) async fn a_run_continues_the_newest_version_only(store: Shared) {
    let early = store.create(&continues("early", "talk", 1), LONG).await;
    refused(
        "a version that is not there",
        early,
        StoreErrorKind::Outdated,
    );
    save(&store, "talk", 1, "one").await;
    save(&store, "talk", 2, "two").await;
    for wrong in [0, 1, 3] {
        let run = store.create(&continues("run", "talk", wrong), LONG).await;
        refused(
            "a version that is not the newest",
            run,
            StoreErrorKind::Outdated,
        );
    }
    created_of(&store, &continues("run", "talk", 2)).await;
}

pub(super) async fn a_run_that_was_refused_is_not_there(store: Shared) {
    save(&store, "talk", 1, "one").await;
    let run = store.create(&continues("run", "talk", 0), LONG).await;
    refused("an outdated version", run, StoreErrorKind::Outdated);
    created_of(&store, &continues("first", "talk", 1)).await;
    busy(
        store.create(&continues("run", "talk", 1), LONG).await,
        "first",
    );
    let run = store.load(Scope::All, &id("run"), 0).await;
    refused_of(
        "a run that was refused",
        "run",
        run,
        StoreErrorKind::NotFound,
    );
    let exists = store.create(&continues("first", "free", 0), LONG).await;
    refused_of(
        "a second run of an id",
        "first",
        exists,
        StoreErrorKind::Exists,
    );
    created_of(&store, &continues("run", "free", 0)).await;
}

pub(super) async fn the_end_of_a_run_frees_its_conversation(store: Shared) {
    let lease = created_of(&store, &continues("first", "talk", 0)).await;
    finish(&store, &lease).await;
    let lease = created_of(&store, &continues("second", "talk", 0)).await;
    let mut append = status(RunStatus::Finished);
    append.conversation = Some(ConversationVersion::new(1, "one"));
    store
        .append(&lease, &append)
        .await
        .expect("a run saves its conversation at its end");
    created_of(&store, &continues("third", "talk", 1)).await;
}

pub(super) async fn a_run_that_was_given_up_frees_its_conversation(store: Shared) {
    save(&store, "talk", 1, "one").await;
    created_of(&store, &continues("first", "talk", 1)).await;
    store
        .abandon(Scope::All, &id("first"))
        .await
        .expect("a run is given up");
    save(&store, "talk", 2, "two").await;
    created_of(&store, &continues("second", "talk", 2)).await;
    // The first one is over already, and does not free it once more.
    store
        .abandon(Scope::All, &id("first"))
        .await
        .expect_err("a run is given up once");
    store
        .delete_run(Scope::All, &id("first"))
        .await
        .expect("a run that is over is deleted");
    busy(
        store.create(&continues("third", "talk", 2), LONG).await,
        "second",
    );
}

pub(super) async fn a_run_that_waits_keeps_its_conversation(store: Shared) {
    let parked = RunStatus::Parked {
        reason: "why".to_owned(),
    };
    let suspended = RunStatus::Suspended;
    for (run, is) in [("suspended", suspended), ("parked", parked)] {
        let lease = created_of(&store, &continues(run, run, 0)).await;
        let mut append = status(is);
        append.conversation = Some(ConversationVersion::new(1, "one"));
        store
            .append(&lease, &append)
            .await
            .expect("a run saves its conversation");
        busy(store.create(&continues("other", run, 1), LONG).await, run);
        let lease = store
            .lease(Scope::All, &id(run), LONG)
            .await
            .expect("nobody drives it");
        let mut append = Append::default();
        append.conversation = Some(ConversationVersion::new(2, "two"));
        store
            .append(&lease, &append)
            .await
            .expect("it goes on with the conversation");
    }
}

pub(super) async fn a_locked_conversation_is_neither_saved_nor_deleted(store: Shared) {
    save(&store, "talk", 1, "one").await;
    let lease = created_of(&store, &continues("run", "talk", 1)).await;
    let talk = ConversationId::new("talk");
    let saved = store
        .save_conversation(Scope::All, &talk, &ConversationVersion::new(2, "two"))
        .await;
    busy(saved, "run");
    let deleted = store.delete_conversation(Scope::All, &talk).await;
    refused(
        "deleting a conversation that a run needs",
        deleted,
        StoreErrorKind::InUse,
    );
    assert_eq!(
        versions(&store, "talk").await,
        [(1, "one".to_owned())],
        "it stays"
    );
    finish(&store, &lease).await;
    save(&store, "talk", 2, "two").await;
    store
        .delete_conversation(Scope::All, &talk)
        .await
        .expect("a free conversation is deleted");
}

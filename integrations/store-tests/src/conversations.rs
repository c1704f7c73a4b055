//! Conversations and their versions.

use std::collections::BTreeSet;

use super::{
    case::Shared,
    fixture::{continues, created_of, finish, later, loaded, refused, save, texts, versions},
};
use toolwright::{
    Conversation, ModelResponse,
    store::{Append, ConversationId, ConversationVersion, RunStatus, Scope, StoreErrorKind},
};

/// Conversations of this owner, in pages of this size: their ids, owners and versions.
async fn listed(
    store: &Shared,
    scope: Scope<'_>,
    limit: usize,
) -> Vec<(String, Option<String>, u64)> {
    let (mut after, mut all) = (None, Vec::new());
    loop {
        let page = store.conversations(scope, after.as_deref(), limit).await;
        let page = page.expect("conversations are listed");
        assert!(
            page.items.len() <= limit.max(1),
            "a page has at most {limit}"
        );
        let items = page.items.into_iter();
        all.extend(items.map(|it| (it.id.to_string(), it.owner, it.version)));
        assert!(all.len() < 1000, "the pages of a list come to an end");
        match page.next {
            Some(next) => after = Some(next),
            None => return all,
        }
    }
}

pub(super) async fn versions_follow_each_other(store: Shared) {
    assert_eq!(
        versions(&store, "talk").await,
        [],
        "there is no conversation at first"
    );
    for (version, text) in [(1, "one"), (2, ""), (3, "three")] {
        save(&store, "talk", version, text).await;
    }
    save(&store, "other", 1, "another").await;
    let all = [(1, "one"), (2, ""), (3, "three")].map(|(version, text)| (version, text.to_owned()));
    assert_eq!(versions(&store, "talk").await, all, "the oldest first");
    for (up_to, count) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (u64::MAX, 3)] {
        let some = store
            .conversation(Scope::All, &ConversationId::new("talk"), 0, Some(up_to))
            .await;
        let some = some.expect("a conversation is loaded");
        let some: Vec<_> = some.into_iter().map(|it| (it.version, it.text)).collect();
        assert_eq!(some, all[..count], "the versions up to {up_to}");
    }
    let talk = ConversationId::new("talk");
    for (after, first) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 3), (u64::MAX, 3)] {
        let some = store.conversation(Scope::All, &talk, after, None).await;
        let some = some.expect("a conversation is loaded");
        let some: Vec<_> = some.into_iter().map(|it| (it.version, it.text)).collect();
        assert_eq!(some, all[first..], "the versions after {after}");
    }
    let one = store.conversation(Scope::All, &talk, 1, Some(2)).await;
    let one = one.expect("a conversation is loaded");
    assert_eq!(one.len(), 1, "the second version alone");
}

pub(super) async fn only_the_next_version_is_saved(store: Shared) {
    let id = ConversationId::new("talk");
    for wrong in [0, 2, u64::MAX] {
        let version = ConversationVersion::new(wrong, "wrong");
        let saved = store.save_conversation(Scope::All, &id, &version).await;
        refused(
            "a version that is not the first",
            saved,
            StoreErrorKind::Outdated,
        );
    }
    assert_eq!(versions(&store, "talk").await, [], "nothing is saved");
    assert_eq!(
        listed(&store, Scope::All, 10).await,
        [],
        "nothing is listed"
    );
    save(&store, "talk", 1, "one").await;
    save(&store, "talk", 2, "two").await;
    for wrong in [0, 1, 2, 4] {
        let version = ConversationVersion::new(wrong, "wrong");
        let saved = store.save_conversation(Scope::All, &id, &version).await;
        refused(
            "a version that is not the next",
            saved,
            StoreErrorKind::Outdated,
        );
    }
    let all = [(1, "one".to_owned()), (2, "two".to_owned())];
    assert_eq!(versions(&store, "talk").await, all, "versions never change");
}

pub(super) async fn versions_are_read_as_a_conversation(store: Shared) {
    let (id, mut before) = (ConversationId::new("talk"), Conversation::new());
    for version in 1..=5 {
        let mut now = before.clone();
        now.push_user(format!("Question {version}?"));
        now.push_response(ModelResponse::from_text("An answer."));
        let saved = ConversationVersion::following(&before, version, &now);
        let saved = saved.expect("a conversation is written");
        let saved = store.save_conversation(Scope::All, &id, &saved).await;
        saved.expect("the next version is saved");
        before = now;
    }
    let all = store
        .conversation(Scope::All, &id, 0, None)
        .await
        .expect("a conversation is loaded");
    let joined = ConversationVersion::join(&all).expect("its versions are one conversation");
    assert_eq!(joined, before, "the conversation");
}

pub(super) async fn a_conversation_keeps_its_owner(store: Shared) {
    for (id, version, owner) in [("a", 1, Some("ada")), ("a", 2, None), ("b", 1, None)] {
        let version = ConversationVersion::new(version, "text");
        let id = ConversationId::new(id);
        let saved = store.save_conversation(owner.into(), &id, &version);
        saved.await.expect("the next version is saved");
        later().await;
    }
    let mut new = continues("run", "c", 0);
    new.info.owner = Some("ada".to_owned());
    let lease = created_of(&store, &new).await;
    let mut append = Append::new(1, texts(&["one"]));
    append.conversation = Some(ConversationVersion::new(1, "text"));
    store
        .append(&lease, &append)
        .await
        .expect("a run saves its conversation");

    let ada = || Some("ada".to_owned());
    let (a, b, c) = (
        ("a".to_owned(), ada(), 2),
        ("b".to_owned(), None, 1),
        ("c".to_owned(), ada(), 1),
    );
    assert_eq!(
        listed(&store, Scope::All, 10).await,
        [c.clone(), b, a.clone()],
        "all of them"
    );
    assert_eq!(
        listed(&store, Scope::Owner("ada"), 1).await,
        [c, a],
        "the owner of the first version"
    );
    assert_eq!(
        listed(&store, Scope::Owner("bob"), 10).await,
        [],
        "and no other one"
    );
}

pub(super) async fn those_that_changed_last_are_first(store: Shared) {
    for (id, version) in [("a", 1), ("b", 1), ("c", 1), ("a", 2)] {
        save(&store, id, version, "text").await;
        later().await;
    }
    let ids: Vec<_> = listed(&store, Scope::All, 10)
        .await
        .into_iter()
        .map(|it| it.0)
        .collect();
    assert_eq!(ids, ["a", "c", "b"], "those that changed last come first");
    let page = store
        .conversations(Scope::All, None, 10)
        .await
        .expect("conversations are listed");
    let saved: Vec<_> = page.items.iter().map(|it| it.saved).collect();
    assert!(
        saved.windows(2).all(|two| two[0] > two[1]),
        "by the time when they were saved"
    );
}

pub(super) async fn pages_are_all_conversations(store: Shared) {
    let all: BTreeSet<_> = (0..7).map(|number| format!("talk {number}")).collect();
    for id in &all {
        save(&store, id, 1, "text").await;
    }
    for limit in [0, 1, 3, 7, usize::MAX] {
        let ids: Vec<_> = listed(&store, Scope::All, limit)
            .await
            .into_iter()
            .map(|it| it.0)
            .collect();
        assert_eq!(ids.len(), 7, "each is listed once in pages of {limit}");
        assert_eq!(
            ids.into_iter().collect::<BTreeSet<_>>(),
            all,
            "all in pages of {limit}"
        );
    }
    let first = store
        .conversations(Scope::All, None, 7)
        .await
        .expect("conversations are listed");
    assert_eq!(first.next, None, "a page that holds all is the last");
    let first = store
        .conversations(Scope::All, None, 2)
        .await
        .expect("conversations are listed");
    assert!(first.next.is_some(), "another page comes after the first");
    later().await;
    save(&store, "new", 1, "text").await;
    let second = store
        .conversations(Scope::All, first.next.as_deref(), 9)
        .await;
    let second = second.expect("conversations are listed");
    assert_eq!(
        second.items.len(),
        5,
        "a newer one moves nothing of the next page"
    );
}

pub(super) async fn a_run_saves_its_conversation(store: Shared) {
    save(&store, "talk", 1, "one").await;
    let lease = created_of(&store, &continues("run", "talk", 1)).await;
    let mut append = Append::new(1, texts(&["one"]));
    append.conversation = Some(ConversationVersion::new(2, "two"));
    store
        .append(&lease, &append)
        .await
        .expect("a run saves its conversation");
    append = Append::new(2, Vec::new());
    append.conversation = Some(ConversationVersion::new(3, "three"));
    store
        .append(&lease, &append)
        .await
        .expect("a run saves it again");
    append = Append::new(2, texts(&["two"]));
    append.conversation = Some(ConversationVersion::new(4, "four"));
    append.status = Some(RunStatus::Finished);
    store
        .append(&lease, &append)
        .await
        .expect("a run saves it at its end");
    let all = ["one", "two", "three", "four"];
    let all: Vec<_> = (1..).zip(all.map(str::to_owned)).collect();
    assert_eq!(
        versions(&store, "talk").await,
        all,
        "all versions are there"
    );
    assert_eq!(
        loaded(&store, "run").await.entries,
        ["zero", "one", "two"],
        "with the entries"
    );
    let next = created_of(&store, &continues("next", "talk", 4)).await;
    finish(&store, &next).await;
}

pub(super) async fn an_outdated_version_changes_nothing_of_a_run(store: Shared) {
    save(&store, "talk", 1, "one").await;
    let lease = created_of(&store, &continues("run", "talk", 1)).await;
    for wrong in [0, 1, 3] {
        let mut append = Append::new(1, texts(&["wrong"]));
        append.taken = 3;
        append.status = Some(RunStatus::Finished);
        append.conversation = Some(ConversationVersion::new(wrong, "wrong"));
        let appended = store.append(&lease, &append).await;
        refused(
            "a version that is not the next",
            appended,
            StoreErrorKind::Outdated,
        );
    }
    let run = loaded(&store, "run").await;
    assert_eq!(run.entries, ["zero"], "nothing is appended");
    assert_eq!(
        (run.status, run.taken),
        (RunStatus::Open, 0),
        "the run stays as it is"
    );
    assert_eq!(
        versions(&store, "talk").await,
        [(1, "one".to_owned())],
        "nothing is saved"
    );
}

pub(super) async fn a_conversation_is_deleted(store: Shared) {
    let id = ConversationId::new("talk");
    let none = store.delete_conversation(Scope::All, &id).await;
    refused("deleting no conversation", none, StoreErrorKind::NotFound);
    save(&store, "talk", 1, "one").await;
    save(&store, "talk", 2, "two").await;
    save(&store, "other", 1, "another").await;
    store
        .delete_conversation(Scope::All, &id)
        .await
        .expect("a conversation is deleted");
    assert_eq!(versions(&store, "talk").await, [], "it is gone");
    assert_eq!(
        listed(&store, Scope::All, 10).await.len(),
        1,
        "it is not listed"
    );
    let none = store.delete_conversation(Scope::All, &id).await;
    refused("deleting it again", none, StoreErrorKind::NotFound);
    save(&store, "talk", 1, "anew").await;
    assert_eq!(
        versions(&store, "talk").await,
        [(1, "anew".to_owned())],
        "it begins anew"
    );
}

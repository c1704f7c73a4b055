//! Any text, as an id and as content.

use std::collections::BTreeSet;

use super::{
    case::Shared,
    fixture::{
        at, continues, created_of, filter, finish, id, inbox, item, labels, listed, listed_in,
        loaded, new_run, save, versions,
    },
};
use toolwright::{
    run::RunId,
    store::{Append, ConversationVersion, RunFilter, RunStatus, Scope},
};

/// Texts that a file system, a database or a line of text may not like. All are different.
fn odd() -> Vec<String> {
    let mut odd: Vec<_> = [
        "",
        " ",
        "  ",
        "a",
        "A",
        "a ",
        " a",
        "a.",
        ".",
        "..",
        "../a",
        "../../etc/passwd",
        "/",
        "/a",
        "a/b",
        "a\\b",
        "a/",
        "~",
        "-",
        "--",
        "con",
        "CON",
        "nul",
        "a:b",
        "a*b?",
        "'",
        "\"",
        "''",
        "'; drop table runs; --",
        "%",
        "_",
        "a%",
        "a_",
        "%61",
        "$1",
        "{}",
        "[1]",
        "null",
        "0",
        "00",
        "\n",
        "\r\n",
        "a\nb",
        "\t",
        "\0",
        "a\0",
        "a\0b",
        "\u{1}",
        "\u{7f}",
        "\u{feff}",
        "\u{202e}",
        "é",
        "e\u{301}",
        "ß",
        "SS",
        "İ",
        "i",
        "🦀",
        "🦀🦀",
        "\u{10ffff}",
        "日本語",
        "=a",
        "a=b",
    ]
    .map(str::to_owned)
    .into();
    let long = "x".repeat(9_999);
    odd.extend(["a", "A", "b"].map(|end| format!("{long}{end}")));
    odd.push("🦀".repeat(2_500));
    odd.push("../".repeat(3_334));
    odd
}

pub(super) async fn any_text_is_an_id_of_a_run(store: Shared) {
    for (number, run) in odd().into_iter().enumerate() {
        let mut new = new_run(&run);
        new.entries = vec![number.to_string()];
        let lease = created_of(&store, &new).await;
        assert_eq!(lease.run_id, id(&run), "the lease of run {run:?}");
    }
    for (number, run) in odd().into_iter().enumerate() {
        let loaded = loaded(&store, &run).await;
        assert_eq!(loaded.info.run_id, id(&run), "the id of run {run:?}");
        assert_eq!(
            loaded.entries,
            [number.to_string()],
            "the log of run {run:?}"
        );
    }
    let runs: BTreeSet<_> = listed(&store, &RunFilter::default())
        .await
        .into_iter()
        .collect();
    assert!(runs == odd().into_iter().collect(), "all runs are listed");
    for run in odd() {
        store
            .abandon(Scope::All, &RunId::new(&*run))
            .await
            .expect("a run is given up");
        store
            .delete_run(Scope::All, &RunId::new(run))
            .await
            .expect("it is deleted");
    }
    assert_eq!(
        listed(&store, &RunFilter::default()).await,
        [""; 0],
        "all are deleted"
    );
}

pub(super) async fn any_text_is_an_id_of_a_conversation(store: Shared) {
    for (number, talk) in odd().into_iter().enumerate() {
        save(&store, &talk, 1, &number.to_string()).await;
        let run = continues(&format!("run {number}"), &talk, 1);
        let lease = created_of(&store, &run).await;
        if number % 2 == 0 {
            finish(&store, &lease).await;
        }
    }
    for (number, talk) in odd().into_iter().enumerate() {
        let expected = [(1, number.to_string())];
        assert_eq!(
            versions(&store, &talk).await,
            expected,
            "conversation {talk:?}"
        );
    }
    let page = store
        .conversations(Scope::All, None, 1000)
        .await
        .expect("conversations are listed");
    let listed: BTreeSet<_> = page.items.into_iter().map(|it| it.id.to_string()).collect();
    assert!(
        listed == odd().into_iter().collect(),
        "all conversations are listed"
    );
}

pub(super) async fn any_text_is_an_id_of_an_item(store: Shared) {
    created_of(&store, &new_run("run")).await;
    for _ in 0..2 {
        for text in odd() {
            let put = store.put(Scope::All, &id("run"), &item(&text)).await;
            put.expect("an item is put into the inbox");
        }
    }
    let items = inbox(&store, "run", 0).await;
    let items: Vec<_> = items.into_iter().map(|(_, id)| id).collect();
    assert!(
        items == odd(),
        "each item once, in order: {} of {}",
        items.len(),
        odd().len()
    );
}

pub(super) async fn any_text_is_kept(store: Shared) {
    let mut texts = odd();
    texts.push("{\"a\":\n1}".to_owned());
    texts.push("x".repeat(1_000_000));
    let mut new = continues("run", "talk", 0);
    new.entries.clone_from(&texts);
    new.info.labels = texts
        .iter()
        .map(|text| (text.clone(), text.clone()))
        .collect();
    new.info.labels.retain(|text, _| text.len() <= 10_002);
    let lease = created_of(&store, &new).await;
    let mut append = Append::new(texts.len() as u64, texts.clone());
    append.conversation = Some(ConversationVersion::new(1, texts.concat()));
    store
        .append(&lease, &append)
        .await
        .expect("any text is appended");
    let run = loaded(&store, "run").await;
    assert!(
        run.entries == [texts.clone(), texts.clone()].concat(),
        "the entries are as they were"
    );
    assert!(run.info == new.info, "the labels are as they were");
    assert!(
        versions(&store, "talk").await == [(1, texts.concat())],
        "the conversation is"
    );

    for text in odd() {
        let lease = created_of(&store, &new_run(&format!("parked {text}"))).await;
        let status = RunStatus::Parked {
            reason: text.clone(),
        };
        let mut append = Append::default();
        append.status = Some(status.clone());
        store
            .append(&lease, &append)
            .await
            .expect("any reason is kept");
        let run = loaded(&store, &format!("parked {text}")).await;
        assert_eq!(run.status, status, "the reason is as it was");
    }
}

pub(super) async fn any_text_is_looked_for(store: Shared) {
    for (number, text) in odd().into_iter().enumerate() {
        let mut new = new_run(&number.to_string());
        new.info.created = at(number as u64);
        new.info.runner.clone_from(&text);
        new.info.owner = Some(text.clone());
        new.info.labels = labels(&[("key", &text), (&text, "value")]);
        created_of(&store, &new).await;
    }
    for (number, text) in odd().into_iter().enumerate() {
        let runner = filter(|filter| filter.runner = Some(text.clone()));
        let value = filter(|filter| filter.labels = labels(&[("key", &text)]));
        let key = filter(|filter| filter.labels = labels(&[(&text, "value")]));
        let all = Scope::All;
        let owner = (Scope::Owner(&text), RunFilter::default());
        for (scope, filter) in [(all, runner), owner, (all, value), (all, key)] {
            let runs = listed_in(&store, scope, &filter).await;
            assert_eq!(runs, [number.to_string()], "the run that has {text:?}");
        }
    }
}

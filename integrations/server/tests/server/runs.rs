//! Runs and their logs.

use serde_json::{Value, json};

use crate::{
    chat::{asks, submit},
    client::{get, post, send},
    rig::{Rig, calls, says},
};

#[tokio::test]
async fn a_log_is_read_in_pages() {
    let rig = Rig::of([calls("add", [r#"{"a":1,"b":2}"#]), says("3.")]).await;
    let events = post(rig.address, "/chat", &submit("c", &[asks("u1", "1+2?")])).await;
    let run = events.events().await[0]["messageId"].clone();
    let run = run.as_str().expect("it has an id");
    let one = get(rig.address, &format!("/runs/{run}")).await.json().await;
    assert_eq!(
        (&one["question"], &one["status"]),
        (&json!("1+2?"), &json!("finished"))
    );
    assert_eq!(one["finish"]["type"], "answered");
    let (mut entries, mut from) = (Vec::new(), Some(0));
    while let Some(next) = from {
        let page = get(rig.address, &format!("/runs/{run}/log?from={next}&limit=2")).await;
        let page = page.json().await;
        entries.extend(page["entries"].as_array().expect("it has entries").clone());
        from = page["next"].as_u64();
    }
    assert_eq!(one["entries"].as_u64(), Some(entries.len() as u64));
    let sequences = entries.iter().map(|entry| entry["sequence"].as_u64());
    assert!(sequences.eq((0..entries.len() as u64).map(Some)));
    assert_eq!(entries[0]["record"]["type"], "started");
    assert_eq!(
        entries.last().expect("one is there")["record"]["type"],
        "finished"
    );
    assert!(entries.iter().all(|entry| entry["atMs"].is_u64()));
    let file = get(rig.address, &format!("/runs/{run}/fixture")).await;
    assert_eq!(
        file.header("content-disposition"),
        Some("attachment; filename=\"run.jsonl\"")
    );
    let file = file.text().await;
    assert_eq!(file.lines().count(), entries.len());
    let last: Value =
        serde_json::from_str(file.lines().last().expect("it has lines")).expect("it is JSON");
    assert_eq!(
        last["record"],
        entries.last().expect("one is there")["record"]
    );
    let wrong = get(rig.address, &format!("/runs/{run}/log?from=-1")).await;
    assert_eq!(wrong.refusal().await.0, 400);
    rig.stop().await;
}

#[tokio::test]
async fn plain_events_go_on_after_the_last_id() {
    let rig = Rig::of([calls("add", [r#"{"a":1,"b":2}"#]), says("3.")]).await;
    let asked = submit("c", &[asks("u1", "1+2?")]);
    let plain = post(rig.address, "/chat?format=plain", &asked)
        .await
        .text()
        .await;
    assert!(plain.starts_with("event: start\n"), "{plain}");
    let run = get(rig.address, "/runs").await.json().await;
    let run = run["items"][0]["id"]
        .as_str()
        .expect("it is there")
        .to_owned();
    let path = format!("GET /runs/{run}/events");
    let whole = send(rig.address, &path, &[], "").await.text().await;
    let ids: Vec<&str> = whole
        .lines()
        .filter_map(|line| line.strip_prefix("id: "))
        .collect();
    let middle = ids[ids.len() / 2];
    let rest = send(rig.address, &path, &[("last-event-id", middle)], "").await;
    let (_, expected) = whole
        .split_once(&format!("id: {middle}\n"))
        .expect("it has this id");
    let (_, expected) = expected.split_once("\n\n").expect("an event ends");
    assert_eq!(rest.text().await, expected);
    rig.stop().await;
}

#[tokio::test]
async fn runs_are_found_by_status_chat_and_words() {
    let rig = Rig::of([says("one"), calls("delete_file", [r#"{"path":"a"}"#])]).await;
    for chat in ["first", "second"] {
        let asked = submit(chat, &[asks("u1", "Go.")]);
        post(rig.address, "/chat", &asked).await.events().await;
    }
    for (query, expected) in [
        ("", &["second", "first"][..]),
        ("?status=suspended&q=", &["second"]),
        ("?status=&chat=first", &["first"]),
        ("?q=sec", &["second"]),
        ("?status=parked", &[]),
        ("?limit=1", &["second"]),
    ] {
        let page = get(rig.address, &format!("/runs{query}"))
            .await
            .json()
            .await;
        let items = page["items"].as_array().expect("it has items");
        let chats: Vec<&Value> = items.iter().map(|run| &run["labels"]["chat"]).collect();
        assert_eq!(chats, expected, "{query}");
    }
    let unknown = get(rig.address, "/runs?status=done").await;
    assert_eq!(unknown.header("cache-control"), Some("no-store"));
    assert_eq!(unknown.refusal().await, (400, "bad_request".to_owned()));
    for path in ["/runs", "/chat", "/chat/first", "/tools"] {
        let kept = get(rig.address, path).await;
        assert_eq!(kept.header("cache-control"), Some("no-store"), "{path}");
    }
    rig.stop().await;
}

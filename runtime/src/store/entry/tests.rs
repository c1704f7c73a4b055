use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::Entry;
use crate::store::{ConversationRef, StoreErrorKind};
use toolwright_core::{
    Conversation, RunConfig, UserMessage,
    run::{CallId, Record, RunId},
};

fn started(conversation: Conversation) -> Record {
    Record::Started {
        run_id: RunId::new("run"),
        config: RunConfig::default(),
        conversation,
        input: UserMessage::from("Hello,\nyou."),
    }
}

fn entry(record: Record) -> Entry {
    let at = SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_123);
    Entry::new(RunId::new("run"), 7, at, 3, record)
}

fn call_started() -> Entry {
    let call = CallId { round: 1, index: 2 };
    let name = "tool".to_owned();
    entry(Record::CallStarted { call, name })
}

fn read(text: &str) -> Result<Entry, crate::store::StoreError> {
    Entry::from_text(text, &RunId::new("run"), 7)
}

#[test]
fn an_entry_is_one_line_and_comes_back() {
    let mut before = Conversation::new();
    before.push_user("Before.\r\n\u{2028}");
    for entry in [entry(started(before)), call_started()] {
        let text = entry.to_text().expect("an entry is written");
        assert!(!text.contains(['\n', '\r']), "{text}");
        assert_eq!(read(&text).expect("it is read"), entry);
    }
}

#[test]
fn the_form_of_an_entry_stays() {
    let text = call_started().to_text().expect("an entry is written");
    let form = concat!(
        r#"{"version":1,"run":"run","sequence":7,"at_ms":1700000000123,"lease":3,"#,
        r#""record":{"type":"call_started","call":{"round":1,"index":2},"name":"tool"}}"#
    );
    assert_eq!(text, form);
}

#[test]
fn a_stored_conversation_is_not_written_again() {
    let mut before = Conversation::new();
    before.push_user("a long conversation");
    let reference = ConversationRef::new("talk", 4);
    let entry = entry(started(before)).continuing(reference.clone());
    let text = entry.to_text().expect("an entry is written");
    assert!(!text.contains("a long conversation"), "{text}");
    let read = read(&text).expect("it is read");
    assert_eq!(read.conversation, Some(reference.clone()));
    assert_eq!(read.record, started(Conversation::new()));
    // Other records continue nothing.
    assert_eq!(call_started().continuing(reference), call_started());
}

#[test]
fn an_entry_of_elsewhere_is_refused() {
    let text = call_started().to_text().expect("an entry is written");
    let value: Value = serde_json::from_str(&text).expect("an entry is JSON");
    let with = |key: &str, new: Value| {
        let mut value = value.clone();
        value[key] = new;
        value.to_string()
    };
    for (text, kind, says) in [
        (
            with("run", json!("other")),
            StoreErrorKind::Corrupt,
            "belongs to run other",
        ),
        (
            with("sequence", json!(8)),
            StoreErrorKind::Corrupt,
            "record 8",
        ),
        (
            with("sequence", json!(6)),
            StoreErrorKind::Corrupt,
            "record 6",
        ),
        (
            with("version", json!(2)),
            StoreErrorKind::Newer,
            "use a newer one",
        ),
        // All but the version may be different in a newer form.
        (
            r#"{"version":2}"#.to_owned(),
            StoreErrorKind::Newer,
            "version 2",
        ),
        (
            with("version", json!("1")),
            StoreErrorKind::Corrupt,
            "not an entry",
        ),
        (
            with("record", json!({"type": "unheard_of"})),
            StoreErrorKind::Corrupt,
            "unheard_of",
        ),
        (
            with("at_ms", json!(-1)),
            StoreErrorKind::Corrupt,
            "not an entry",
        ),
        (
            text[..text.len() - 1].to_owned(),
            StoreErrorKind::Corrupt,
            "not an entry",
        ),
        (String::new(), StoreErrorKind::Corrupt, "not an entry"),
        ("[]".to_owned(), StoreErrorKind::Corrupt, "not an entry"),
    ] {
        let error = read(&text).expect_err("it is refused");
        assert_eq!(error.kind, kind, "{text}: {error}");
        assert!(error.message.contains(says), "{text}: {error}");
        assert_eq!(error.run_id, Some(RunId::new("run")), "{error}");
        assert_eq!(error.sequence, Some(7), "{error}");
    }
    let other = with("added_later", json!(true));
    read(&other).expect("keys that are not known are left alone");
}

use serde::Deserialize;
use serde_json::value::RawValue;
use toolwright_runtime::model::ModelEvent;

use super::{OneText, Pattern};

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    text: &'a RawValue,
    #[serde(borrow, default)]
    pad: Option<&'a RawValue>,
    #[serde(borrow, default)]
    number: Option<&'a RawValue>,
}

impl<'a> Event<'a> {
    fn one_text(&self) -> OneText<'a> {
        let (text, noise) = (self.text, [self.number, self.pad]);
        OneText { text, noise }
    }
}

fn learnt(json: &str, told: &[ModelEvent]) -> Pattern {
    let event: Event<'_> = serde_json::from_str(json).expect("is an event");
    let mut pattern = Pattern::default();
    pattern.learn(json, event.one_text(), told);
    pattern
}

fn text(text: &str) -> ModelEvent {
    ModelEvent::Text(text.to_owned())
}

const FIRST: &str = r#"{"n": 1, "pad":"x", "text": "a", "number": 9}"#;

/// What is read of an event that comes after `FIRST`.
fn check(json: &[u8], expected: Option<&str>) {
    let pattern = learnt(FIRST, &[text("a")]);
    assert_eq!(
        pattern.read(json),
        expected.map(text),
        "{}",
        String::from_utf8_lossy(json)
    );
}

#[test]
fn an_event_that_differs_in_its_text_and_in_noise_is_read() {
    check(FIRST.as_bytes(), Some("a"));
    for (written, read) in [
        ("some words", "some words"),
        ("caf\u{e9}", "caf\u{e9}"),
        (r#"\"b\" \\"#, r#""b" \"#),
        (r"\ud83d\ude00\n", "\u{1f600}\n"),
    ] {
        for end in ["}", "   }", "\t\r\n}"] {
            let json = format!(r#"{{"n": 1, "pad":"", "text": "{written}", "number": 120{end}"#);
            check(json.as_bytes(), Some(read));
        }
    }
}

#[test]
fn any_other_event_is_for_the_reader_of_json() {
    for json in [
        // Something else differs, or is there besides.
        r#"{"n": 2, "pad":"x", "text": "b", "number": 9}"#,
        r#"{"n": 1, "pad":"x", "text": "b", "number": 9} "#,
        r#"{"n": 1, "pad":"x", "text": "b", "more": 1, "number": 9}"#,
        r#"{"n": 1, "pad":"x", "text": "b", "number": 9, "more": 1}"#,
        // Another kind of value.
        r#"{"n": 1, "pad":"x", "text": null, "number": 9}"#,
        r#"{"n": 1, "pad":"x", "text": "b", "number": -9}"#,
        r#"{"n": 1, "pad":"x", "text": "b", "number": 9.5}"#,
        r#"{"n": 1, "pad":"x", "text": "b", "number": 09}"#,
        r#"{"n": 1, "pad":"x", "text": "b", "number": }"#,
        r#"{"n": 1, "pad":1, "text": "b", "number": 9}"#,
        // Says nothing.
        r#"{"n": 1, "pad":"x", "text": "", "number": 9}"#,
        // No JSON, or not quite.
        r#"{"n": 1, "pad":"x", "text": "b, "number": 9}"#,
        r#"{"n": 1, "pad":"x", "text": "b"", "number": 9}"#,
        r#"{"n": 1, "pad":"x", "text": "b\", "number": 9}"#,
        r#"{"n": 1, "pad":"x", "text": "b\x", "number": 9}"#,
        r#"{"n": 1, "pad":"x", "text": "b\u12", "number": 9}"#,
        r#"{"n": 1, "pad":"x", "text": "\ud800", "number": 9}"#,
        r#"{"n": 1, "pad":"\x", "text": "b", "number": 9}"#,
        r#"{"n": 1, "pad":"x", "text": "b", "number": 9]"#,
        r#"{"n": 1, "pad":"x", "text": "b", "number": 9}}"#,
        "{\"n\": 1, \"pad\":\"x\", \"text\": \"b\", \"number\": 9\u{c}}",
        "{\"n\": 1, \"pad\":\"x\", \"text\": \"b\t\", \"number\": 9}",
        "{\"n\": 1, \"pad\":\"\u{1}\", \"text\": \"b\", \"number\": 9}",
    ] {
        check(json.as_bytes(), None);
    }
    for cut in 0..FIRST.len() {
        check(&FIRST.as_bytes()[..cut], None);
    }
    check(
        b"{\"n\": 1, \"pad\":\"x\", \"text\": \"\xff\", \"number\": 9}",
        None,
    );
    check(
        b"{\"n\": 1, \"pad\":\"\xff\", \"text\": \"b\", \"number\": 9}",
        None,
    );
}

/// Every byte of an event, replaced by every byte.
#[test]
fn what_is_read_is_what_a_reader_of_json_reads() {
    let first = r#"{"n":1,"pad":"x","text":"a\\b","number":10}"#;
    let pattern = learnt(first, &[text("a\\b")]);
    let mut read = 0;
    for place in 0..first.len() {
        for byte in 0..=u8::MAX {
            let mut json = first.as_bytes().to_vec();
            json[place] = byte;
            let Some(event) = pattern.read(&json) else {
                continue;
            };
            let json = std::str::from_utf8(&json).expect("what is read is text");
            let value: serde_json::Value = serde_json::from_str(json).expect("and JSON");
            assert_eq!(event, text(value["text"].as_str().expect("is a string")));
            assert_eq!(value["n"], 1, "{json}");
            read += 1;
        }
    }
    assert!(read > 200, "{read} events were read");
}

#[test]
fn only_an_event_that_told_its_text_is_kept() {
    let is_kept = |json: &str, told: &[ModelEvent]| {
        let pattern = learnt(json, told);
        pattern.read(json.as_bytes()).is_some()
    };
    let json = r#"{"text":"a"}"#;
    assert!(is_kept(json, &[text("a")]));
    assert!(is_kept(json, &[ModelEvent::Refusal("a".into())]));
    assert!(!is_kept(json, &[]));
    assert!(!is_kept(json, &[text("b")]));
    assert!(!is_kept(json, &[text("a"), text("a")]));
    assert!(!is_kept(json, &[ModelEvent::Model("a".into())]));
    assert!(!is_kept(r#"{"text":7}"#, &[text("7")]));
    let long = "a".repeat(5000);
    assert!(!is_kept(&format!(r#"{{"text":"{long}"}}"#), &[text(&long)]));
}

#[test]
fn the_kind_of_what_was_told_stays() {
    let json = r#"{"text":"a"}"#;
    for told in [
        ModelEvent::Text("a".into()),
        ModelEvent::Reasoning("a".into()),
        ModelEvent::Refusal("a".into()),
        ModelEvent::CallArguments {
            index: 3,
            text: "a".into(),
        },
    ] {
        let pattern = learnt(json, std::slice::from_ref(&told));
        assert_eq!(pattern.read(json.as_bytes()), Some(told));
    }
    let mut pattern = learnt(json, &[text("a")]);
    pattern.forget();
    assert_eq!(pattern.read(json.as_bytes()), None);
}

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::{Reader, Unexpected};
use crate::raw::Raw;

/// Texts with all that JSON has.
const TEXTS: [&str; 5] = [
    r#" { "a" : [ 1 , -0.5e+10 , 20E-3 , [ ] , { } ] , "b\n\u00e9\\" : { "c" : null } } "#,
    r#"["caf\u00e9 é \"x\" \/ \b\f\n\r\t","a long text without any escapes in it, 64 bytes or so of it",true,false]"#,
    r#"{"choices":[{"index":0,"delta":{"content":"\ud83d"},"finish_reason":null}],"usage":null}"#,
    "-10.25e0",
    "\"\"",
];

fn value(text: &str) -> Result<&str, Unexpected> {
    let mut reader = Reader::new(text);
    let value = reader.value()?;
    reader.end().map(|()| value.get())
}

fn check(text: &str) {
    let expected = serde_json::from_str::<&RawValue>(text).map(RawValue::get);
    assert_eq!(value(text).ok(), expected.ok(), "{text}");
}

/// Each text, each of its beginnings, and each text with one byte more, less or another.
#[test]
fn what_is_json_to_serde_json_is_json() {
    let bytes: Vec<char> = ("\"\\{}[]:,-+.eE0179aunl \t\u{1}\u{1f}\u{20}\u{7f}é")
        .chars()
        .collect();
    for text in TEXTS {
        check(text);
        for (place, character) in text.char_indices() {
            let rest = &text[place + character.len_utf8()..];
            check(&text[..place]);
            check(&format!("{}{rest}", &text[..place]));
            for other in &bytes {
                check(&format!("{}{other}{rest}", &text[..place]));
                check(&format!("{}{other}{character}{rest}", &text[..place]));
            }
        }
    }
}

#[test]
fn brackets_are_matched_at_any_depth() {
    for depth in [1, 2, 63, 64, 65, 127, 128, 129, 200_000] {
        let (open, close) = ("[{\"a\":".repeat(depth), "}]".repeat(depth));
        let whole = format!("{open}1{close}");
        assert_eq!(value(&whole), Ok(&*whole));
        assert!(value(&format!("{open}1{}]", &close[1..])).is_err());
        assert!(value(&format!("{open}1{}", &close[1..])).is_err());
        assert!(value(&format!("{whole}]")).is_err());
    }
}

#[test]
fn members_and_items_are_read_in_their_order() {
    let mut seen = Vec::new();
    let mut reader = Reader::new(r#"{"a\t":[1, {"b": 2}],"c":null,"d":[]}"#);
    let read = reader.members(|reader, key| {
        if reader.null() {
            seen.push(format!("{key}: nothing"));
            return Ok(());
        }
        reader.items(|reader| {
            seen.push(format!("{key}: {}", reader.value()?.get()));
            Ok(())
        })
    });
    assert_eq!((read, reader.end()), (Ok(()), Ok(())));
    assert_eq!(seen, ["a\t: 1", "a\t: {\"b\": 2}", "c: nothing"]);
    assert!(Raw::new("null").is_null());
}

#[test]
fn what_comes_next_is_read_only_if_it_is_that() {
    let mut reader = Reader::new(r#" [ "a" , "\n","b ]"#);
    assert!(!reader.plain_string() && reader.begins_with(b'['));
    let mut seen = Vec::new();
    let read = reader.items(|reader| {
        let start = reader.start();
        let is_plain = reader.plain_string();
        if !is_plain {
            reader.value()?;
        }
        seen.push((is_plain, reader.since(start)));
        Ok(())
    });
    assert_eq!(seen, [(true, r#""a""#), (false, r#""\n""#)]);
    assert!(read.is_err(), "a string that does not end is none");
}

#[test]
fn half_a_character_in_a_key_is_told_apart() {
    let text = r#"{"a":1,"\u0062":2,"\ud800":3}"#;
    let (mut keys, mut mended) = (Vec::new(), Vec::new());
    let read = Reader::new(text).written_members(|reader, key| {
        keys.push(key.map(Cow::into_owned));
        reader.value().map(drop)
    });
    assert_eq!(read, Ok(()));
    assert_eq!(keys, [Ok("a".into()), Ok("b".into()), Err(r#""\ud800""#)]);
    let read = Reader::new(text).members(|reader, key| {
        mended.push(key);
        reader.value().map(drop)
    });
    assert_eq!(
        (read, mended),
        (Ok(()), ["a", "b", "\u{FFFD}"].map(Cow::from).into())
    );
}

#[test]
fn errors_say_what_was_to_stand_where() {
    let mut reader = Reader::new(r#"{"a": 1}"#);
    let error = reader.members(|reader, _| reader.items(|_| Ok(())));
    let (expected, at) = ("a list", 6);
    assert_eq!(error, Err(Unexpected { expected, at }));
    assert_eq!(
        value("[1 2]"),
        Err(Unexpected {
            expected: "`,` or `]`",
            at: 3
        })
    );
}

use toolwright_core::model::ModelEvent;
use toolwright_json::{
    string::piece_of,
    surrogates::{mended, push, rest_of, settle},
};

use super::Joining;

fn text(json: &str) -> String {
    let raw = toolwright_json::raw::Raw::new(json);
    piece_of(raw).into_owned()
}

/// A text of these pieces, as JSON.
fn joined(pieces: &[&str]) -> String {
    let mut joining = Joining::default();
    let mut events = Vec::new();
    for piece in pieces {
        let from = events.len();
        events.push(ModelEvent::Text(text(piece)));
        joining.take(&mut events, from);
    }
    joining.finish(&mut events);
    let texts = events.into_iter().map(|event| match event {
        ModelEvent::Text(text) => text,
        event => unreachable!("no {event:?} was told"),
    });
    texts.collect()
}

#[test]
fn two_halves_are_one_character() {
    assert_eq!(joined(&[r#""a\ud83d""#, r#""\ude00b""#]), "a\u{1F600}b");
    assert_eq!(
        joined(&[r#""\uD83D""#, r#""""#, r#""\uDE00""#]),
        "\u{1F600}"
    );
    let three = [r#""\ud83d""#, r#""\ude00\ud83d""#, r#""\ude00""#];
    assert_eq!(joined(&three), "\u{1F600}\u{1F600}");
    assert_eq!(joined(&[r#""\ud83d\ude00""#]), "\u{1F600}");
}

#[test]
fn a_half_without_the_other_is_replaced_once_and_nothing_else_is_lost() {
    assert_eq!(joined(&[r#""a\ud83d""#]), "a\u{FFFD}");
    assert_eq!(joined(&[r#""a\ud83d""#, r#""b""#]), "a\u{FFFD}b");
    assert_eq!(joined(&[r#""\ude00b""#]), "\u{FFFD}b");
    assert_eq!(joined(&[r#""a\ud83db\ude00c""#]), "a\u{FFFD}b\u{FFFD}c");
    assert_eq!(
        joined(&[r#""\ud83d""#, r#""\ud83d""#, r#""\ude00""#]),
        "\u{FFFD}\u{1F600}"
    );
    assert_eq!(joined(&[r#""\\ud83d""#, r#""\\ude00""#]), "\\ud83d\\ude00");
}

#[test]
fn json_is_mended_within_its_strings_alone() {
    let json = r#"{"a\ud83d": ["\ude00", "\\ud83d", "\ud83d\ude00", "x\udc00"], "b": 1}"#;
    let expected = "{\"a\u{FFFD}\": [\"\u{FFFD}\", \"\\\\ud83d\", \"\\ud83d\\ude00\", \"x\u{FFFD}\"], \"b\": 1}";
    assert_eq!(mended(json, false), expected);
    for cut in 0..json.len() {
        mended(&json[..cut], true);
    }
}

#[test]
fn pieces_that_are_kept_are_joined_as_well() {
    let mut all = text(r#""a\ud83d""#);
    assert_eq!(
        rest_of("a\u{1F600}b", &all).map(|rest| {
            let mut whole = all.clone();
            push(&mut whole, &rest);
            whole
        }),
        Some("a\u{1F600}b".to_owned())
    );
    assert_eq!(rest_of("ab", &all), None);
    push(&mut all, &text(r#""\ude00b\ud83d""#));
    settle(&mut all);
    assert_eq!(all, "a\u{1F600}b\u{FFFD}");
}

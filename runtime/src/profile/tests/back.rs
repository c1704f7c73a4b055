//! The way back.

use std::borrow::Cow;

use super::tool;
use crate::profile::{Maps, Profile, Undo};

fn undo(profile: &Profile, schema: &str) -> Undo {
    let schema =
        r#"{"type":"object","properties":{"a":SCHEMA},"required":["a"]}"#.replace("SCHEMA", schema);
    profile.render(&tool(schema)).expect("it can be sent").undo
}

fn check(schema: &str, all: &[(&str, &str)]) {
    let undo = undo(&Profile::openai_strict(), schema);
    for (sent, own) in all {
        let (sent, own) = (format!(r#"{{"a":{sent}}}"#), format!(r#"{{"a":{own}}}"#));
        assert_eq!(undo.apply(&sent), own, "{schema}");
        // Sent again it means the same, whatever came.
        let again = undo.redo(&own);
        assert_eq!(undo.apply(&again), own, "{schema}: {again}");
    }
}

/// Arguments of the tool, and what the provider is sent of them.
fn check_again(profile: &Profile, schema: &str, all: &[(&str, &str)]) {
    let undo = undo(profile, schema);
    for (own, sent) in all {
        let (own, sent) = (format!(r#"{{"a":{own}}}"#), format!(r#"{{"a":{sent}}}"#));
        assert_eq!(undo.redo(&own), sent, "{schema}");
        assert_eq!(undo.apply(&sent), own, "{schema}");
    }
}

#[test]
fn arguments_of_the_tool_are_sent_again() {
    let openai = &Profile::openai_strict();
    check_again(
        openai,
        r#"{"type":"object","additionalProperties":{}}"#,
        &[
            ("{}", "[]"),
            (
                r#"{"x":1.50,"\"":null}"#,
                r#"[{"key":"x","value":"1.50"},{"key":"\"","value":"null"}]"#,
            ),
        ],
    );
    check_again(
        openai,
        r#"{"type":"object","properties":{"b":{"type":"integer"},"c":{},"d":{"type":"string"}},
            "required":["d"],"additionalProperties":{"type":"integer"}}"#,
        &[
            (
                r#"{"d":"","x":1}"#,
                r#"{"d":"","b":null,"c":null,"other_members":[{"key":"x","value":1}]}"#,
            ),
            (
                r#"{"d":"","c":null}"#,
                r#"{"d":"","c":"null","b":null,"other_members":[]}"#,
            ),
        ],
    );
    check_again(
        openai,
        r#"{"type":"array","prefixItems":[{"type":"integer"},{"type":"object"}],"minItems":2,"items":false}"#,
        &[("[7,{}]", r#"{"0":7,"1":[]}"#), ("[7]", "[7]"), ("3", "3")],
    );
    check_again(
        openai,
        r#"{"anyOf":[{"type":"object","properties":{"x":{"type":"integer"}},"additionalProperties":false},
            {"type":"object","additionalProperties":{"type":"string"}}]}"#,
        &[
            ("{}", r#"{"x":null}"#),
            (r#"{"x":"1"}"#, r#"[{"key":"x","value":"1"}]"#),
            ("[1]", "[1]"),
        ],
    );
    check_again(
        &Profile::gemini(),
        r#"{"enum":[1,2.50,true,"a","",[1,{"b":2}]]}"#,
        &[
            ("1", "\"1\""),
            ("2.50", "\"2.50\""),
            ("true", "\"true\""),
            ("\"a\"", "\"a\""),
            ("\"\"", "\"(empty)\""),
            (r#"[1,{"b":2}]"#, r#""[1,{\"b\":2}]""#),
        ],
    );
    let number = undo(&Profile::gemini(), r#"{"enum":[1,[1]]}"#);
    for (own, sent) in [("1.0", "1"), ("[ 1 ]", "[1]")] {
        let own = format!(r#"{{"a":{own}}}"#);
        assert_eq!(number.redo(&own), format!(r#"{{"a":"{sent}"}}"#));
    }
    for text in ["", "null", "{", "[1]", "{\"a\":1}}"] {
        assert_eq!(number.redo(text), text);
    }
}

#[test]
fn what_is_done_to_undeclared_members_is_not_done_to_declared_ones() {
    let profile = Profile {
        maps: Maps::Kept,
        ..Profile::gemini()
    };
    check_again(
        &profile,
        r#"{"type":"object","properties":{"b":{"type":"string"}},"additionalProperties":{"enum":[1,2]}}"#,
        &[(r#"{"b":"1","c":2}"#, r#"{"b":"1","c":"2"}"#)],
    );
}

#[test]
fn pairs_become_a_map_and_numbers_keep_their_digits() {
    check(
        r#"{"type":"object","additionalProperties":{}}"#,
        &[
            ("[]", "{}"),
            (r#"[{"key":"x","value":"1.50"}]"#, r#"{"x":1.50}"#),
            (
                r#"[{"value":"12345678901234567890123","key":"\""}]"#,
                r#"{"\"":12345678901234567890123}"#,
            ),
            (r#"[{"key":"x","value":"not JSON"}]"#, r#"{"x":"not JSON"}"#),
            (
                r#"[{"key":"x","value":"{\"b\":[null]}"}]"#,
                r#"{"x":{"b":[null]}}"#,
            ),
        ],
    );
}

#[test]
fn what_has_another_form_stays_and_the_rest_is_undone() {
    check(
        r#"{"type":"array","items":{"type":"object","additionalProperties":{"type":"integer"}}}"#,
        &[
            (
                r#"[[{"key":"x","value":1}],{"x":1}]"#,
                r#"[{"x":1},{"x":1}]"#,
            ),
            (r#"[[{"key":"x"}],7]"#, r#"[[{"key":"x"}],7]"#),
            (r#"[[{"key":1,"value":1}]]"#, r#"[[{"key":1,"value":1}]]"#),
            ("3", "3"),
        ],
    );
    let undo = undo(&Profile::openai_strict(), r#"{"type":"object"}"#);
    for text in [
        "",
        "null",
        "{",
        "[1]",
        "nonsense",
        "{\"a\":[{}]} ",
        "{\"a\":1}}",
    ] {
        assert_eq!(undo.apply(text).trim(), text.trim());
    }
}

#[test]
fn tuples_and_enums() {
    check(
        r#"{"type":"array","prefixItems":[{"type":"integer"},{"type":"object"}],"minItems":2,"items":false}"#,
        &[
            (r#"{"1":[],"0":7}"#, "[7,{}]"),
            (r#"{"0":7}"#, r#"{"0":7}"#),
        ],
    );
    let gemini = undo(&Profile::gemini(), r#"{"enum":[1,2.50,true,"a",""]}"#);
    for (sent, own) in [
        ("1", "1"),
        ("2.50", "2.50"),
        ("true", "true"),
        ("a", "\"a\""),
        ("(empty)", "\"\""),
        ("b", "\"b\""),
    ] {
        assert_eq!(
            gemini.apply(&format!(r#"{{"a":"{sent}"}}"#)),
            format!(r#"{{"a":{own}}}"#)
        );
    }
}

#[test]
fn the_variant_of_a_union_is_the_one_whose_result_fits() {
    check(
        r#"{"anyOf":[
            {"type":"object","properties":{"kind":{"const":"map"},"of":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["kind","of"]},
            {"type":"object","properties":{"kind":{"const":"any"},"of":{}},"required":["kind","of"]},
            {"type":"object","properties":{"x":{"type":"integer"}}},
            {"type":"null"}
        ]}"#,
        &[
            (
                r#"{"kind":"map","of":[{"key":"b","value":1}]}"#,
                r#"{"kind":"map","of":{"b":1}}"#,
            ),
            (r#"{"kind":"any","of":"[1]"}"#, r#"{"kind":"any","of":[1]}"#),
            (r#"{"x":null}"#, "{}"),
            ("null", "null"),
            ("7", "7"),
        ],
    );
}

#[test]
fn recursion_is_followed() {
    let schema = r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/N"}},"required":["a"],
        "$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"},"of":{}}}}}"##;
    let undo = Profile::openai_strict()
        .render(&tool(schema))
        .expect("it can be sent")
        .undo;
    let sent = r#"{"a":{"next":{"next":null,"of":"1"},"of":null}}"#;
    assert_eq!(undo.apply(sent), r#"{"a":{"next":{"of":1}}}"#);
    // A list that contains itself has nothing to be undone.
    let schema = r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/N"}},"required":["a"],
        "$defs":{"N":{"type":"array","items":{"$ref":"#/$defs/N"}}}}"##;
    assert!(
        Profile::openai_strict()
            .render(&tool(schema))
            .expect("it can be sent")
            .undo
            .is_empty()
    );
}

#[test]
fn where_nothing_is_undone_the_text_is_not_even_read() {
    for profile in [Profile::openai(), Profile::mistral(), Profile::grammar()] {
        let undo = undo(
            &profile,
            r#"{"type":"object","additionalProperties":{"type":"integer"}}"#,
        );
        assert!(undo.is_empty() && matches!(undo.apply(" { no JSON"), Cow::Borrowed(" { no JSON")));
    }
    let undo = undo(&Profile::openai_strict(), r#"{"type":["integer","null"]}"#);
    assert!(undo.is_empty(), "a required null is itself");
}

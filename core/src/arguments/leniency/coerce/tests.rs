//! What is changed, and what is not.

use super::coerce as coerce_respelled;
use crate::{arguments::repair_json, tool::ArgumentChange};

fn coerce(schema: &str, text: &str) -> Option<(String, Vec<ArgumentChange>)> {
    let schema = serde_json::from_str(schema).expect("is JSON");
    coerce_respelled(&schema, text, &[])
}

/// The schema of an object of one member, and the member before and after; `None` stays.
fn check(schema: &str, value: &str, expected: Option<&str>) {
    let schema = format!(r#"{{"type":"object","properties":{{"a":{schema}}}}}"#);
    let arguments = |value: &str| format!(r#"{{ "b" : 1.0, "a":{value} }}"#);
    let new = coerce(&schema, &arguments(value)).map(|(new, _)| new);
    assert_eq!(new, expected.map(arguments), "{value} by {schema}");
}

fn changes(schema: &str, text: &str) -> Vec<String> {
    let (_, changes) = coerce(schema, text).expect("is changed");
    changes.iter().map(ToString::to_string).collect()
}

#[test]
fn scalars() {
    let integer = r#"{"type":"integer","minimum":0}"#;
    check(integer, r#""42""#, Some("42"));
    check(integer, r#""42.0""#, Some("42.0"));
    for kept in [
        "42",
        "42.5",
        r#""42.5""#,
        r#""-1""#,
        r#"" 42""#,
        r#""042""#,
        r#""4,2""#,
        r#""0x1""#,
        "true",
        "null",
        r#""""#,
    ] {
        check(integer, kept, None);
    }
    check(r#"{"type":"number"}"#, r#""-1.5e3""#, Some("-1.5e3"));
    check(r#"{"type":"number"}"#, r#""NaN""#, None);
    check(r#"{"type":"number"}"#, r#""1e999""#, None);
    check(r#"{"type":"boolean"}"#, r#""true""#, Some("true"));
    check(r#"{"type":"boolean"}"#, r#""False""#, Some("false"));
    for kept in ["1", r#""yes""#, r#""1""#] {
        check(r#"{"type":"boolean"}"#, kept, None);
    }
    check(r#"{"type":"string"}"#, "1.50", Some(r#""1.50""#));
    check(r#"{"type":"string"}"#, "true", Some(r#""true""#));
    for kept in ["1e3", "null", "[1]", "{}", r#""42""#] {
        check(r#"{"type":"string"}"#, kept, None);
    }
}

#[test]
fn listed_values() {
    check(r#"{"enum":[1,2]}"#, r#""2""#, Some("2"));
    check(r#"{"enum":[1,2]}"#, r#""3""#, None);
    check(r#"{"enum":["1","2"]}"#, "2", Some(r#""2""#));
    check(r#"{"enum":[1,"2"]}"#, r#""1""#, None);
    check(r#"{"const":true}"#, r#""true""#, Some("true"));
}

#[test]
fn texts_that_spell_a_value() {
    let object = r#"{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}"#;
    check(object, r#""{\"n\":1}""#, Some(r#"{"n":1}"#));
    check(object, r#""{'n': '1'}""#, Some(r#"{"n":1}"#));
    check(object, r#""{\"m\":1}""#, None);
    check(object, r#""{\"n\":1""#, None);
    let list = r#"{"type":"array","items":{"type":"string"}}"#;
    check(list, r#""[\"x\", \"y\"]""#, Some(r#"["x", "y"]"#));
    check(list, r#""[]""#, Some("[]"));
    // A list of two, of one text, and of the text as it stands.
    check(list, r#""['x' 'y']""#, None);
    check(list, r#""[1]""#, None);
    check(list, r#""['x']""#, None);
    check(
        r#"{"type":"array","items":{"type":"number"}}"#,
        r#""[1, '2',]""#,
        Some("[1,2]"),
    );
}

#[test]
fn one_value_for_a_list_of_it() {
    let list = r#"{"type":"array","items":{"type":"string"}}"#;
    for item in [
        "x",
        "src/main.rs",
        "https://x.org/?a=1",
        "Bergen-Oslo",
        "Tromsø",
        "#a",
        "-v",
        "12:30",
    ] {
        check(list, &format!("{item:?}"), Some(&format!("[{item:?}]")));
    }
    for kept in ["null", "{}", r#"["x"]"#] {
        check(list, kept, None);
    }
    for kept in [
        "",
        " ",
        "null",
        "None",
        "NIL",
        "undefined",
        "N/A",
        "-",
        "…",
        "x, y",
        "x y",
        "x and y",
        "x;y",
        "x|y",
        "x\ty",
        "x\ny",
        "x\u{2028}y",
        "x，y",
        "x、y",
        "x・y",
        "x؛y",
        "x+y",
        "x&y",
        "/usr/bin:/bin",
        "[urgent]",
        "[\"a\"",
        "['a' 'b']",
        "{}",
        "{'a'",
        "(a)",
        "'a'",
        "【a】",
    ] {
        check(list, &serde_json::json!(kept).to_string(), None);
    }
    let listed = r#"{"type":"array","items":{"enum":["x y","null",""]}}"#;
    check(listed, r#""x y""#, Some(r#"["x y"]"#));
    check(listed, r#""null""#, None);
    check(listed, "\"\"", None);
    let numbers = r#"{"type":"array","items":{"type":"integer"},"maxItems":3}"#;
    check(numbers, "1", Some("[1]"));
    check(numbers, r#""1""#, Some("[1]"));
    check(numbers, r#"["1", 2]"#, Some("[1, 2]"));
    check(
        r#"{"type":"array","items":{"type":"integer"},"minItems":2}"#,
        "1",
        None,
    );
    check(r#"{"type":"array"}"#, "1", None);
    let objects = r#"{"type":"array","items":{"type":"object"}}"#;
    check(objects, r#"{"x":1}"#, Some(r#"[{"x":1}]"#));
    for kept in [r#"{"item":[1]}"#, "{}", r#"{"0":{"x":1},"1":{"x":2}}"#] {
        check(objects, kept, None);
    }
}

#[test]
fn one_list_for_a_list_of_lists() {
    let points = |more: &str| {
        format!(
            r#"{{"type":"array","items":{{"type":"array","items":{{"type":"number"}}{more}}}}}"#
        )
    };
    // A list of two points of one number, and a list of one point.
    check(&points(""), "[1,2]", None);
    check(&points(""), r#"["1",2]"#, None);
    check(&points(""), "[1]", Some("[[1]]"));
    check(&points(""), "1", Some("[[1]]"));
    check(&points(""), "[1,[2]]", Some("[[1],[2]]"));
    check(&points(r#","maxItems":1"#), "[1,2]", Some("[[1],[2]]"));
    check(&points(r#","minItems":2"#), "[1,2]", None);
    let deep = format!(r#"{{"type":"array","items":{}}}"#, points(""));
    check(&deep, "[[1,2]]", None);
}

/// What becomes of a member that is not even JSON.
fn repaired(schema: &str, value: &str) -> Option<String> {
    let schema = format!(r#"{{"type":"object","properties":{{"a":{schema}}}}}"#);
    let text = format!("{{b: 'x', a: {value}, 'c': 3}}");
    let repaired = repair_json(&text).expect("is repaired");
    let schema = serde_json::from_str(&schema).expect("is JSON");
    let (new, _) = coerce_respelled(&schema, &repaired.text, &repaired.respelled)?;
    let new: serde_json::Value = serde_json::from_str(&new).expect("is JSON");
    Some(new["a"].to_string())
}

#[test]
fn what_was_repaired_becomes_no_text() {
    let text = r#"{"type":"string"}"#;
    for value in ["+4712345678", "-.5", "2.", "True", "False"] {
        assert_eq!(repaired(text, value), None, "{value}");
    }
    for (value, expected) in [("4712345678", "\"4712345678\""), ("true", "\"true\"")] {
        assert_eq!(repaired(text, value).as_deref(), Some(expected));
    }
    let object = r#"{"type":"object","properties":{"n":{"type":"string"}}}"#;
    assert_eq!(repaired(object, r#"'{"n": +47}'"#), None);
    assert_eq!(
        repaired(object, r#"'{"n": 47}'"#).as_deref(),
        Some(r#"{"n":"47"}"#)
    );
    let list = r#"{"type":"array","items":{"type":"string"}}"#;
    assert_eq!(repaired(list, "[+1, 2]").as_deref(), Some(r#"[1,"2"]"#));
    assert_eq!(repaired(list, "+1"), None);
}

#[test]
fn schemas_with_an_address_of_their_own_are_left_alone() {
    let schema = r##"{"properties":{"w":{"$ref":"#/$defs/A"},"v":{"$ref":"#/$defs/A/properties/v"},
        "n":{"$ref":"#/$defs/B"}},"$defs":{"B":{"type":"string"},
        "A":{"$id":"http://x.test/a","$defs":{"B":{"type":"integer"}},
            "properties":{"v":{"$ref":"#/$defs/B"}}}}}"##;
    assert!(coerce(schema, r#"{"w":{"v":42}}"#).is_none());
    assert!(coerce(schema, r#"{"v":42}"#).is_none());
    assert!(coerce(schema, r#"{"n":42}"#).is_some());
    let rooted =
        r##"{"$id":"http://x.test/a","properties":{"id":{"type":"integer"},"next":{"$ref":"#"}}}"##;
    let (new, _) = coerce(rooted, r#"{"next":{"id":"1"}}"#).expect("is changed");
    assert_eq!(new, r#"{"next":{"id":1}}"#);
    for reference in ["#/$defs/a%20b", "http://x.test/a#/$defs/a%20b"] {
        let schema = format!(
            r#"{{"$id":"http://x.test/a","properties":{{"n":{{"$ref":"{reference}"}}}},
                "$defs":{{"a b":{{"type":"integer"}}}}}}"#
        );
        let (new, _) = coerce(&schema, r#"{"n":"1"}"#).expect("is changed");
        assert_eq!(new, r#"{"n":1}"#, "{reference}");
    }
}

#[test]
fn unions_keep_what_they_take() {
    for (schema, value, expected) in [
        (
            r#"{"anyOf":[{"type":"integer"},{"type":"string"}]}"#,
            r#""42""#,
            None,
        ),
        (r#"{"type":["integer","string"]}"#, r#""42""#, None),
        (
            r#"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#,
            r#""42""#,
            Some("42"),
        ),
        (r#"{"type":["integer","null"]}"#, r#""42""#, Some("42")),
        (
            r#"{"oneOf":[{"type":"integer"},{"type":"number"}]}"#,
            r#""42""#,
            Some("42"),
        ),
        // An integer, and a list of one.
        (
            r#"{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}}]}"#,
            r#""42""#,
            None,
        ),
        (
            r#"{"type":["integer","boolean"]}"#,
            r#""true""#,
            Some("true"),
        ),
        // The second reading of an object is another object.
        (
            r#"{"anyOf":[{"type":"object","properties":{"n":{"type":"integer"}}},
                {"type":"object","properties":{"n":{"type":"boolean"}}}]}"#,
            r#"{"n":"1"}"#,
            Some(r#"{"n":1}"#),
        ),
        (
            r#"{"anyOf":[{"type":"object","properties":{"n":{"type":"integer"}}},
                {"type":"object","properties":{"n":{"type":"array","items":{"type":"integer"}}}}]}"#,
            r#"{"n":"1"}"#,
            None,
        ),
    ] {
        check(schema, value, expected);
    }
}

#[test]
fn references_and_all_of() {
    let schema = r##"{"$ref":"#/$defs/A","$defs":{"A":{"type":"object",
        "properties":{"n":{"$ref":"#/$defs/N","description":"n"},"next":{"$ref":"#/$defs/A"}}},
        "N":{"type":"integer"}}}"##;
    assert_eq!(
        changes(schema, r#"{"next":{"next":{"n":"1"}},"n":"2"}"#),
        [
            "arguments.next.next.n: a string became a number",
            "arguments.n: a string became a number"
        ]
    );
    check(
        r#"{"allOf":[{"type":"integer"},{"minimum":3}]}"#,
        r#""4""#,
        Some("4"),
    );
    check(
        r#"{"allOf":[{"type":"integer"},{"minimum":3}]}"#,
        r#""2""#,
        None,
    );
    check(
        r#"{"allOf":[{"type":"integer"},{"type":"string"}]}"#,
        r#""4""#,
        None,
    );
}

#[test]
fn the_whole_may_be_a_text() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer"}}}"#;
    let (new, changes) = coerce(schema, r#" "{\"n\": \"1\"}" "#).expect("is changed");
    assert_eq!(new, r#"{"n": 1}"#);
    let changes: Vec<_> = changes.iter().map(ToString::to_string).collect();
    assert_eq!(
        changes,
        [
            "arguments: a string was parsed as JSON",
            "arguments.n: a string became a number"
        ]
    );
}

#[test]
fn other_mistakes_stand_in_nobodys_way() {
    let schema = r#"{"type":"object","properties":{"n":{"type":"integer"},"m":{"type":"boolean"}},
        "required":["k"],"additionalProperties":false}"#;
    let (new, changes) = coerce(schema, r#"{"n":"1","m":"maybe","x":1}"#).expect("is changed");
    assert_eq!(new, r#"{"n":1,"m":"maybe","x":1}"#);
    assert_eq!(changes.len(), 1);
}

#[test]
fn what_is_told_and_what_is_done_is_bounded() {
    let schema = r#"{"type":"object","additionalProperties":{"type":"integer"}}"#;
    let members: Vec<_> = (0..1000).map(|key| format!("\"k{key}\":\"1\"")).collect();
    let (_, changes) = coerce(schema, &format!("{{{}}}", members.join(","))).expect("is changed");
    assert_eq!(changes.len(), 33);
    assert_eq!(changes[32].times, 1000 - 32);

    // Two branches at every level, each with the same two below.
    let schema = r##"{"$ref":"#/$defs/A","$defs":{"A":{"anyOf":[
        {"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"required":["x"]},
        {"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"required":["y"]},
        {"type":"integer"}]}}}"##;
    let deep = format!("{}\"1\"{}", "{\"a\":".repeat(100), "}".repeat(100));
    assert!(coerce(schema, &deep).is_none());
    let endless = r##"{"$ref":"#"}"##;
    assert!(coerce(endless, r#"{"a":"1"}"#).is_none());
}

//! Decoding enums with data and flattened types, and each mistake in them with its place.

use std::collections::{BTreeMap, BTreeSet};

use toolwright::{ToolInput, tool, toolset};

use super::text;

#[derive(Debug, serde::Deserialize, ToolInput)]
#[allow(dead_code)]
enum Shape {
    Point,
    Origin,
    Circle { radius: u8 },
    Pair(i64, i64),
}

#[derive(Debug, serde::Deserialize, ToolInput)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[allow(dead_code)]
enum When {
    Now,
    At { hour: u8 },
    In(Minutes),
}

#[derive(Debug, serde::Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Minutes {
    #[serde(alias = "mins")]
    minutes: u32,
}

#[derive(Debug, serde::Deserialize, ToolInput)]
#[serde(tag = "t", content = "c")]
#[allow(dead_code)]
enum Value {
    Number(u8),
    Nothing,
}

#[derive(Debug, serde::Deserialize, ToolInput)]
#[serde(untagged)]
#[allow(dead_code)]
enum Id {
    Number(u32),
    Name(String),
    Pair(u8, u8),
}

#[derive(Debug, serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Flat {
    a: u8,
    #[serde(flatten)]
    minutes: Minutes,
    #[serde(flatten)]
    others: BTreeMap<String, bool>,
}

/// Show whatever came in.
#[tool]
#[allow(clippy::too_many_arguments)]
fn show(
    shape: Option<Shape>,
    when: Option<When>,
    value: Option<Value>,
    id: Option<Id>,
    flat: Option<Flat>,
    pair: Option<(u8, bool)>,
    three: Option<[u8; 3]>,
    set: Option<BTreeSet<u8>>,
) -> String {
    [
        shape.map(|it| format!("{it:?}")),
        when.map(|it| format!("{it:?}")),
        value.map(|it| format!("{it:?}")),
        id.map(|it| format!("{it:?}")),
        flat.map(|it| format!("{it:?}")),
        pair.map(|it| format!("{it:?}")),
        three.map(|it| format!("{it:?}")),
        set.map(|it| format!("{it:?}")),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn check(arguments: &str, expected: &str) {
    assert_eq!(
        text(&toolset![show], "show", arguments),
        expected,
        "{arguments}"
    );
}

#[test]
fn whole_floats_are_integers_wherever_the_schema_says_so() {
    check(
        r#"{"shape":{"Circle":{"radius":1.0}}}"#,
        "Circle { radius: 1 }",
    );
    check(r#"{"shape":{"Pair":[1.0,-0]}}"#, "Pair(1, 0)");
    check(r#"{"when":{"hour":1e1,"kind":"at"}}"#, "At { hour: 10 }");
    check(
        r#"{"when":{"kind":"in","mins":2.0}}"#,
        "In(Minutes { minutes: 2 })",
    );
    check(r#"{"value":{"c":3.0,"t":"Number"}}"#, "Number(3)");
    check(r#"{"id":4.0}"#, "Number(4)");
    check(r#"{"id":[5.0,6]}"#, "Pair(5, 6)");
    check(
        r#"{"flat":{"a":1.0,"minutes":2.0,"x":true}}"#,
        r#"Flat { a: 1, minutes: Minutes { minutes: 2 }, others: {"x": true} }"#,
    );
    check(r#"{"pair":[7.0,true]}"#, "(7, true)");
    check(r#"{"three":[1,2.0,3]}"#, "[1, 2, 3]");
    check(r#"{"set":[2.0,1,2]}"#, "{1, 2}");
}

#[test]
fn a_mistake_in_a_variant_has_its_place() {
    for (arguments, expected) in [
        (
            r#"{"shape":"Line"}"#,
            r#"arguments.shape: expected one of "Point", "Origin", {"Circle": …}, {"Pair": …}, got "Line""#,
        ),
        (
            r#"{"shape":{"Circle":{"radius":-1}}}"#,
            "arguments.shape.Circle.radius: expected an integer from 0 to 255, got -1",
        ),
        (
            r#"{"shape":{"Circle":{}}}"#,
            "arguments.shape.Circle.radius: missing, expected an integer from 0 to 255",
        ),
        (
            r#"{"shape":{"Pair":[1]}}"#,
            "arguments.shape.Pair: expected a list of 2, got [1]",
        ),
        (
            r#"{"when":{"hour":1}}"#,
            r#"arguments.when.kind: missing, expected one of "now", "at", "in""#,
        ),
        (
            r#"{"when":{"kind":"then"}}"#,
            r#"arguments.when.kind: expected one of "now", "at", "in", got "then""#,
        ),
        (
            r#"{"when":{"kind":"in","minutes":1,"hours":2}}"#,
            r#"arguments.when.hours: unknown, expected "minutes""#,
        ),
        (
            r#"{"when":"now"}"#,
            r#"arguments.when: expected an object, got "now""#,
        ),
        (
            r#"{"value":{"t":"Number"}}"#,
            "arguments.value.c: missing, expected an integer from 0 to 255",
        ),
        (
            r#"{"value":{"t":"Nothing","c":1}}"#,
            "arguments.value.c: expected null, got 1",
        ),
        (
            r#"{"id":[1,256]}"#,
            "arguments.id[1]: expected an integer from 0 to 255, got 256",
        ),
        (
            r#"{"id":true}"#,
            "arguments.id: expected an integer from 0 to 4294967295 or a string or a list of 2, got true",
        ),
    ] {
        check(arguments, expected);
    }
}

#[test]
fn a_mistake_in_flattened_keys_has_its_place() {
    for (arguments, expected) in [
        (
            r#"{"flat":{"a":1}}"#,
            "arguments.flat.minutes: missing, expected an integer from 0 to 4294967295",
        ),
        (
            r#"{"flat":{"a":1,"minutes":"2"}}"#,
            r#"arguments.flat.minutes: expected an integer from 0 to 4294967295, got "2""#,
        ),
        (
            r#"{"flat":{"a":1,"minutes":2,"mins":2}}"#,
            "arguments.flat.mins: given twice, expected once",
        ),
        (
            r#"{"flat":{"a":1,"minutes":2,"x":3}}"#,
            "arguments.flat.x: expected a boolean, got 3",
        ),
        (
            r#"{"pair":[1,true,2]}"#,
            "arguments.pair: expected a list of 2, got [1,true,2]",
        ),
        (
            r#"{"three":[1,2]}"#,
            "arguments.three: expected a list of 3, got [1,2]",
        ),
        (
            r#"{"three":[1,"x",{"a":[true]},3]}"#,
            r#"arguments.three: expected a list of 3, got [1,"x",{"a":[true]},3]"#,
        ),
    ] {
        check(arguments, expected);
    }
}

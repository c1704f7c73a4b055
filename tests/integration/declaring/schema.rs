//! The schemas that types get, as text.

use std::collections::{BTreeMap, HashMap};

use toolwright::{
    ToolInput,
    schema::{Describe, Start},
};

use super::schema;

/// The schema of a type.
fn of<T: ToolInput>() -> String {
    <T::Body<Start> as Describe>::node()
        .to_schema()
        .as_str()
        .to_owned()
}

#[test]
fn scalars() {
    for (schema, expected) in [
        (of::<bool>(), r#"{"type":"boolean"}"#),
        (
            of::<u8>(),
            r#"{"type":"integer","minimum":0,"maximum":255}"#,
        ),
        (
            of::<u32>(),
            r#"{"type":"integer","minimum":0,"maximum":4294967295}"#,
        ),
        (of::<u64>(), r#"{"type":"integer","minimum":0}"#),
        (of::<usize>(), r#"{"type":"integer","minimum":0}"#),
        (
            of::<i8>(),
            r#"{"type":"integer","minimum":-128,"maximum":127}"#,
        ),
        (
            of::<i32>(),
            r#"{"type":"integer","minimum":-2147483648,"maximum":2147483647}"#,
        ),
        (of::<i64>(), r#"{"type":"integer"}"#),
        (of::<f32>(), r#"{"type":"number"}"#),
        (of::<f64>(), r#"{"type":"number"}"#),
        (of::<String>(), r#"{"type":"string"}"#),
        (
            of::<char>(),
            r#"{"type":"string","minLength":1,"maxLength":1}"#,
        ),
    ] {
        assert_eq!(schema, expected);
    }
}

#[test]
fn containers() {
    for (schema, expected) in [
        (of::<Option<i64>>(), r#"{"type":["integer","null"]}"#),
        (
            of::<Option<u8>>(),
            r#"{"type":["integer","null"],"minimum":0,"maximum":255}"#,
        ),
        (
            of::<Option<Option<String>>>(),
            r#"{"type":["string","null"]}"#,
        ),
        (
            of::<Option<Vec<String>>>(),
            r#"{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"null"}]}"#,
        ),
        (of::<Box<bool>>(), r#"{"type":"boolean"}"#),
        (
            of::<Vec<Vec<bool>>>(),
            r#"{"type":"array","items":{"type":"array","items":{"type":"boolean"}}}"#,
        ),
        (
            of::<HashMap<String, f64>>(),
            r#"{"type":"object","additionalProperties":{"type":"number"}}"#,
        ),
        (
            of::<BTreeMap<String, Option<bool>>>(),
            r#"{"type":"object","additionalProperties":{"type":["boolean","null"]}}"#,
        ),
    ] {
        assert_eq!(schema, expected);
    }
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(rename_all = "kebab-case")]
#[allow(dead_code)]
enum Plain {
    OneWord,
    #[serde(rename = "2")]
    Two,
    #[serde(skip)]
    Three,
}

/// How warm it is.
#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
enum Documented {
    /// Degrees Celsius.
    Celsius,
    Kelvin,
}

#[test]
fn enums() {
    assert_eq!(
        of::<Plain>(),
        r#"{"type":"string","enum":["one-word","2"]}"#
    );
    assert_eq!(
        schema(&toolwright::toolset![warm]),
        concat!(
            r#"{"type":"object","properties":{"warm":{"type":"string","oneOf":["#,
            r#"{"const":"Celsius","description":"Degrees Celsius."},{"const":"Kelvin"}],"#,
            r#""description":"How warm it is."}},"required":["warm"],"additionalProperties":false}"#
        )
    );
}

/// Say how warm it is.
#[toolwright::tool]
fn warm(warm: Documented) {
    let _ = warm;
}

#[derive(serde::Deserialize, ToolInput)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Everything {
    /// The first "word".
    ///
    /// It has two paragraphs.
    first_word: String,
    #[serde(rename = "other", alias = "another")]
    second: Option<u8>,
    #[serde(default)]
    third: bool,
    #[serde(default = "four")]
    fourth: i64,
    #[serde(skip)]
    fifth: Option<std::time::Duration>,
    r#type: Box<Option<bool>>,
}

fn four() -> i64 {
    4
}

#[derive(Default, serde::Deserialize, ToolInput)]
#[serde(default, deny_unknown_fields)]
#[allow(dead_code)]
struct AllDefault {
    a: u64,
}

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Empty {}

#[test]
fn structs_as_serde_reads_them() {
    assert_eq!(
        of::<Everything>(),
        concat!(
            r#"{"type":"object","properties":{"firstWord":{"type":"string","description":"#,
            r#""The first \"word\".\n\nIt has two paragraphs."},"#,
            r#""other":{"type":["integer","null"],"minimum":0,"maximum":255},"#,
            r#""third":{"type":"boolean"},"fourth":{"type":"integer"},"#,
            r#""type":{"type":["boolean","null"]}},"required":["firstWord"]}"#
        )
    );
    assert_eq!(
        of::<AllDefault>(),
        r#"{"type":"object","properties":{"a":{"type":"integer","minimum":0}},"additionalProperties":false}"#
    );
    assert_eq!(of::<Empty>(), r#"{"type":"object","properties":{}}"#);
}

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Page<T, const N: usize = 1> {
    items: Vec<T>,
}

/// A place.
#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Place {
    name: String,
}

mod other {
    #[derive(serde::Deserialize, toolwright::ToolInput)]
    #[allow(dead_code)]
    pub(super) struct Place {
        code: u8,
    }
}

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Trip {
    from: Place,
    /// Where to.
    to: Place,
    stops: Vec<other::Place>,
    last: Option<other::Place>,
    numbers: Page<u8>,
    names: Page<String>,
}

#[test]
fn a_type_that_is_met_twice_is_written_once() {
    assert_eq!(
        of::<Trip>(),
        concat!(
            r##"{"type":"object","properties":{"from":{"$ref":"#/$defs/Place"},"##,
            r##""to":{"$ref":"#/$defs/Place","description":"Where to."},"##,
            r##""stops":{"type":"array","items":{"$ref":"#/$defs/Place_2"}},"##,
            r##""last":{"anyOf":[{"$ref":"#/$defs/Place_2"},{"type":"null"}]},"##,
            r#""numbers":{"type":"object","properties":{"items":{"type":"array","items":"#,
            r#"{"type":"integer","minimum":0,"maximum":255}}},"required":["items"]},"#,
            r#""names":{"type":"object","properties":{"items":{"type":"array","items":"#,
            r#"{"type":"string"}}},"required":["items"]}},"#,
            r#""required":["from","to","stops","numbers","names"],"#,
            r#""$defs":{"Place":{"type":"object","properties":{"name":{"type":"string"}},"#,
            r#""required":["name"],"description":"A place."},"#,
            r#""Place_2":{"type":"object","properties":{"code":{"type":"integer","minimum":0,"maximum":255}},"#,
            r#""required":["code"]}}}"#
        )
    );
}

/// Types that share parts eight-fold on nine levels: 134 million paths.
mod shared {
    macro_rules! level {
        ($name:ident of $part:ty) => {
            #[derive(serde::Deserialize, toolwright::ToolInput)]
            #[allow(dead_code)]
            pub(super) struct $name {
                a: $part,
                b: $part,
                c: Option<$part>,
                d: Vec<$part>,
                e: $part,
                f: $part,
                g: $part,
                h: $part,
            }
        };
    }

    level!(L1 of u8);
    level!(L2 of L1);
    level!(L3 of L2);
    level!(L4 of L3);
    level!(L5 of L4);
    level!(L6 of L5);
    level!(L7 of L6);
    level!(L8 of L7);
    level!(L9 of L8);
}

/// Take a type of nine levels, which makes ten.
#[toolwright::tool]
fn deepest(value: shared::L9) {
    drop(value);
}

#[test]
fn shared_parts_do_not_multiply() {
    let tools = toolwright::toolset![deepest];
    assert!(schema(&tools).len() < 10_000);
}

#[test]
fn every_schema_is_json() {
    let texts = [
        of::<Trip>(),
        of::<Everything>(),
        of::<shared::L9>(),
        of::<Documented>(),
    ];
    for text in texts {
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(value.is_object());
    }
}

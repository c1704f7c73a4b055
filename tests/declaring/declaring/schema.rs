//! The schemas that types get, as text.

mod enums;
mod flattened;
mod shared;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use toolwright::{
    __private::{Describe, Start},
    ToolInput,
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
        (
            of::<BTreeSet<bool>>(),
            r#"{"type":"array","items":{"type":"boolean"},"uniqueItems":true}"#,
        ),
        (
            of::<[bool; 2]>(),
            r#"{"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2}"#,
        ),
        (
            of::<(bool, String)>(),
            r#"{"type":"array","prefixItems":[{"type":"boolean"},{"type":"string"}],"minItems":2,"maxItems":2}"#,
        ),
        (of::<serde_json::Value>(), "{}"),
        (of::<Option<serde_json::Value>>(), "{}"),
        (
            of::<serde_json::Map<String, serde_json::Value>>(),
            r#"{"type":"object","additionalProperties":{}}"#,
        ),
        (of::<()>(), r#"{"type":"null"}"#),
        (of::<Option<()>>(), r#"{"type":"null"}"#),
        (
            of::<std::num::NonZeroU8>(),
            r#"{"type":"integer","minimum":1,"maximum":255}"#,
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

#[test]
fn every_schema_is_json() {
    let texts = [of::<Everything>(), of::<Documented>(), of::<Empty>()];
    for text in texts {
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(value.is_object());
    }
}

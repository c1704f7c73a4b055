//! What the schema accepts and what a call is accepted with agree, at and around every limit.

use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU8,
};

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::{ToolInput, Toolset, tool, toolset};

use super::super::run;

/// Compares both sides for each value. 64 bits have limits that are not told, so that they are
/// compared only where both ends are given. The validator has another `.` than ECMA-262, where it
/// matches no end of a line, so that there is none among the values. A set is told without repetition, and reads it; the values
/// have none.
fn check(tools: &Toolset, values: &[Value]) {
    let definition = tools.definitions().next().expect("there is one tool");
    let schema = definition.input_schema.to_value();
    assert!(jsonschema::meta::is_valid(&schema), "{schema}");
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .expect("the schema is valid");
    let (mut good, mut bad) = (0, 0);
    for value in values {
        let value = json!({"value": value});
        let by_schema = validator.is_valid(&value);
        let by_call = run(tools, &definition.name, &value.to_string());
        assert_eq!(by_call.is_ok(), by_schema, "{value}\n{schema}\n{by_call:?}");
        *(if by_schema { &mut good } else { &mut bad }) += 1;
    }
    assert!(good > 0 && bad > 0, "{schema}: {good} good, {bad} bad");
}

fn numbers() -> Vec<Value> {
    let mut values = vec![
        json!(null),
        json!("1"),
        json!(1e300),
        json!(-1e300),
        json!(u64::MAX),
    ];
    for whole in -12..=30 {
        values.extend([-0.5, -1e-9, 1e-9, 0.5].map(|near| json!(f64::from(whole) + near)));
        values.extend([json!(whole), json!(f64::from(whole))]);
    }
    values
}

fn texts() -> Vec<Value> {
    let texts = [
        "",
        "a",
        "é",
        "ab",
        "é😀",
        "abc",
        "a\nb",
        "abcd",
        "😀😀😀😀",
        "abcde",
        "1",
        "12",
        "١",
        "12-a",
        " a",
        "a ",
        "\u{85}",
        "\u{feff}",
        "_",
        "é b",
        "a b",
        "A",
        "a\\b",
        "٣a",
    ];
    let mut values: Vec<_> = texts.iter().map(|text| json!(text)).collect();
    values.extend([json!(null), json!(1)]);
    values
}

fn lists() -> Vec<Value> {
    let mut values: Vec<_> = (0..6_u8)
        .map(|length| json!((0..length).collect::<Vec<_>>()))
        .collect();
    values.extend([json!(null), json!("abc"), json!({"a": 1})]);
    values
}

fn maps() -> Vec<Value> {
    let keys = |count| {
        (0..count)
            .map(|key| (key.to_string(), json!(key)))
            .collect()
    };
    let mut values: Vec<_> = (0..6_u8).map(|count| Value::Object(keys(count))).collect();
    values.extend([json!(null), json!([1])]);
    values
}

/// A tool for each constraint on each type, and the check of it.
macro_rules! takes {
    ($values:expr; $($key:tt in $($ty:ty),+;)*) => {$($({
        /// Take a value of the type.
        #[tool]
        #[allow(clippy::boxed_local)]
        fn take(#[tool $key] value: $ty) {
            let _ = value;
        }
        check(&toolset![take], &$values);
    })+)*};
}

#[test]
fn ranges() {
    takes! { numbers();
        (range(1..=20)) in u8, i8, u16, i32, u64, i64, usize, f32, f64, NonZeroU8, Option<u8>, Box<i16>;
        (range(-5..5)) in i8, i64, f64, Option<f32>, Narrow;
        (range(..=-3)) in i32, f64;
        (range(7..)) in u8, f64, Option<Box<u32>>;
        (range(0.25..=10.5)) in f64;
        (range(0.0..1.0)) in f64, Option<f64>;
        (range(i64::MIN..=i64::MAX)) in i64;
    }
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
struct Narrow(#[tool(range(-7..=9))] i32);

#[derive(Deserialize, ToolInput)]
#[serde(transparent)]
#[allow(dead_code)]
struct Code {
    #[tool(pattern("^[a-c]*$"))]
    text: String,
}

#[test]
fn lengths() {
    takes! { texts();
        (length(1..=3)) in String, Box<str>, Option<String>, std::path::PathBuf, Code;
        (length(2)) in String;
        (length(..3)) in String;
        (length(4..)) in Option<String>;
    }
    takes! { lists();
        (length(1..=3)) in Vec<u8>, BTreeSet<i64>, Option<Vec<u8>>, Box<[u8]>;
        (length(2)) in Vec<u8>, Option<BTreeSet<u8>>;
        (length(4..)) in Vec<u8>;
    }
    takes! { maps();
        (length(1..=3)) in BTreeMap<String, u8>, Option<BTreeMap<String, u8>>;
        (length(..2)) in serde_json::Map<String, Value>;
    }
}

#[test]
fn patterns() {
    takes! { texts();
        (pattern("^[a-z]+$")) in String, Option<String>;
        (pattern("b")) in String, Code;
        (pattern(r"\d")) in String;
        (pattern(r"^\D*$")) in String;
        (pattern(r"\w")) in String;
        (pattern(r"^\W*$")) in String;
        (pattern(r"^[\s]+")) in String;
        (pattern(r"[^\S]|x")) in String;
        (pattern(r"^.$")) in String;
        (pattern(r"^a\b")) in String;
        (pattern(r"^\p{Lu}|\u{1F600}$")) in String;
    }
}

#[test]
fn formats() {
    let values = |texts: &[&str]| -> Vec<Value> { texts.iter().map(|text| json!(text)).collect() };
    takes! { values(&[
        "", "2026-01-31", "2026-02-29", "2024-02-29", "2026-1-1", "10:30:00Z", "10:30:00+01:00",
        "23:59:60Z", "10:30:60Z", "24:00:00Z", "10:30:00", "2026-01-31T10:30:00Z", "P1D", "P1Y2M",
        "PT1H", "P", "P2W", "P1W1D", "2026-01-31t10:30:00z", "P1DT",
    ]);
        (format = "date") in String;
        (format = "time") in String, Option<String>;
        (format = "date-time") in String;
        (format = "duration") in String;
    }
    takes! { values(&[
        "", "127.0.0.1", "01.0.0.0", "256.1.1.1", "::1", "fe80::1%a", "1::2::3", "example.com",
        "-a.com", "a_b", "ada@example.com", "ada@", "a..b@c.de", "https://example.com/a b",
        "https://example.com/a?b#c", "urn:a:b", "/a", "http://[::1]/", "http://a/%zz",
        "2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2eb8aa08aa9811eab4aa73b441d16380",
    ]);
        (format = "ipv4") in String;
        (format = "ipv6") in String;
        (format = "hostname") in String;
        (format = "email") in String;
        (format = "uri") in String;
        (format = "uuid") in String;
    }
}

//! Text that is nearly JSON, with what it stands for, or the demand that it be refused.

use std::io::{self, Write};

use serde_json::Value;
use toolwright::arguments::repair_json;

/// One record: what comes out is what is expected, or nothing comes out.
pub(crate) fn check(record: &Value) {
    let input = record["input"].as_str().expect("there is a text");
    let repaired = repair_json(input);
    let value = repaired.as_ref().ok().map(|repaired| {
        let json = serde_json::from_str::<Value>(&repaired.text);
        json.unwrap_or_else(|error| panic!("{error}: {}", repaired.text))
    });
    let told = repaired.as_ref().map(|repaired| &repaired.text);
    match record["expect"].as_str() {
        Some("valid") => assert_eq!(told.expect("is JSON"), input),
        Some("repair") => {
            let value = value.unwrap_or_else(|| panic!("{input:?}: {told:?}"));
            assert!(is_same(&value, &record["value"]), "{input:?}: {told:?}");
        }
        Some("either") => {
            let accepted = record["accept"].as_array().expect("are listed");
            let is_accepted = |value: &Value| accepted.iter().any(|one| is_same(value, one));
            assert!(
                value.as_ref().is_none_or(is_accepted),
                "{input:?}: {told:?}"
            );
        }
        Some("reject") => assert!(value.is_none(), "{input:?}: {told:?}"),
        other => panic!("{other:?} is not known"),
    }
}

/// Writes how many records of each kind came out right, wrong or not at all.
pub(crate) fn score(records: &[(String, Value)]) {
    let kinds = ["valid", "repair", "either", "reject"];
    for kind in kinds {
        let of_kind = records
            .iter()
            .filter(|(_, record)| record["expect"] == kind);
        let (mut all, mut read) = (0, 0);
        for (_, record) in of_kind {
            all += 1;
            let input = record["input"].as_str().unwrap_or_default();
            read += usize::from(repair_json(input).is_ok());
        }
        let _ = writeln!(io::stderr(), "repair: {kind}: {read} of {all} are read");
    }
}

/// Whether two values are the same, numbers compared as numbers.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, value)| other.get(key).is_some_and(|other| is_same(value, other)))
        }
        _ => one == other,
    }
}

//! `decode`, which knows a type and no schema.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json, value::RawValue};

use super::decode;
use crate::ToolCall;

/// Compares the message of the failure.
fn check<T: DeserializeOwned>(text: &str, expected: &str) {
    match decode::<T>(text) {
        Ok(_) => panic!("`{text}` decodes"),
        Err(error) => assert_eq!(error.message, expected, "{text}"),
    }
}

#[derive(Debug, PartialEq, Deserialize)]
enum Shape {
    Point,
    Circle { radius: u8 },
    Pair(i64, i64),
    Named(String),
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Drawing {
    shape: Shape,
    #[serde(default)]
    by_id: HashMap<u8, i64>,
}

#[test]
fn every_shape_of_a_type_has_its_place() {
    check::<Drawing>("{}", "arguments.shape: missing");
    check::<Drawing>(
        r#"{"shape":"Line"}"#,
        r#"arguments.shape: expected one of "Point", "Circle", "Pair", "Named", got "Line""#,
    );
    check::<Drawing>(
        r#"{"shape":{"Circle":{"radius":-1}}}"#,
        "arguments.shape.Circle.radius: expected an integer from 0 to 255, got -1",
    );
    check::<Drawing>(
        r#"{"shape":{"Pair":[1]}}"#,
        "arguments.shape.Pair: expected tuple variant Shape::Pair with 2 elements, got [1]",
    );
    check::<Drawing>(
        r#"{"shape":{"Pair":[1,2,3]}}"#,
        "arguments.shape.Pair: expected a list of 2, got [1,2,3]",
    );
    check::<Drawing>(
        r#"{"shape":{"Named":1,"Point":null}}"#,
        r#"arguments.shape: expected an object with exactly one key, got {"Named":1,"Point":null}"#,
    );
    check::<Drawing>(
        r#"{"shape":"Point","by_id":{"x":1}}"#,
        "arguments.by_id.x: expected an integer from 0 to 255",
    );
    check::<Drawing>(
        r#"{"shape":"Point","shpe":1}"#,
        r#"arguments.shpe: unknown, expected one of "shape", "by_id""#,
    );
    check::<Vec<(u8, char)>>(
        r#"[[1,"a"],[2,""]]"#,
        r#"arguments[1][1]: expected a string of one character, got """#,
    );
}

#[test]
fn what_the_first_pass_reads_the_second_reads_alike() {
    #[derive(Debug, Deserialize)]
    struct Loose {
        whole: i64,
        value: Value,
        raw: Box<RawValue>,
        unit: (),
        option: Option<f64>,
        big: u128,
        map: BTreeMap<bool, Shape>,
    }

    // `1.0` makes the first pass fail.
    let text = r#"{"shape":{"Pair":[1.0,-2]},"by_id":{"7":3}}"#;
    let drawing = Drawing {
        shape: Shape::Pair(1, -2),
        by_id: HashMap::from([(7, 3)]),
    };
    assert_eq!(decode::<Drawing>(text).unwrap(), drawing);

    let text = r#"{"whole":2.0,"value":{"a":[1,-1,1.5,null,true,"x"]},"raw": [1, 2] ,
        "unit":null,"option":1,"big":340282366920938463463374607431768211455,
        "map":{"true":{"Named":"n"}}}"#;
    let loose: Loose = decode(text).unwrap();
    assert_eq!(loose.whole, 2);
    assert_eq!(loose.value, json!({"a": [1, -1, 1.5, null, true, "x"]}));
    assert_eq!(loose.raw.get(), "[1, 2]");
    assert_eq!((loose.unit, loose.option), ((), Some(1.0)));
    assert_eq!(loose.big, u128::MAX);
    assert_eq!(loose.map[&true], Shape::Named("n".into()));
}

#[test]
fn what_a_type_says_itself_is_told() {
    #[derive(Debug, Deserialize)]
    #[serde(try_from = "i64")]
    struct Even(#[allow(dead_code)] i64);
    impl TryFrom<i64> for Even {
        type Error = &'static str;
        fn try_from(number: i64) -> Result<Self, Self::Error> {
            if number % 2 == 0 {
                Ok(Self(number))
            } else {
                Err("must be even")
            }
        }
    }
    check::<Vec<Even>>("[2,3]", "arguments[1]: must be even, got 3");
}

#[test]
fn a_nesting_bomb_is_refused_at_once() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let bomb = format!("{}1{}", open.repeat(200_000), close.repeat(200_000));
        let error = ToolCall::new("a", "look", bomb).decode::<Value>();
        let message = error.expect_err("is too deep").message;
        assert!(
            message.contains("nested more than") || message.contains("recursion"),
            "{message}"
        );
        assert!(message.len() < 200);
    }
}

/// Lists inside each other, without end.
#[derive(Debug)]
struct Deep;
impl<'de> Deserialize<'de> for Deep {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> serde::de::Visitor<'de> for Visit {
            type Value = Deep;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list")
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Deep, A::Error> {
                seq.next_element::<Deep>()?;
                Ok(Deep)
            }
        }
        deserializer.deserialize_seq(Visit)
    }
}

#[test]
fn long_paths_are_cut_in_the_middle() {
    let deep = format!("{}\"x\"{}", "[".repeat(60), "]".repeat(60));
    let error = ToolCall::new("a", "look", deep)
        .decode::<Deep>()
        .expect_err("a text is no list");
    let path = format!("arguments{0}…{0}: expected a list", "[0]".repeat(8));
    assert!(error.message.starts_with(&path), "{}", error.message);
}

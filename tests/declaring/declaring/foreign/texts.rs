//! The types with a feature of their own. What the schema takes the type takes, and the other way
//! round but for what [`Case::kindly`] lists.

use std::{collections::BTreeSet, fmt::Debug};

use serde_json::{Value, json};
use toolwright::{Toolset, tool, toolset};

use super::super::{schema, text};

/// A type in an argument `value` of a tool that says it again.
struct Case {
    tools: Toolset,
    /// What both sides take.
    taken: &'static [&'static str],
    /// What the type takes, and the model is not told.
    kindly: &'static [&'static str],
    /// What neither takes.
    refused: &'static [&'static str],
    /// What should have come.
    expected: &'static str,
}

impl Case {
    fn check(&self) {
        let schema: Value = serde_json::from_str(schema(&self.tools)).expect("it is JSON");
        assert!(jsonschema::meta::is_valid(&schema), "{schema}");
        let options = jsonschema::options().should_validate_formats(true);
        let validator = options.build(&schema).expect("it is a schema");
        let name = self.tools.names().next().expect("there is a tool");
        for (values, by_schema, by_type) in [
            (self.taken, true, true),
            (self.kindly, false, true),
            (self.refused, false, false),
        ] {
            for value in values {
                let arguments = json!({"value": value});
                assert_eq!(
                    validator.is_valid(&arguments),
                    by_schema,
                    "{value}: {schema}"
                );
                let said = text(&self.tools, name, &arguments.to_string());
                if by_type {
                    assert!(!said.contains("expected"), "{said}");
                    let again = json!({ "value": said });
                    assert_eq!(text(&self.tools, name, &again.to_string()), said);
                } else {
                    // The type may say why.
                    let start = format!("arguments.value: expected {}", self.expected);
                    let rest = said
                        .strip_prefix(&start)
                        .unwrap_or_else(|| panic!("{said}"));
                    assert!(rest.starts_with([':', ',']), "{said}");
                    assert!(rest.ends_with(&format!(", got {value:?}")), "{said}");
                }
            }
        }
        // An error in one place does not blame another.
        let other = json!({"value": self.taken[0], "others": [self.refused[0]]});
        let said = text(&self.tools, name, &other.to_string());
        assert!(said.starts_with("arguments.others[0]: expected"), "{said}");
    }
}

/// A tool for a type.
macro_rules! case {
    (
        $ty:ty, $expected:literal,
        taken: $taken:expr, kindly: $kindly:expr, refused: $refused:expr $(,)?
    ) => {{
        /// Say the value again, as it is written.
        #[tool]
        fn again(value: $ty, others: Option<Vec<$ty>>) -> String {
            let _ = others;
            match serde_json::to_value(value) {
                Ok(Value::String(text)) => text,
                other => format!("{other:?}"),
            }
        }

        Case {
            tools: toolset![again],
            taken: &$taken,
            kindly: &$kindly,
            refused: &$refused,
            expected: $expected,
        }
        .check();
    }};
}

#[test]
fn uuids() {
    case!(
        uuid::Uuid, r#"a UUID, such as "67e55044-10b1-426f-9247-bb680e5fe0c8""#,
        taken: ["67e55044-10b1-426f-9247-bb680e5fe0c8", "67E55044-10B1-426F-9247-BB680E5FE0C8"],
        kindly: ["67e5504410b1426f9247bb680e5fe0c8", "{67e55044-10b1-426f-9247-bb680e5fe0c8}"],
        refused: ["67e55044", "", "67e55044-10b1-426f-9247-bb680e5fe0cg"],
    );
}

#[test]
fn urls() {
    case!(
        url::Url, r#"an absolute URL, such as "https://example.com/path""#,
        taken: ["https://example.com/a?b=c#d", "mailto:a@example.com", "http://[::1]:80/"],
        kindly: ["https://example.com/a b", "https://bücher.example/"],
        refused: ["example.com", "/a/b", ""],
    );
}

#[test]
fn decimals() {
    case!(
        rust_decimal::Decimal, r#"a decimal number of at most 28 digits as a string, such as "19.99""#,
        taken: ["19.99", "-0.5", "7", "+1.10", "0.0000000000000000000000000001"],
        kindly: ["1_000"],
        refused: ["", "a", "1,5", "NaN", "--1"],
    );
}

#[test]
fn times_of_chrono() {
    use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};
    case!(
        DateTime<Utc>, r#"a date and time with an offset, such as "2024-06-19T15:22:45Z""#,
        taken: ["2024-06-19T15:22:45Z", "2024-06-19T15:22:45.123456789-04:00", "2024-02-29T00:00:00Z"],
        kindly: ["2024-06-19 15:22:45Z"],
        refused: ["2024-06-19T15:22:45", "2024-06-19", "tomorrow", "2023-02-29T00:00:00Z"],
    );
    case!(
        DateTime<FixedOffset>, r#"a date and time with an offset, such as "2024-06-19T15:22:45Z""#,
        taken: ["2024-06-19T15:22:45Z", "2024-06-19T15:22:45-04:00"],
        kindly: [],
        refused: ["2024-06-19T15:22:45", "15:22"],
    );
    case!(
        DateTime<chrono::Local>, r#"a date and time with an offset, such as "2024-06-19T15:22:45Z""#,
        taken: ["2024-06-19T15:22:45Z"],
        kindly: [],
        refused: ["2024-06-19T15:22:45"],
    );
    case!(
        NaiveDate, r#"a date, such as "2024-06-19""#,
        taken: ["2024-06-19", "2024-02-29"],
        kindly: ["2024-6-19"],
        refused: ["2023-02-29", "19.06.2024", "2024-06-19T15:22:45Z"],
    );
    case!(
        NaiveTime, r#"a time without an offset, such as "15:22:45""#,
        taken: ["15:22:45", "00:00:00.5", "23:59:59", "23:59:60"],
        kindly: ["15:22"],
        refused: ["24:00:00", "3pm", "15:22:45Z"],
    );
    case!(
        NaiveDateTime, r#"a date and time without an offset, such as "2024-06-19T15:22:45""#,
        taken: ["2024-06-19T15:22:45", "2024-06-19T15:22:45.25", "2024-06-19T15:22:60"],
        kindly: [],
        refused: ["2024-06-19T15:22:45Z", "2024-06-19"],
    );
}

#[test]
fn times_of_jiff() {
    use jiff::{SignedDuration, Span, Timestamp, Zoned, civil};
    case!(
        Timestamp, r#"a date and time with an offset, such as "2024-06-19T15:22:45Z""#,
        taken: ["2024-06-19T15:22:45Z", "2024-06-19T15:22:45.5-04:00"],
        kindly: ["2024-06-19T15:22:45-04:00[America/New_York]", "2024-06-19T15Z"],
        refused: ["2024-06-19T15:22:45", "2024-06-19"],
    );
    case!(
        Zoned,
        r#"a date and time with an offset and a time zone, such as "2024-06-19T15:22:45-04:00[America/New_York]""#,
        taken: ["2024-06-19T15:22:45-04:00[America/New_York]", "2024-06-19T15:22:45[Europe/Oslo]", "2024-06-19T15:22:45+01:00[+01:00]"],
        kindly: ["2024-06-19[Europe/Oslo]"],
        refused: ["2024-06-19T15:22:45-04:00", "2024-06-19T15:22:45"],
    );
    case!(
        civil::Date, r#"a date, such as "2024-06-19""#,
        taken: ["2024-06-19"],
        kindly: ["2024-06-19T15:22:45", "20240619"],
        refused: ["2023-02-29", "19.06.2024"],
    );
    case!(
        civil::Time, r#"a time without an offset, such as "15:22:45""#,
        taken: ["15:22:45", "15:22:45.123"],
        kindly: ["15:22", "2024-06-19T15:22:45"],
        refused: ["24:00:00", "3pm"],
    );
    case!(
        civil::DateTime, r#"a date and time without an offset, such as "2024-06-19T15:22:45""#,
        taken: ["2024-06-19T15:22:45"],
        kindly: ["2024-06-19", "2024-06-19 15:22:45"],
        refused: ["2024-06-19T15:22:45Z", "15:22:45"],
    );
    case!(
        Span, r#"an ISO 8601 duration, such as "P1DT2H30M""#,
        taken: ["P1DT2H30M", "P1Y2M3D", "P2W", "PT5S"],
        kindly: ["2h 30m", "-P1D", "PT1.5S"],
        refused: ["", "soon", "2:30"],
    );
    case!(
        SignedDuration,
        r#"an ISO 8601 duration in hours, minutes and seconds, such as "PT2H30M""#,
        taken: ["PT2H30M", "-PT5.25S", "PT36H", "PT1M", "PT2H5S"],
        kindly: ["2h 30m"],
        refused: ["P1D", "PT", "soon", "P1DT1H"],
    );
}

#[test]
fn numbers_and_bytes_are_taken_as_their_types_take_them() {
    /// Say the price and the data again.
    #[tool]
    fn again(price: rust_decimal::Decimal, data: bytes::Bytes) -> String {
        format!("{price} {data:?}")
    }

    let tools = toolset![again];
    assert_eq!(
        text(&tools, "again", r#"{"price": 1.5, "data": [104, 105]}"#),
        r#"1.5 b"hi""#
    );
    assert_eq!(
        text(&tools, "again", r#"{"price": 2, "data": "hi"}"#),
        r#"2 b"hi""#
    );
    assert_eq!(
        text(&tools, "again", r#"{"price": 2, "data": [256]}"#),
        "arguments.data[0]: expected an integer from 0 to 255, got 256"
    );
    assert_eq!(
        schema(&tools),
        concat!(
            r#"{"type":"object","properties":{"#,
            r#""price":{"type":"string","pattern":"^[+-]?[0-9]{1,28}(\\.[0-9]{1,28})?$","#,
            r#""description":"a decimal number of at most 28 digits as a string, such as \"19.99\""},"#,
            r#""data":{"type":"array","items":{"type":"integer","minimum":0,"maximum":255}}},"#,
            r#""required":["price","data"],"additionalProperties":false}"#
        )
    );
}

#[test]
fn a_type_says_why_it_refuses_what_has_the_form() {
    /// Wait until then.
    #[tool]
    fn wait(until: jiff::Timestamp) -> String {
        until.to_string()
    }

    let tools = toolset![wait];
    let said = text(&tools, "wait", r#"{"until": "9999-12-31T23:59:59Z"}"#);
    assert!(
        said.contains("such as \"2024-06-19T15:22:45Z\": "),
        "{said}"
    );
    let said = text(&tools, "wait", r#"{"until": 5}"#);
    assert!(
        said.ends_with("such as \"2024-06-19T15:22:45Z\", got 5"),
        "{said}"
    );
}

#[test]
fn they_stand_anywhere() {
    /// When to do it.
    #[derive(Debug, serde::Deserialize, toolwright::ToolInput)]
    struct Plan {
        /// The day.
        day: chrono::NaiveDate,
        at: Option<chrono::NaiveTime>,
        ids: BTreeSet<uuid::Uuid>,
    }

    /// Make a plan for a day.
    #[tool]
    fn plan(plan: Plan) -> String {
        fn same<T: Debug>(value: &T) -> String {
            format!("{value:?}")
        }
        same(&(plan.day, plan.at, plan.ids.len()))
    }

    let tools = toolset![plan];
    assert_eq!(
        text(&tools, "plan", r#"{"plan":{"day":"2024-06-19","ids":[]}}"#),
        "(2024-06-19, None, 0)"
    );
    let said = text(
        &tools,
        "plan",
        r#"{"plan":{"day":"2024-06-19","ids":["x"]}}"#,
    );
    let start = r#"arguments.plan.ids[0]: expected a UUID, such as "67e55044-10b1-426f-9247-bb680e5fe0c8": "#;
    assert!(said.starts_with(start), "{said}");
    assert!(said.ends_with(r#", got "x""#), "{said}");
    assert_eq!(
        text(&tools, "plan", r#"{"plan":{"ids":[]}}"#),
        r#"arguments.plan.day: missing, expected a date, such as "2024-06-19""#
    );
    assert!(
        schema(&tools)
            .contains(r#""day":{"type":"string","format":"date","description":"The day."}"#)
    );
    assert!(schema(&tools).contains(r#""at":{"type":["string","null"],"pattern":"^([01]"#));
    assert!(schema(&tools).contains(r#""description":"a time without an offset"#));
}

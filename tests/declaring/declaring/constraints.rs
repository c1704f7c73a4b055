//! Constraints: in the schema, and kept when a call arrives.

mod agreement;
mod known;
mod other_forms;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools, toolset};

use super::{schema, text};

const MOST: u8 = 20;

/// A mark that a school gives.
#[derive(Deserialize, ToolInput)]
struct Mark(#[tool(range(1..=6))] u8);

type Words = Option<Vec<String>>;

/// Search the documentation, best first.
#[tool]
fn search(
    /// What to look for.
    #[tool(length(1..=10), example = "borrow", example = "move")]
    query: String,
    #[tool(range(1..=MOST), default = 5)] limit: u8,
    #[tool(range(0.0..1.0))] weight: Option<f64>,
    #[tool(length(..3))] tags: Words,
    #[tool(pattern(r"^\d+-[a-z]+$"))] code: Option<String>,
    #[tool(format = "date")] day: Option<String>,
    marks: Option<Vec<Mark>>,
    #[tool(range(2..=3))] best: Option<Mark>,
    #[tool(length(2))] pair: Option<BTreeSet<i64>>,
    #[tool(length(1..), example = "x")] label: Option<Box<str>>,
) -> String {
    let _ = (weight, tags, code, day, pair, label);
    let marks = marks.into_iter().flatten().chain(best);
    let sum: u8 = marks.map(|mark| mark.0).sum();
    format!("{query} {limit} {sum}")
}

#[test]
fn the_schema_tells_them() {
    let schema: Value = serde_json::from_str(schema(&toolset![search])).expect("it is JSON");
    let expected = json!({
        "query": {
            "type": "string", "minLength": 1, "maxLength": 10,
            "description": "What to look for.", "examples": ["borrow", "move"],
        },
        "limit": {"type": "integer", "minimum": 1, "maximum": 20},
        "weight": {"type": ["number", "null"], "minimum": 0, "exclusiveMaximum": 1},
        "tags": {
            "anyOf": [
                {"type": "array", "items": {"type": "string"}, "maxItems": 2},
                {"type": "null"},
            ],
        },
        "code": {"type": ["string", "null"], "pattern": "^\\d+-[a-z]+$"},
        "day": {"type": ["string", "null"], "format": "date"},
        "marks": {
            "anyOf": [
                {"type": "array", "items": {
                    "type": "integer", "minimum": 1, "maximum": 6,
                    "description": "A mark that a school gives.",
                }},
                {"type": "null"},
            ],
        },
        "best": {
            "anyOf": [
                {
                    "type": "integer", "minimum": 2, "maximum": 3,
                    "description": "A mark that a school gives.",
                },
                {"type": "null"},
            ],
        },
        "pair": {
            "anyOf": [
                {
                    "type": "array", "items": {"type": "integer"}, "uniqueItems": true,
                    "minItems": 2, "maxItems": 2,
                },
                {"type": "null"},
            ],
        },
        "label": {"type": ["string", "null"], "minLength": 1, "examples": ["x"]},
    });
    assert_eq!(schema["properties"], expected);
    assert_eq!(schema["required"], json!(["query"]));
}

#[test]
fn a_call_keeps_them() {
    let tools = toolset![search];
    let check = |arguments: &str, expected: &str| {
        assert_eq!(text(&tools, "search", arguments), expected, "{arguments}");
    };
    check(r#"{"query": "a"}"#, "a 5 0");
    check(
        r#"{"query": "ééééé\n\ud83d\ude00ééé", "limit": 20.0}"#,
        "ééééé\n😀ééé 20 0",
    );
    check(
        r#"{"query": "a", "weight": null, "tags": null, "code": "1-a", "day": "2024-02-29", "marks": [1, 6], "best": 3, "pair": [1, 2, 1]}"#,
        "a 5 10",
    );
    for (arguments, expected) in [
        (
            r#"{"query": ""}"#,
            r#".query: expected a string of 1 to 10 characters, got """#,
        ),
        (
            r#"{"query": "abcdefghij\u0000"}"#,
            r#".query: expected a string of 1 to 10 characters, got "abcdefghij\u0000""#,
        ),
        (
            r#"{"query": 1}"#,
            ".query: expected a string of 1 to 10 characters, got 1",
        ),
        (
            r#"{"query": "a", "limit": 0}"#,
            ".limit: expected an integer from 1 to 20, got 0",
        ),
        (
            r#"{"query": "a", "limit": 300}"#,
            ".limit: expected an integer from 1 to 20, got 300",
        ),
        (
            r#"{"query": "a", "limit": "b"}"#,
            r#".limit: expected an integer from 1 to 20, got "b""#,
        ),
        (
            r#"{"query": "a", "weight": 1}"#,
            ".weight: expected a number from 0 to less than 1, got 1",
        ),
        (
            r#"{"query": "a", "tags": ["a", "b", "c"]}"#,
            r#".tags: expected a list of at most 2 items, got ["a", "b", "c"]"#,
        ),
        (
            r#"{"query": "a", "code": "a"}"#,
            r#".code: expected a string that matches the pattern `^\d+-[a-z]+$`, got "a""#,
        ),
        (
            r#"{"query": "a", "day": "2026-02-29"}"#,
            r#".day: expected a string of the format `date`, got "2026-02-29""#,
        ),
        (
            r#"{"query": "a", "marks": [6, 7]}"#,
            ".marks[1]: expected an integer from 1 to 6, got 7",
        ),
        (
            r#"{"query": "a", "best": 4}"#,
            ".best: expected an integer from 2 to 3, got 4",
        ),
        (
            r#"{"query": "a", "pair": [1, 1]}"#,
            ".pair: expected a list of 2 different items, got [1, 1]",
        ),
        (
            r#"{"query": "", "limit": 21}"#,
            r#".query: expected a string of 1 to 10 characters, got ""; arguments.limit: expected an integer from 1 to 20, got 21"#,
        ),
    ] {
        check(arguments, &format!("arguments{expected}"));
    }
}

/// Book a table, for a day and a number of people.
#[derive(Deserialize, Tool)]
#[serde(rename_all = "camelCase")]
struct BookTable {
    #[serde(default = "two", alias = "people")]
    #[tool(range(1..=8), example = 2)]
    party_size: u8,
    #[serde(flatten)]
    guest: Guest,
    seat: Option<Seat>,
    at: At,
    notes: Notes<u8>,
}

fn two() -> u8 {
    2
}

#[derive(Deserialize, ToolInput)]
struct Guest {
    #[tool(length(1..=5))]
    name: String,
    #[tool(length(..=1))]
    wishes: BTreeMap<String, bool>,
}

#[derive(Deserialize, ToolInput)]
enum Seat {
    Window,
    Row {
        #[tool(range(-2..=2))]
        number: i32,
    },
    Marked(Mark),
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum At {
    Hour {
        #[tool(range(18..23))]
        hour: u8,
    },
    Guest(Guest),
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "t", content = "c")]
enum Notes<T> {
    None,
    Some {
        #[tool(length(1))]
        text: String,
        more: T,
    },
}

impl Execute for BookTable {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        std::future::ready(()).await;
        let _ = self.guest.wishes;
        let seat = self.seat.map_or(0, |seat| match seat {
            Seat::Window => 1,
            Seat::Row { number } => number,
            Seat::Marked(mark) => mark.0.into(),
        });
        let hour = match self.at {
            At::Hour { hour } => hour.into(),
            At::Guest(guest) => guest.name.len() + guest.wishes.len(),
        };
        let note = match self.notes {
            Notes::None => 0,
            Notes::Some { text, more } => text.len() + usize::from(more),
        };
        Ok(format!(
            "{} {} {seat} {hour} {note}",
            self.guest.name, self.party_size
        ))
    }
}

#[test]
fn they_are_found_in_nested_types() {
    let tools = toolset![BookTable];
    let rest = r#""name": "Ada", "wishes": {}, "at": {"kind": "Hour", "hour": 20}, "notes": {"t": "None"}"#;
    let check = |other: &str, expected: &str| {
        let arguments = format!("{{{other}}}");
        assert_eq!(text(&tools, "book_table", &arguments), expected, "{other}");
    };
    check(rest, "Ada 2 0 20 0");
    for (more, expected) in [
        (
            r#""people": 9"#,
            ".people: expected an integer from 1 to 8, got 9",
        ),
        (
            r#""seat": {"Row": {"number": -3}}"#,
            ".seat.Row.number: expected an integer from -2 to 2, got -3",
        ),
        (
            r#""seat": {"Marked": 7}"#,
            ".seat.Marked: expected an integer from 1 to 6, got 7",
        ),
    ] {
        check(&format!("{rest}, {more}"), &format!("arguments{expected}"));
    }
    for (old, new, expected) in [
        (
            "Ada",
            "Augusta",
            r#".name: expected a string of 1 to 5 characters, got "Augusta""#,
        ),
        (
            "{}",
            r#"{"a": true, "b": true}"#,
            r#".wishes: expected an object of at most 1 key, got {"a": true, "b": true}"#,
        ),
        (
            "20",
            "23",
            ".at.hour: expected an integer from 18 to 22, got 23",
        ),
        (
            r#"{"kind": "Hour", "hour": 20}"#,
            r#"{"name": "", "wishes": {}, "kind": "Guest"}"#,
            r#".at.name: expected a string of 1 to 5 characters, got """#,
        ),
        (
            r#"{"t": "None"}"#,
            r#"{"c": {"text": "ab", "more": 1}, "t": "Some"}"#,
            r#".notes.c.text: expected a string of 1 character, got "ab""#,
        ),
    ] {
        check(&rest.replacen(old, new, 1), &format!("arguments{expected}"));
    }
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by what they cost.
    #[tool]
    fn find_products(
        #[tool(range(0.5..), example = 10)] price: f32,
        #[tool(example = ["new", "used"])] states: Vec<String>,
    ) -> String {
        format!("{price} {}", states.len())
    }
}

#[test]
fn a_method_has_them() {
    let tools = Shop.into_tools();
    assert_eq!(
        text(&tools, "find_products", r#"{"price": 0.5, "states": []}"#),
        "0.5 0"
    );
    assert_eq!(
        text(&tools, "find_products", r#"{"price": 0.25, "states": []}"#),
        "arguments.price: expected a number of at least 0.5, got 0.25"
    );
    assert_eq!(
        schema(&tools),
        r#"{"type":"object","properties":{"price":{"type":"number","minimum":0.5,"examples":[10]},"states":{"type":"array","items":{"type":"string"},"examples":[["new","used"]]}},"required":["price","states"],"additionalProperties":false}"#
    );
}

//! What only a test of the program finds: `testing::check`. And what the compiler must not refuse.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use toolwright::{ToolInput, Toolset, testing, tool, tools, toolset};

use super::text;

/// A code of three letters.
#[derive(Debug, Clone, Deserialize, Serialize, ToolInput)]
struct Code(#[tool(pattern("^[a-z]{3}$"))] String);

#[derive(Debug, Clone, Default, Deserialize, Serialize, ToolInput)]
struct Limit(#[tool(range(1..=20))] u8);

/// Not to be written.
#[derive(Debug, Clone, Default, Deserialize, ToolInput)]
#[allow(dead_code)]
struct Silent(#[tool(range(1..=20))] u8);

#[derive(Debug, Deserialize, ToolInput)]
#[allow(dead_code)]
struct Search {
    #[serde(default = "hundred")]
    #[tool(range(1..=20))]
    limit: u8,
    #[serde(default)]
    #[tool(length(1..))]
    words: Vec<String>,
    nested: Option<Vec<Whole>>,
}

#[derive(Debug, Deserialize, ToolInput)]
#[serde(default)]
#[allow(dead_code)]
struct Whole {
    #[tool(format = "email")]
    mail: String,
    #[tool(range(1..))]
    count: u8,
}

impl Default for Whole {
    fn default() -> Self {
        Self {
            mail: "nobody".to_owned(),
            count: 1,
        }
    }
}

fn hundred() -> u8 {
    100
}

fn soon() -> String {
    "soon".to_owned()
}

const CODE: &str = "abcd";

/// Search for something that is not there.
#[tool]
fn search(
    query: Option<Search>,
    #[tool(default = soon(), format = "date")] day: String,
    #[tool(default, range(1..=20))] limit: u8,
    #[tool(default)] most: Limit,
    #[tool(default = Limit(21))] least: Limit,
    #[tool(default)] silent: Silent,
    #[tool(pattern("^[a-z]{3}$"), example = CODE)] code: Option<String>,
    #[tool(example = ["abc", "ab"])] codes: Option<Vec<Code>>,
    #[tool(example = "25:00:00")] at: Option<chrono::NaiveTime>,
) {
    let _ = (query, day, limit, most, least, silent, code, codes, at);
}

#[test]
fn every_example_and_default_that_no_call_may_send_is_told_at_once() {
    let error = testing::check(&toolset![search]).unwrap_err();
    let places: Vec<_> = error
        .violations()
        .iter()
        .map(|violation| {
            assert_eq!(violation.tool, "search");
            let place = violation.message.split(": ").next().expect("a place");
            place.trim_start_matches("arguments.").to_owned()
        })
        .collect();
    assert_eq!(
        places,
        [
            "query.limit",
            "query.words",
            "query.nested[0].mail",
            "day",
            "limit",
            "most",
            "least",
            "code",
            "codes[1]",
            "at",
        ],
        "{error}"
    );
    let shown = error.to_string();
    for part in [
        "`search`: arguments.query.limit: ",
        "in the default 100",
        "in the example \"abcd\"",
    ] {
        assert!(shown.contains(part), "{shown}");
    }
}

struct Desk;

#[tools]
impl Desk {
    const MOST: u8 = 5;

    /// Take a number that is too large.
    #[tool]
    fn take(#[tool(default = Self::MOST + 1, range(1..=5))] number: u8) -> u8 {
        number
    }
}

#[test]
fn the_defaults_of_methods_are_seen() {
    let error = testing::check(&Desk.into_tools()).unwrap_err();
    assert_eq!(error.violations().len(), 1, "{error}");
    assert!(error.to_string().contains("in the default 6"), "{error}");
    assert_eq!(text(&Desk.into_tools(), "take", "{}"), "6");
}

/// Take what is right.
#[tool]
fn right(
    #[tool(default = Limit(20))] limit: Limit,
    #[tool(default = vec!["a".to_owned()], length(1..))] words: Vec<String>,
    #[tool(default = BTreeMap::from([("a".to_owned(), 1)]), length(1))] map: BTreeMap<String, u8>,
    #[tool(default)] nothing: Option<Code>,
    #[tool(default = f64::NAN)] no_number: f64,
    #[tool(default = Some("x"))] text: Option<&str>,
    #[tool(pattern("^[a-z]{3}$"), example = "abc")] code: Option<String>,
) {
    let _ = (limit, words, map, nothing, no_number, text, code);
}

#[test]
fn nothing_is_wrong_with_what_is_right() {
    assert_eq!(testing::check(&toolset![right]), Ok(()));
    assert_eq!(testing::check(&Toolset::default()), Ok(()));
}

#[derive(Debug, Deserialize, ToolInput)]
#[allow(dead_code)]
struct Named {
    name: String,
    #[serde(default)]
    note: String,
}

#[derive(Debug, Deserialize, ToolInput)]
#[allow(dead_code)]
struct NamedAndAged {
    name: String,
    age: u8,
}

/// Each can be chosen: the narrower ones stand first.
#[derive(Debug, Deserialize, ToolInput)]
#[serde(untagged)]
#[allow(dead_code)]
enum Narrow {
    Nothing,
    Unit(Word),
    Day(chrono::NaiveDate),
    Small(u8),
    Large(i64),
    Float(f64),
    Text(String),
    Aged(NamedAndAged),
    Named(Named),
    Other { id: u32, name: Option<u8> },
    Closed(Closed),
    Bytes(Vec<u8>),
    Maybe(Vec<Option<u8>>),
    Texts(Vec<String>),
    Pair(u8, String),
    Map(BTreeMap<String, i8>),
    Anything(serde_json::Value),
}

#[derive(Debug, Deserialize, ToolInput)]
enum Word {
    Yes,
    No,
}

#[derive(Debug, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Closed {
    key: String,
}

/// An earlier one that is close to a later one, but takes less.
#[derive(Debug, Deserialize, ToolInput)]
#[serde(untagged, deny_unknown_fields)]
#[allow(dead_code)]
enum Close {
    Key { key: String },
    KeyAndMore { key: String, more: u8 },
    Words { words: Vec<Word> },
    MoreWords { words: Vec<Word>, next: Option<u8> },
    NotZero(std::num::NonZeroI8),
    Zero(i8),
    Decimal(rust_decimal::Decimal),
    Tagged(Tagged),
    Texts(BTreeMap<String, String>),
    Object(Loose),
}

#[derive(Debug, Deserialize, ToolInput)]
enum Tagged {
    Stop,
    #[allow(dead_code)]
    Go {
        to: u8,
    },
}

#[derive(Debug, Deserialize, ToolInput)]
#[allow(dead_code)]
struct Loose {
    key: String,
    number: u8,
}

/// Show which variant it is.
#[tool]
fn choose(value: Narrow, close: Option<Close>) -> String {
    format!("{value:?} {close:?}")
}

#[test]
fn variants_that_can_be_chosen_are() {
    let tools = toolset![choose];
    for (value, variant) in [
        ("null", "Nothing"),
        (r#""Yes""#, "Unit"),
        (r#""2026-02-28""#, "Day"),
        ("7", "Small"),
        ("-7", "Large"),
        ("0.5", "Float"),
        (r#""x""#, "Text"),
        (r#"{"name":"a","age":1}"#, "Aged"),
        (r#"{"name":"a"}"#, "Named"),
        (r#"{"id":1}"#, "Other"),
        ("[1,2,3]", "Bytes"),
        ("[1,null,2]", "Maybe"),
        (r#"["a","b","c"]"#, "Texts"),
        (r#"[1,"a"]"#, "Pair"),
        (r#"{"key":"k"}"#, "Closed"),
        (r#"{"x":1}"#, "Map"),
        ("[[]]", "Anything"),
    ] {
        let shown = text(&tools, "choose", &format!(r#"{{"value":{value}}}"#));
        assert!(shown.starts_with(variant), "{value}: {shown}");
    }
}

struct Mixed;

#[tools]
impl Mixed {
    /// Answer a question.
    #[tool]
    #[expect(clippy::unused_self, reason = "a tool of a block takes `self`")]
    fn ours(&self) -> u8 {
        1
    }

    /// Not a tool: on a condition that does not hold, and of another crate.
    #[cfg_attr(any(), rmcp::tool)]
    fn theirs(&self) -> u8 {
        self.ours() + 1
    }
}

#[test]
fn a_mark_of_another_crate_is_not_ours() {
    assert_eq!(Mixed.theirs(), 2);
    assert_eq!(Mixed.into_tools().names().collect::<Vec<_>>(), ["ours"]);
}

/// Описание инструмента.
#[tool]
fn described_in_another_script(
    /// 都市の名前。
    city: String,
) -> String {
    city
}

#[test]
fn a_description_may_be_of_any_script() {
    let tools = toolset![described_in_another_script];
    assert_eq!(
        text(&tools, "described_in_another_script", r#"{"city":"x"}"#),
        "x"
    );
}

//! What a model is told of wrong arguments when there is much to tell, and of JSON that not every decoder
//! reads.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;
use toolwright::{ToolCall, ToolContext, ToolError, Toolset, tool, toolset};

use super::{run, text};

macro_rules! countries {
    ($($name:ident)*) => {
        #[derive(Debug, serde::Deserialize, toolwright::ToolInput)]
        enum Country { $($name),* }
    };
}

countries! {
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
    MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE
}

/// Send a parcel to a country.
#[tool]
fn send(
    /// Where to.
    country: Country,
    /// How heavy.
    #[tool(range(1..=20))]
    kilos: u8,
    /// What is in it.
    #[tool(length(1..=3), default)]
    things: Vec<String>,
    /// What else.
    #[tool(default)]
    notes: Vec<String>,
) -> String {
    format!("{country:?} {kilos} {things:?} {notes:?}")
}

#[test]
fn of_many_values_the_nearest_are_told_and_what_came_first() {
    let message = text(
        &toolset![send],
        "send",
        r#"{"country":"no","kilos":"many"}"#,
    );
    let (first, second) = message.split_once("; ").expect("there are two");
    assert!(
        first.starts_with(r#"arguments.country: got "no", expected one of "NO", "#),
        "{first}"
    );
    assert!(first.ends_with(" and 44 more"), "{first}");
    assert_eq!(
        second,
        r#"arguments.kilos: expected an integer from 1 to 20, got "many""#
    );
    let missing = text(&toolset![send], "send", r#"{"kilos":1}"#);
    assert!(
        missing.starts_with(r#"arguments.country: missing, expected one of "AD", "AE", "#)
            && missing.ends_with(" and 44 more"),
        "{missing}"
    );
}

#[test]
fn broken_constraints_are_told_with_the_other_mistakes() {
    let arguments = r#"{"country":7,"kilos":21,"things":[],"notes":[]}"#;
    let message = text(&toolset![send], "send", arguments);
    let rest = "; arguments.kilos: expected an integer from 1 to 20, got 21; \
                arguments.things: expected a list of 1 to 3 items, got []";
    assert!(message.ends_with(rest), "{message}");
}

/// Take numbers of which each has a limit.
#[tool]
fn limited(
    #[tool(range(..=1))] one: u8,
    #[tool(range(..=1))] two: u8,
    #[tool(range(..=1))] three: u8,
    #[tool(range(..=1))] four: u8,
    #[tool(range(..=1))] five: u8,
) -> u8 {
    one + two + three + four + five
}

#[test]
fn that_there_are_more_mistakes_is_told() {
    let tools = toolset![limited];
    let told = |arguments: &str| {
        let message = text(&tools, "limited", arguments);
        (
            message.matches("expected").count(),
            message.ends_with("; and more"),
        )
    };
    assert_eq!(
        told(r#"{"one":2,"two":2,"three":2,"four":2,"five":2}"#),
        (4, true)
    );
    assert_eq!(
        told(r#"{"one":2,"two":2,"three":2,"four":2,"five":1}"#),
        (4, false)
    );
    assert_eq!(
        told(r#"{"one":"","two":"","three":2,"four":"","five":2}"#),
        (4, true)
    );
    assert_eq!(told(r#"{"one":1,"two":1,"three":2}"#), (3, false));
    assert_eq!(told("{}"), (4, true));
}

#[derive(serde::Deserialize, toolwright::ToolInput)]
struct Open {
    name: String,
    #[serde(flatten)]
    rest: BTreeMap<String, u8>,
}

/// Take values whose keys no type knows.
#[tool]
fn store(
    #[tool(default)] map: BTreeMap<String, u8>,
    #[tool(default)] value: Value,
    #[tool(default)] list: Vec<HashMap<String, Value>>,
    #[tool(default)] open: Option<Open>,
) -> String {
    let open = open.map(|open| (open.name, open.rest));
    format!("{map:?} {value} {} {open:?}", list.len())
}

/// Take a map and nothing else.
#[derive(toolwright::Tool, serde::Deserialize)]
struct Keep {
    /// What.
    map: BTreeMap<String, Vec<Option<u8>>>,
}

impl toolwright::Execute for Keep {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(format!("{:?}", self.map))
    }
}

#[test]
fn keys_that_no_type_knows_come_once() {
    let tools = toolset![store, Keep];
    for (name, arguments, place) in [
        ("store", r#"{"map":{"a":1,"a":2}}"#, "map.a"),
        ("store", r#"{"map":{"a":1,"\u0061":2}}"#, "map.a"),
        (
            "store",
            r#"{"value":[{"b":{"a":1,"a":1}}]}"#,
            "value[0].b.a",
        ),
        ("store", r#"{"list":[{},{"a":1,"a":2}]}"#, "list[1].a"),
        ("store", r#"{"open":{"name":"x","a":1,"a":2}}"#, "open.a"),
        ("keep", r#"{"map":{"a":[1.0],"a":[]}}"#, "map.a"),
    ] {
        assert_eq!(
            text(&tools, name, arguments),
            format!("arguments.{place}: given twice, expected once"),
            "{arguments}"
        );
    }
    let once = r#"{"map":{"a":1,"b":1},"value":[{"a":1},{"a":1}],"open":{"name":"x","a":1}}"#;
    assert!(run(&tools, "store", once).is_ok());
}

#[test]
fn broken_parts_are_told_with_their_place_and_no_offset() {
    let tools = toolset![store];
    for (arguments, expected) in [
        (
            r#"{"map":{"a":1,"\ud800":1}}"#,
            r"arguments.map: a `\u` escape that is not a whole character",
        ),
        // Of an object with such a key nothing else is told, whatever stands before it, and of the others all.
        (
            r#"{"map":{"a":"x","\ud800":1,"b":{}},"list":1}"#,
            "arguments.map: a `\\u` escape that is not a whole character; arguments.list: expected a list, got 1",
        ),
        (
            r#"{"map":1,"\ud800":1,"list":1,"nope":1}"#,
            r"arguments: a `\u` escape that is not a whole character",
        ),
        (
            r#"{"value":{"a":["\ud800"]}}"#,
            r"arguments.value.a[0]: a `\u` escape that is not a whole character",
        ),
        (
            r#"{"value":{"a":[1e999]}}"#,
            "arguments.value.a[0]: expected a number that a 64-bit float can hold",
        ),
        (
            "{\"value\":\"\u{1}\"}",
            r"the arguments are not valid JSON: arguments.value: a control character, write a line end as `\n` and others like `\u0001`",
        ),
    ] {
        assert_eq!(text(&tools, "store", arguments), expected, "{arguments}");
    }
    let call = ToolCall::new("", "store", r#"{"a":["\ud800"]}"#);
    let error = call.decode::<Value>().unwrap_err();
    assert!(!error.message.contains("column"), "{error}");
    assert!(!error.details.contains_key("call"), "{error:?}");
}

#[test]
fn text_that_is_too_deep_is_told_so_in_the_same_words() {
    let tools: Toolset = toolset![store];
    let limit = "arrays and objects are nested more than 127 deep";
    for deep in ["[".repeat(127) + &"]".repeat(127), "[".repeat(127)] {
        let arguments = format!("{{\"value\":{deep}");
        for arguments in [format!("{arguments}}}"), arguments] {
            let message = text(&tools, "store", &arguments);
            assert!(message.ends_with(limit), "{message}");
        }
    }
    let deepest = format!("{{\"value\":{}{}}}", "[".repeat(126), "]".repeat(126));
    assert!(run(&tools, "store", &deepest).is_ok());
}

//! Decoding good arguments.

mod bad;
mod enums;
mod told;

use std::collections::{BTreeMap, HashMap};

use toolwright::{ToolInput, Toolset, tool, toolset};

use super::{run, text};

#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

#[derive(Debug, serde::Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Range {
    start: i64,
    #[serde(default)]
    end: Option<u8>,
}

/// Show everything that came in.
#[tool]
async fn show(
    city: String,
    unit: Option<Unit>,
    range: Option<Range>,
    list: Option<Vec<u8>>,
    map: Option<BTreeMap<String, f64>>,
) -> String {
    format!("{city} {unit:?} {range:?} {list:?} {map:?}")
}

/// Show what is put in for what is left out.
#[tool]
fn defaults(
    #[tool(default)] unit: Unit,
    #[tool(default = 1 + 1)] number: u8,
    #[tool(default = vec!["a".to_owned()])] list: Vec<String>,
    #[tool(default = Some(3))] optional: Option<u8>,
    #[tool(default = HashMap::<String, u8>::from([("a".to_owned(), 1)]))] map: HashMap<String, u8>,
) -> String {
    format!("{unit:?} {number} {list:?} {optional:?} {}", map["a"])
}

/// Take nothing at all from anybody.
#[tool]
fn nothing() -> &'static str {
    "nothing"
}

/// Take a number of each kind.
#[tool]
fn numbers(
    small: Option<u8>,
    signed: Option<i32>,
    large: Option<u64>,
    float: Option<f64>,
    single: Option<f32>,
    letter: Option<char>,
    flag: Option<bool>,
    boxed: Option<Box<i64>>,
) -> String {
    format!("{small:?} {signed:?} {large:?} {float:?} {single:?} {letter:?} {flag:?} {boxed:?}")
}

fn tools() -> Toolset {
    toolset![show, defaults, nothing, numbers]
}

fn check(name: &str, arguments: &str, expected: &str) {
    assert_eq!(text(&tools(), name, arguments), expected, "{arguments}");
}

#[test]
fn good_arguments_arrive_typed() {
    check(
        "show",
        r#"{"map":{"a":1},"list":[1,2],"range":{"start":-1},"unit":"fahrenheit","city":"Oslo"}"#,
        r#"Oslo Some(Fahrenheit) Some(Range { start: -1, end: None }) Some([1, 2]) Some({"a": 1.0})"#,
    );
    check(
        "show",
        r#" {"city":"a\n\u00e9"} "#,
        "a\né None None None None",
    );
    check(
        "show",
        r#"{"city":"","unit":null,"list":null}"#,
        " None None None None",
    );
}

#[test]
fn what_is_left_out_is_none_or_its_default() {
    check("defaults", "{}", r#"Celsius 2 ["a"] Some(3) 1"#);
    check(
        "defaults",
        r#"{"unit":"fahrenheit","number":9,"list":[],"optional":null}"#,
        "Fahrenheit 9 [] None 1",
    );
}

#[test]
fn no_arguments_may_be_written_in_several_ways() {
    for arguments in ["", "  \n", "null", " null ", "{}", "{ }"] {
        check("nothing", arguments, "nothing");
        check("defaults", arguments, r#"Celsius 2 ["a"] Some(3) 1"#);
    }
}

#[test]
fn a_whole_float_is_an_integer() {
    let expected = "Some(1) Some(-2) Some(300) Some(1.0) None None None Some(4)";
    check(
        "numbers",
        r#"{"small":1.0,"signed":-2.0,"large":3e2,"float":1,"boxed":4.0}"#,
        expected,
    );
}

/// Take as many arguments as there may be.
#[tool]
#[allow(clippy::too_many_arguments, clippy::many_single_char_names)]
fn sixteen(
    a: u8,
    b: u8,
    c: u8,
    d: u8,
    e: u8,
    f: u8,
    g: u8,
    h: u8,
    i: u8,
    j: u8,
    k: u8,
    l: u8,
    m: u8,
    n: u8,
    o: u8,
    p: u8,
) -> u8 {
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
        .iter()
        .sum()
}

#[test]
fn there_may_be_sixteen() {
    let pairs: HashMap<_, _> = ('a'..='p').map(|name| (name, 2)).collect();
    let arguments = serde_json::to_string(&pairs).unwrap();
    assert_eq!(text(&toolset![sixteen], "sixteen", &arguments), "32");
    let missing = ["a", "b", "c", "d"]
        .map(|name| format!("arguments.{name}: missing, expected an integer from 0 to 255"));
    assert_eq!(
        text(&toolset![sixteen], "sixteen", "{}"),
        format!("{}; and more", missing.join("; "))
    );
}

type Sixteen<T> = (T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T);

#[derive(serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Row(
    u8,
    u8,
    u8,
    u8,
    u8,
    u8,
    u8,
    u8,
    u8,
    u8,
    u8,
    u8,
    u8,
    u8,
    u8,
    String,
);

/// Add up sixteen numbers.
#[tool]
fn add_up(numbers: Sixteen<u8>, row: Option<Row>) -> u32 {
    let (a, .., p) = numbers;
    let row = row.map_or(0, |row| {
        row.0 + row.14 + u8::try_from(row.15.len()).unwrap_or_default()
    });
    u32::from(a) + u32::from(p) + u32::from(row)
}

/// Give back thirteen numbers.
#[tool]
#[allow(clippy::type_complexity)]
fn thirteen(numbers: (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, i8)) -> i8 {
    numbers.12
}

#[test]
fn tuples_have_up_to_sixteen_values() {
    let tools = toolset![add_up];
    let sixteen = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16";
    let arguments = format!(r#"{{"numbers":[{sixteen}]}}"#);
    assert_eq!(text(&tools, "add_up", &arguments), "17");
    let row = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\"ab\"";
    let arguments = format!(r#"{{"numbers":[{sixteen}],"row":[{row}]}}"#);
    assert_eq!(text(&tools, "add_up", &arguments), "35");
    let short = r#"{"numbers":[1,2]}"#;
    assert!(text(&tools, "add_up", short).contains("16"));
    let schema = super::schema(&tools);
    assert!(schema.contains(r#""minItems":16,"maxItems":16"#) || schema.contains("prefixItems"));
    let tools = toolset![thirteen];
    let arguments = r#"{"numbers":[1,2,3,4,5,6,7,8,9,10,11,12,-13]}"#;
    assert_eq!(text(&tools, "thirteen", arguments), "-13");
}

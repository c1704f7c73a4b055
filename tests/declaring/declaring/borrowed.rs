//! Arguments that a function borrows.

mod inside;

use std::{borrow::Cow, collections::BTreeMap, path::Path};

use toolwright::{ToolContext, ToolInput, Toolset, tool, tools, toolset};

use super::text;

#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Unit {
    #[default]
    Celsius,
    Fahrenheit,
}

#[derive(Debug, serde::Deserialize, ToolInput)]
#[allow(dead_code)]
struct Stop {
    city: String,
    nights: u8,
}

type Text<'a> = &'a str;
type Maybe<T> = Option<T>;

/// Show texts that are borrowed.
#[tool]
async fn texts(
    city: &str,
    alias: Text<'_>,
    cow: Cow<'_, str>,
    path: &Path,
    #[tool(default)] empty: &str,
    #[tool(default = "Oslo")] other: &str,
    #[tool(default = "x".into())] owned: Cow<'_, str>,
    whole: Option<i64>,
) -> String {
    let path = path.display();
    format!("{city} {alias} {cow} {path} {empty:?} {other} {owned} {whole:?}")
}

/// Show values that are borrowed.
#[tool]
#[allow(
    clippy::borrowed_box,
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref
)]
fn values(
    unit: &Unit,
    stops: &[Stop],
    string: &String,
    list: &Vec<u8>,
    boxed: &Box<f64>,
    optional: &Option<u8>,
    map: &BTreeMap<String, u8>,
    array: &[u8; 2],
    #[tool(default)] none: &[u8],
    #[tool(default = &Unit::Fahrenheit)] other: &Unit,
    #[tool(default = &[1, 2])] some: &[u8],
) -> String {
    format!(
        "{unit:?} {stops:?} {string} {list:?} {boxed:?} {optional:?} {map:?} {array:?} {none:?} \
         {other:?} {some:?}"
    )
}

/// Show what may be left out.
#[tool]
async fn optional(
    text: Option<&str>,
    alias: Maybe<Text<'_>>,
    cow: Option<Cow<'_, str>>,
    path: Option<&Path>,
    unit: Option<&Unit>,
    list: Option<&[Unit]>,
    #[tool(default = Some("x"))] other: Option<&str>,
) -> String {
    format!("{text:?} {alias:?} {cow:?} {path:?} {unit:?} {list:?} {other:?}")
}

/// Return the longer text of two.
#[tool]
async fn longer<'a, 'b: 'a>(first: &'a str, second: &'b str, rest: Cow<'b, str>) -> &'a str {
    assert!(!rest.is_empty());
    if first.len() < second.len() {
        second
    } else {
        first
    }
}

/// Return the text as it came in.
#[tool]
fn same(text: &str, #[context] _cx: ToolContext) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

struct Shop {
    open: &'static str,
}

#[tools]
impl Shop {
    /// Find products by name.
    #[tool]
    async fn find(&self, name: &str, tags: &[String]) -> String {
        format!("{} {name} {tags:?}", self.open)
    }

    /// Count products by name.
    #[tool]
    fn count<'a>(&'a self, name: &'a str, limit: Option<&u8>) -> String {
        format!("{} {name} {limit:?}", self.open)
    }

    /// Say the name as it is.
    #[tool]
    fn say(name: Cow<'_, str>) -> String {
        name.into_owned()
    }
}

fn tools_of_all() -> Toolset {
    toolset![texts, values, optional, longer, same]
}

fn check(name: &str, arguments: &str, expected: &str) {
    assert_eq!(
        text(&tools_of_all(), name, arguments),
        expected,
        "{arguments}"
    );
}

#[test]
fn texts_without_and_with_escapes() {
    check(
        "texts",
        r#"{"city":"Bergen","alias":"a","cow":"c","path":"/tmp","whole":7}"#,
        r#"Bergen a c /tmp "" Oslo x Some(7)"#,
    );
    check(
        "texts",
        r#"{"city":"\"Bergen\"","alias":"\u00e6","cow":"\ud83d\ude00","path":"C:\\tmp",
            "empty":"\n","other":"\t","owned":"\/"}"#,
        "\"Bergen\" æ 😀 C:\\tmp \"\\n\" \t / None",
    );
}

#[test]
fn texts_beside_what_is_written_anew() {
    check(
        "texts",
        r#"{"city":"Bergen","alias":"\"","cow":"c","path":"/tmp","whole":7.0}"#,
        r#"Bergen " c /tmp "" Oslo x Some(7)"#,
    );
}

#[test]
fn values_are_lent() {
    check(
        "values",
        r#"{"unit":"celsius","stops":[{"city":"a\"","nights":1.0}],"string":"s","list":[1],
            "boxed":2,"optional":null,"map":{"k":1},"array":[1,2]}"#,
        "Celsius [Stop { city: \"a\\\"\", nights: 1 }] s [1] 2.0 None {\"k\": 1} [1, 2] [] \
         Fahrenheit [1, 2]",
    );
    check(
        "values",
        r#"{"unit":"celsius","stops":[],"string":"s","list":[],"boxed":2,"map":{},"array":[1,2],
            "none":[3],"other":"celsius","some":[]}"#,
        "Celsius [] s [] 2.0 None {} [1, 2] [3] Celsius []",
    );
}

#[test]
fn what_is_optional_may_be_left_out() {
    let nothing = r#"None None None None None None Some("x")"#;
    check("optional", "{}", nothing);
    check(
        "optional",
        r#"{"text":null,"alias":null,"cow":null,"path":null,"unit":null,"list":null}"#,
        nothing,
    );
    check(
        "optional",
        r#"{"text":"\\","alias":"a","cow":"c","path":"p","unit":"celsius","list":["fahrenheit"],
            "other":null}"#,
        r#"Some("\\") Some("a") Some("c") Some("p") Some(Celsius) Some([Fahrenheit]) None"#,
    );
}

#[test]
fn an_output_may_borrow_from_an_argument() {
    check(
        "longer",
        r#"{"first":"ab","second":"abc","rest":"r"}"#,
        "abc",
    );
    check(
        "longer",
        r#"{"first":"a\"","second":"a","rest":"r"}"#,
        "a\"",
    );
    check("same", r#"{"text":"a"}"#, "a");
    check("same", r#"{"text":"\u0041"}"#, "A");
}

#[test]
fn methods_borrow() {
    let tools = Shop { open: "open" }.into_tools();
    let find = r#"{"name":"\"a\"","tags":["t"]}"#;
    assert_eq!(text(&tools, "find", find), r#"open "a" ["t"]"#);
    assert_eq!(text(&tools, "count", r#"{"name":"a"}"#), "open a None");
    assert_eq!(text(&tools, "say", r#"{"name":"a"}"#), "a");
}

#[test]
fn mistakes_are_told_as_of_owned_arguments() {
    check(
        "texts",
        r#"{"city":1,"alias":"a","cow":"c","path":"p"}"#,
        "arguments.city: expected a string, got 1",
    );
    check(
        "longer",
        "{}",
        "arguments.first: missing, expected a string; \
             arguments.second: missing, expected a string; \
             arguments.rest: missing, expected a string",
    );
    check(
        "values",
        r#"{"unit":"kelvin","stops":[],"string":"","list":[],"boxed":0,"map":{},"array":[0,0]}"#,
        "arguments.unit: expected one of \"celsius\", \"fahrenheit\", got \"kelvin\"",
    );
}

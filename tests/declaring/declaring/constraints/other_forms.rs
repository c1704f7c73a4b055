//! serde reads more forms of a value than the schema shows. Constraints hold in none of them less.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, toolset};

use super::super::run;

#[derive(Deserialize, ToolInput)]
struct Mark {
    #[tool(range(1..=6))]
    m: u8,
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
enum Tagless {
    A(Mark),
    B {
        #[tool(range(1..=6))]
        m: u8,
    },
    C,
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Inner {
    A {
        #[tool(range(1..=6))]
        m: u8,
    },
    B {
        #[tool(range(1..=3))]
        m: u8,
    },
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "o")]
#[allow(dead_code)]
enum Outer {
    X { inner: Inner },
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "t", content = "c")]
#[allow(dead_code)]
enum Beside {
    A(Mark),
}

/// Take a value in some form.
#[tool]
fn take(
    mark: Option<Mark>,
    tagless: Option<Tagless>,
    outer: Option<Outer>,
    beside: Option<Beside>,
) {
    let _ = (mark.map(|mark| mark.m), tagless, outer, beside);
}

#[test]
fn a_list_or_an_index_is_no_way_around_a_constraint() {
    let tools = toolset![take];
    for fits in [
        r#"{"mark":{"m":6}}"#,
        r#"{"tagless":{"A":{"m":6}}}"#,
        r#"{"tagless":"C"}"#,
        r#"{"outer":{"o":"X","inner":{"kind":"B","m":3}}}"#,
        r#"{"beside":{"t":"A","c":{"m":1}}}"#,
    ] {
        assert!(run(&tools, "take", fits).is_ok(), "{fits}");
    }
    for (refused, place) in [
        (r#"{"mark":[50]}"#, "arguments.mark: expected an object"),
        (
            r#"{"tagless":{"A":[50]}}"#,
            "arguments.tagless.A: expected an object",
        ),
        (
            r#"{"tagless":{"B":[50]}}"#,
            "arguments.tagless.B: expected an object",
        ),
        (
            r#"{"outer":{"o":"X","inner":{"kind":1,"m":5}}}"#,
            "arguments.outer.inner: expected an object",
        ),
        (
            r#"{"beside":["A",{"m":50}]}"#,
            "arguments.beside: expected an object",
        ),
    ] {
        let error = run(&tools, "take", refused).expect_err(refused);
        assert!(error.message.contains(place), "{refused}: {error:?}");
    }
}

#[derive(Deserialize, ToolInput)]
struct Code(#[tool(length(..=3))] String);

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Codes {
    LongName {
        #[serde(flatten)]
        rest: BTreeMap<String, Code>,
    },
    OtherName(HashMap<String, Code>),
}

/// Take some codes by their names.
#[tool]
fn codes(codes: Codes) -> Vec<String> {
    match codes {
        Codes::LongName { rest } => rest.into_values().map(|code| code.0).collect(),
        Codes::OtherName(all) => all.into_values().map(|code| code.0).collect(),
    }
}

#[test]
fn the_tag_is_not_among_the_values_of_a_map_beside_it() {
    let tools = toolset![codes];
    for kind in ["LongName", "OtherName"] {
        let call = |code| format!(r#"{{"codes":{{"kind":"{kind}","x":"{code}"}}}}"#);
        assert!(run(&tools, "codes", &call("abc")).is_ok(), "{kind}");
        let error = run(&tools, "codes", &call("abcd")).expect_err("it is too long");
        assert!(error.message.contains("arguments.codes.x"), "{error:?}");
    }
}

/// Rate something with stars.
#[derive(Deserialize, Tool)]
struct Rate {
    stars: u8,
    #[tool(length(2..))]
    different: BTreeSet<u8>,
}

impl Execute for Rate {
    type Output = usize;

    async fn execute(self, _: &ToolContext) -> Result<usize, ToolError> {
        Ok(usize::from(self.stars) + self.different.len())
    }
}

#[test]
fn the_arguments_of_a_struct_are_an_object() {
    let tools = toolset![Rate];
    let rate = |text: &str| run(&tools, "rate", text);
    assert!(rate(r#"{"stars":1,"different":[1,2]}"#).is_ok());
    for refused in [
        "[1,[1,2]]",
        r#"{"stars":1,"different":[1,1.0]}"#,
        r#"{"stars":1.0,"different":[1,1.0]}"#,
    ] {
        assert!(rate(refused).is_err(), "{refused}");
    }
}

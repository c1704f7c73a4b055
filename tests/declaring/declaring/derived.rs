//! Tools that are structs.

use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, toolset};

use super::{run_in, schema, text};

/// Search the documentation and return the best passages.
///
/// # Not for the model
///
/// A note for people.
#[derive(Deserialize, Tool)]
#[serde(rename_all = "camelCase")]
struct SearchDocs {
    /// What to look for.
    query: String,
    #[serde(default = "three", alias = "limit")]
    max_passages: u8,
    within: Option<Range>,
    #[serde(skip)]
    not_sent: u8,
}

fn three() -> u8 {
    3
}

#[derive(Deserialize, ToolInput)]
struct Range {
    from: u8,
}

impl Execute for SearchDocs {
    type Output = Vec<String>;

    async fn execute(self, cx: &ToolContext) -> Result<Vec<String>, ToolError> {
        let tenant = cx.require::<u8>()?;
        std::future::ready(()).await;
        let from = self.within.map_or(self.not_sent, |range| range.from);
        let ranks = (from..).take(self.max_passages.into());
        Ok(ranks
            .map(|rank| format!("{} {rank} of {tenant}", self.query))
            .collect())
    }
}

fn cx() -> ToolContext {
    ToolContext::new("call_1").with_extension(7_u8)
}

#[test]
fn a_struct_is_a_tool() {
    let tools = toolset![SearchDocs];
    let definition = tools.definitions().next().expect("there is one");
    assert_eq!(definition.name, "search_docs");
    assert_eq!(
        definition.description,
        "Search the documentation and return the best passages."
    );
    assert_eq!(
        schema(&tools),
        concat!(
            r#"{"type":"object","properties":{"query":{"type":"string","description":"#,
            r#""What to look for."},"maxPassages":{"type":"integer","minimum":0,"maximum":255},"#,
            r#""within":{"anyOf":[{"type":"object","properties":{"from":{"type":"integer","#,
            r#""minimum":0,"maximum":255}},"required":["from"]},{"type":"null"}]}},"#,
            r#""required":["query"]}"#,
        )
    );
}

#[test]
fn its_fields_are_the_arguments() {
    let tools = toolset![SearchDocs];
    for (arguments, expected) in [
        (r#"{"query":"a","maxPassages":1}"#, r#"["a 0 of 7"]"#),
        (
            r#"{"query":"a","limit":2,"within":{"from":4}}"#,
            r#"["a 4 of 7","a 5 of 7"]"#,
        ),
        (r#"{"query":"a"}"#, r#"["a 0 of 7","a 1 of 7","a 2 of 7"]"#),
    ] {
        let output = run_in(&tools, "search_docs", arguments, &cx()).expect(arguments);
        assert_eq!(output.to_text(), expected);
    }
}

#[test]
fn an_argument_that_does_not_fit_is_named() {
    let tools = toolset![SearchDocs];
    for (arguments, expected) in [
        (
            r#"{"query":"a","within":{"from":"b"}}"#,
            "arguments.within.from: expected an integer from 0 to 255, got \"b\"",
        ),
        ("", "arguments.query: missing"),
    ] {
        let error = run_in(&tools, "search_docs", arguments, &cx()).expect_err(arguments);
        assert!(error.message.starts_with(expected), "{}", error.message);
        assert_eq!(error.details["tool"], "search_docs");
    }
    assert_eq!(
        text(&tools, "search_docs", r#"{"query":"a"}"#),
        "the tool failed with an internal error"
    );
}

/// A tool of its own name, with a struct that has no fields.
#[derive(Deserialize, Tool)]
#[tool(name = "ping", description = concat!("Answer with ", "the word pong."))]
struct HTTPPing {}

impl Execute for HTTPPing {
    type Output = &'static str;

    async fn execute(self, _: &ToolContext) -> Result<&'static str, ToolError> {
        Ok("pong")
    }
}

/// Take a tool's struct as an argument.
#[tool]
fn plan(first: SearchDocs) -> String {
    first.query
}

mod inside {
    use toolwright::{Execute, Tool, ToolContext, ToolError};

    /// Read what is behind an address.
    #[derive(serde::Deserialize, Tool)]
    pub(super) struct ReadURL {
        pub(super) r#type: String,
    }

    impl Execute for ReadURL {
        type Output = String;

        async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
            Ok(self.r#type)
        }
    }
}

#[test]
fn structs_and_functions_join_in_one_set() {
    let tools = toolset![
        HTTPPing,
        plan,
        inside::ReadURL,
        #[cfg(any())]
        Absent
    ];
    assert_eq!(
        tools.names().collect::<Vec<_>>(),
        ["ping", "plan", "read_url"]
    );
    assert_eq!(text(&tools, "ping", "null"), "pong");
    assert_eq!(text(&tools, "plan", r#"{"first":{"query":"a"}}"#), "a");
    assert_eq!(text(&tools, "read_url", r#"{"type":"html"}"#), "html");
    let ping = tools.definitions().next().expect("there is one");
    assert_eq!(ping.description, "Answer with the word pong.");
}

/// Returns a fixed greeting for people.
#[derive(Deserialize, Tool)]
struct Greet {}

impl Execute for Greet {
    type Output = &'static str;

    async fn execute(self, _: &ToolContext) -> Result<&'static str, ToolError> {
        Ok("Hello.")
    }
}

impl Greet {
    fn set() -> toolwright::Toolset {
        toolset![Self]
    }
}

#[test]
fn one_tool_of_a_set_may_be_named_by_self() {
    assert!(Greet::set().names().eq(["greet"]));
}

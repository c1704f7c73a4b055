//! What a tool may return.

use std::{borrow::Cow, fmt, io};

use futures_util::stream::{self, Stream};
use toolwright::{
    ErrorCategory, ToolError, ToolOutput, tool,
    tool::{IntoToolOutput, OutputPart, Updates},
    tools, toolset,
};

use super::run;

#[derive(serde::Serialize)]
struct Weather {
    degrees: f64,
}

#[derive(Debug)]
struct ShopError;

impl From<ShopError> for ToolError {
    fn from(_: ShopError) -> Self {
        Self::not_found("the shop is closed")
    }
}

#[derive(Debug)]
struct Plain;

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the secret")
    }
}

impl std::error::Error for Plain {}

struct Table;

impl IntoToolOutput for Table {
    fn into_tool_output(self) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::text("a | b"))
    }
}

type Alias<T> = Result<T, io::Error>;

/// Return a text.
#[tool]
fn a_string() -> String {
    "say \"hi\"".to_owned()
}

/// Return a borrowed text.
#[tool]
fn a_str() -> &'static str {
    "hi"
}

/// Return a value.
#[tool]
async fn a_value() -> Weather {
    Weather { degrees: 1.5 }
}

/// Return nothing.
#[tool]
fn a_unit() {}

/// Return an output.
#[tool]
fn an_output() -> ToolOutput {
    ToolOutput::text("parts")
}

/// Return a type of my own.
#[tool]
#[allow(clippy::unnecessary_wraps)]
fn a_table() -> Result<Table, ToolError> {
    Ok(Table)
}

/// Return an option.
#[tool]
fn an_option() -> Option<u8> {
    None
}

/// Return what is written with `impl`.
#[tool]
fn an_impl() -> impl serde::Serialize {
    [1, 2]
}

/// Return nothing, if it works.
#[tool]
async fn a_unit_result() -> Result<(), ToolError> {
    Ok(())
}

/// Fail with an error that knows what it is.
#[tool]
fn a_known_error() -> Result<u8, ShopError> {
    Err(ShopError)
}

/// Fail with an error of this crate.
#[tool]
fn a_tool_error() -> Result<u8, ToolError> {
    Err(ToolError::new(ErrorCategory::RateLimited, "slow down"))
}

/// Fail with any error.
#[tool]
async fn any_error() -> Result<u8, Plain> {
    Err(Plain)
}

/// Fail with an error in a box.
#[tool]
fn a_boxed_error() -> Result<u8, Box<dyn std::error::Error + Send + Sync>> {
    Err(Box::new(Plain))
}

/// Fail with an error that knows what it is, in a box.
#[tool]
async fn a_boxed_tool_error() -> Result<u8, Box<dyn std::error::Error + Send + Sync>> {
    Err(ToolError::not_found("no such thing"))?
}

/// Fail under an alias.
#[tool]
fn an_alias(#[tool(default)] fail: bool) -> Alias<u8> {
    if fail {
        return Err(io::Error::new(io::ErrorKind::NotFound, "the secret"));
    }
    Ok(7)
}

/// Fail in a task, so that there is a result in the result.
#[tool]
#[allow(clippy::unnecessary_wraps)]
fn a_nested_result(
    #[tool(default)] fail: bool,
) -> Result<Result<u8, ToolError>, std::num::ParseIntError> {
    Ok(if fail {
        Err(ToolError::not_found("no such task").with_log("the secret"))
    } else {
        Ok(7)
    })
}

#[test]
fn a_result_in_a_result_is_taken_apart() {
    let tools = toolset![a_nested_result];
    let output = run(&tools, "a_nested_result", "{}").unwrap();
    assert_eq!(output.to_text(), "7");
    let error = run(&tools, "a_nested_result", r#"{"fail":true}"#).unwrap_err();
    assert_eq!(error.category, ErrorCategory::ResourceNotFound);
    assert!(!error.to_model_text().contains("secret"));
}

type InWords<T, E = String> = Result<T, E>;

/// Fail with a text.
#[tool]
fn a_text_error() -> Result<u8, String> {
    Err("no seat is free".to_owned())
}

/// Fail with a text that is written out.
#[tool]
async fn a_literal_error() -> Result<u8, &'static str> {
    Err("no seat is free")
}

/// Fail with a text that is borrowed from the argument.
#[tool]
fn a_borrowed_error(#[tool(default = "no seat is free")] seat: &str) -> Result<u8, &str> {
    Err(seat)
}

/// Fail with a text of either kind.
#[tool]
async fn a_cow_error(#[tool(default)] owned: bool) -> Result<u8, Cow<'static, str>> {
    let text = "no seat is free";
    Err(if owned {
        text.to_owned().into()
    } else {
        text.into()
    })
}

/// Fail with a boxed text.
#[tool]
fn a_boxed_text_error() -> InWords<u8, Box<str>> {
    Err("no seat is free".into())
}

/// Fail with a text under an alias.
#[tool]
fn a_text_error_by_alias() -> InWords<u8> {
    Err("no seat is free".to_owned())
}

/// Fail with a text inside a result.
#[tool]
#[expect(
    clippy::unnecessary_wraps,
    reason = "one result inside another is what is tried"
)]
fn a_nested_text_error() -> Result<InWords<u8>, io::Error> {
    Ok(Err("no seat is free".to_owned()))
}

/// Fail with a text in a stream.
#[tool]
async fn a_streamed_text_error() -> Updates<impl Stream<Item = Result<u8, String>>> {
    Updates(stream::iter([Err("no seat is free".to_owned())]))
}

/// Fail with a text that says nothing.
#[tool]
fn a_blank_error() -> Result<u8, String> {
    Err(" \n".to_owned())
}

#[derive(Default)]
struct Hall;

#[tools]
impl Hall {
    /// Fail with a text, as a method.
    #[tool]
    #[expect(clippy::unused_self, reason = "a tool of a block takes `self`")]
    fn a_methods_error(&self) -> InWords<(), &'static str> {
        Err("no seat is free")
    }
}

#[test]
fn the_text_of_an_error_that_is_one_is_for_the_model() {
    let tools = toolset![
        a_text_error,
        a_literal_error,
        a_borrowed_error,
        a_cow_error,
        a_boxed_text_error,
        a_text_error_by_alias,
        a_nested_text_error,
        a_streamed_text_error,
    ];
    let tools = tools.merge(Hall.into_tools()).expect("names differ");
    for name in tools.names() {
        let error = run(&tools, name, "{}").unwrap_err();
        // Without a text of its own the log reads the message.
        let expected = ToolError::new(ErrorCategory::Unknown, "no seat is free");
        assert_eq!(error, expected, "{name}");
    }
    let error = run(&tools, "a_cow_error", r#"{"owned":true}"#).unwrap_err();
    assert_eq!(error.message, "no seat is free");
}

#[test]
fn a_blank_text_is_not_what_a_model_is_left_with() {
    let error = run(&toolset![a_blank_error], "a_blank_error", "{}").unwrap_err();
    assert_eq!(error.message, "the tool failed with an internal error");
}

#[test]
fn every_form_of_success() {
    let tools = toolset![
        a_string,
        a_str,
        a_value,
        a_unit,
        an_output,
        a_table,
        an_option,
        an_impl,
        a_unit_result,
        an_alias,
    ];
    let text = |text: &str| vec![OutputPart::Text(text.to_owned())];
    let json = |text: &str| vec![OutputPart::Json(text.to_owned())];
    for (name, expected) in [
        ("a_string", text("say \"hi\"")),
        ("a_str", text("hi")),
        ("a_value", json(r#"{"degrees":1.5}"#)),
        ("a_unit", vec![]),
        ("an_output", text("parts")),
        ("a_table", text("a | b")),
        ("an_option", json("null")),
        ("an_impl", json("[1,2]")),
        ("a_unit_result", vec![]),
        ("an_alias", json("7")),
    ] {
        assert_eq!(run(&tools, name, "{}").unwrap().parts, expected, "{name}");
    }
}

#[test]
fn every_form_of_failure() {
    let tools = toolset![
        a_known_error,
        a_tool_error,
        any_error,
        a_boxed_error,
        a_boxed_tool_error,
        an_alias,
    ];
    for (name, category, message) in [
        (
            "a_known_error",
            ErrorCategory::ResourceNotFound,
            "the shop is closed",
        ),
        ("a_tool_error", ErrorCategory::RateLimited, "slow down"),
        (
            "any_error",
            ErrorCategory::Unknown,
            "the tool failed with an internal error",
        ),
        (
            "a_boxed_error",
            ErrorCategory::Unknown,
            "the tool failed with an internal error",
        ),
    ] {
        let error = run(&tools, name, "{}").unwrap_err();
        assert_eq!(
            (error.category, &*error.message),
            (category, message),
            "{name}"
        );
    }
    let error = run(&tools, "a_boxed_tool_error", "{}").unwrap_err();
    assert_eq!(error, ToolError::not_found("no such thing"));
    let error = run(&tools, "an_alias", r#"{"fail":true}"#).unwrap_err();
    assert_eq!(error.category, ErrorCategory::ResourceNotFound);
    for (name, arguments) in [("any_error", "{}"), ("an_alias", r#"{"fail":true}"#)] {
        let error = run(&tools, name, arguments).unwrap_err();
        assert_eq!(error.log.as_deref(), Some("the secret"), "{name}");
    }
}

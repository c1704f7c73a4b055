//! What a tool may return.

use std::{fmt, io};

use toolwright::{
    ErrorCategory, IntoToolOutput, ToolError, ToolOutput, tool, tool::OutputPart, toolset,
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

/// Fail with a text, which is not for the model.
#[tool]
fn a_text_error() -> Result<u8, String> {
    Err("the secret".to_owned())
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
        a_text_error
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
        (
            "a_text_error",
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
    for (name, arguments) in [
        ("any_error", "{}"),
        ("a_text_error", "{}"),
        ("an_alias", r#"{"fail":true}"#),
    ] {
        let error = run(&tools, name, arguments).unwrap_err();
        assert_eq!(error.log.as_deref(), Some("the secret"), "{name}");
    }
}

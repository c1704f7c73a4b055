//! What a model is told of arguments that do not fit a schema that is known only at run time.

use serde_json::{Value, json};

use super::{call_with_text, foreign};

async fn told(schema: &Value, arguments: &str) -> toolwright::ToolError {
    let tool = foreign("theirs", &schema.to_string()).expect("it loads");
    let result = call_with_text(&tool, arguments).await;
    *result.outcome.expect_err("the arguments do not fit")
}

#[tokio::test]
async fn of_many_values_the_nearest_are_told_and_what_came_first() {
    let codes: Vec<_> = (0..249).map(|code| format!("C{code:03}")).collect();
    let schema = json!({"type": "object", "properties": {
        "country": {"enum": codes}, "kilos": {"type": "integer"}}});
    let error = told(&schema, r#"{"country":"c137","kilos":"many"}"#).await;
    let country = r#"arguments.country: got "c137", expected one of "C137", "#;
    assert!(error.message.contains(country), "{error}");
    assert!(error.message.contains(" and 229 more"), "{error}");
    let kilos = r#"arguments.kilos: expected an integer, got "many""#;
    assert!(error.message.contains(kilos), "{error}");
}

#[tokio::test]
async fn broken_parts_are_told_with_their_place_and_no_offset() {
    let schema = json!({"type": "object"});
    for (arguments, expected) in [
        (
            r#"{"a":[{"b":1e999}]}"#,
            "arguments.a[0].b: expected a number that a 64-bit float can hold",
        ),
        (
            r#"{"a":[{"b":"\udc00"}]}"#,
            r"arguments.a[0].b: a `\u` escape that is not a whole character",
        ),
    ] {
        assert_eq!(told(&schema, arguments).await.message, expected);
    }
}

#[tokio::test]
async fn a_pattern_is_told_as_a_whole() {
    let pattern = format!("^({})$", ["alpha"; 20].join("|"));
    let schema =
        json!({"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}});
    let error = told(&schema, r#"{"a":"b"}"#).await;
    let expected =
        format!("arguments.a: expected a string that matches the pattern `{pattern}`, got \"b\"");
    assert_eq!(error.message, expected);
}

#[tokio::test]
async fn who_leaves_an_argument_out_is_shown_a_call() {
    let schema = json!({"type": "object", "required": ["city", "days"], "properties": {
        "city": {"type": "string"}, "days": {"type": "integer", "minimum": 2},
        "unit": {"type": "string"}}});
    for arguments in ["{}", r#"{"city":"Oslo"}"#, "[]"] {
        let error = told(&schema, arguments).await;
        assert_eq!(error.details["example"], r#"{"city":"text","days":2}"#);
    }
    let wrong = told(&schema, r#"{"city":"Oslo","days":1}"#).await;
    assert!(!wrong.details.contains_key("example"), "{wrong:?}");
    // Only its author knows a text that fits.
    let schema = json!({"type": "object", "required": ["a"], "properties": {
        "a": {"type": "string", "pattern": "^a$"}}});
    assert!(!told(&schema, "{}").await.details.contains_key("example"));
}

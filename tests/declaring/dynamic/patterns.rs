//! Patterns take bounded work, whatever they and the texts are.

use serde_json::{Value, json};
use toolwright::{
    ToolError,
    dynamic::{DynamicTool, Parameter},
};

use super::{foreign, refusal};

fn with_pattern(pattern: &str) -> DynamicTool {
    of(&json!({"text": {"type": "string", "pattern": pattern}}))
}

fn of(properties: &Value) -> DynamicTool {
    let schema = json!({"type": "object", "properties": properties});
    let tool = foreign("theirs", &schema.to_string()).expect("it loads");
    assert_eq!(tool.findings(), [], "{schema}");
    tool
}

#[tokio::test]
async fn look_around_answers_for_a_long_text() {
    let long = "a".repeat(50_000);
    let password = with_pattern("(?=.*[A-Z]).{8,}");
    assert_eq!(
        refusal(&password, &json!({"text": format!("{long}B")})).await,
        None
    );
    let told = refusal(&password, &json!({"text": long})).await;
    let told = told.expect("it has no capital letter");
    assert!(
        told.starts_with(
            "arguments.text: expected a string that matches the pattern `(?=.*[A-Z]).{8,}`"
        ),
        "{told}"
    );
    let nested = with_pattern("(?=(a+)+$)a*b");
    assert!(refusal(&nested, &json!({"text": long})).await.is_some());
}

#[tokio::test]
async fn a_text_over_the_bound_is_refused_with_the_reason() {
    let expected = |pattern: &str, length: usize| {
        format!(
            "arguments.text: a string of {length} characters is too long to be matched against the \
             pattern `{pattern}`, expected a shorter one"
        )
    };
    for (pattern, length) in [
        ("(?=.*[A-Z]).{8,}", 5_000_000),
        ("[ab]*a[ab]{1000}c", 1_000_000),
        (r"^(a*)*\1b", 50_000),
    ] {
        let tool = with_pattern(pattern);
        let told = refusal(&tool, &json!({"text": "a".repeat(length)})).await;
        assert_eq!(told, Some(expected(pattern, length)));
    }
}

#[tokio::test]
async fn one_check_has_one_bound() {
    let item = json!({"type": "string", "pattern": "(?=.*[A-Z])."});
    let list = of(&json!({"all": {"type": "array", "items": item}}));
    let text = "a".repeat(50_000);
    assert!(
        refusal(&list, &json!({"all": [format!("{text}B")]}))
            .await
            .is_none()
    );
    let told = refusal(&list, &json!({"all": vec![format!("{text}B"); 1_000]})).await;
    assert!(
        told.is_some_and(|told| told.contains("is too long to be matched against the pattern"))
    );

    let patterns: Vec<_> = (0..2_000)
        .map(|index| json!({"pattern": format!("(?=.*{index}|a).")}))
        .collect();
    let many = of(&json!({"text": {"allOf": patterns}}));
    assert!(refusal(&many, &json!({"text": "a"})).await.is_none());
    assert!(refusal(&many, &json!({"text": text})).await.is_some());
}

#[tokio::test]
async fn what_was_not_matched_fits_nowhere() {
    let endless = json!({"pattern": r"^(a*)*\1b"});
    for schema in [
        json!({"not": endless}),
        json!({"anyOf": [endless, {"type": "string"}]}),
        json!({"oneOf": [endless, {"type": "string"}]}),
        json!({"if": endless, "then": false}),
    ] {
        let tool = of(&json!({"text": schema}));
        let told = refusal(&tool, &json!({"text": "a".repeat(50_000)})).await;
        let told = told.unwrap_or_else(|| panic!("{schema}"));
        assert!(told.contains("too long to be matched"), "{schema}: {told}");
        assert_eq!(
            refusal(&tool, &json!({"text": "x"})).await,
            None,
            "{schema}"
        );
    }
}

#[tokio::test]
async fn names_of_keys_are_matched_with_bounded_work() {
    let schema = |patterns: Value| {
        let schema =
            json!({"type": "object", "patternProperties": patterns, "additionalProperties": false});
        foreign("theirs", &schema.to_string()).expect("it loads")
    };
    let tool = schema(
        json!({"^(?!x-).+$": {"type": "integer"}, r"^x-(.)\1$": {"type": "string"}, "^y": {"minimum": 5}}),
    );
    assert_eq!(tool.findings(), []);
    for (arguments, fits) in [
        (json!({}), true),
        (json!({"a": 1, "x-bb": "text", "q.*": 2}), true),
        (json!({"a": "text"}), false),
        (json!({"x-bb": 1}), false),
        (json!({"x-bc": "text"}), false),
        (json!({"y": 1}), false),
        (json!({"y": 6}), true),
    ] {
        assert_eq!(
            refusal(&tool, &arguments).await.is_none(),
            fits,
            "{arguments}"
        );
    }
    let long = "a".repeat(100_000);
    let endless = schema(json!({r"^(a*)*\1b": {}}));
    let told = refusal(&endless, &json!({long.clone(): 1})).await;
    assert!(told.is_some_and(|told| told.contains("too long to be matched")));
    let large = schema(json!({"[ab]*a[ab]{1000}c": {}}));
    let members: serde_json::Map<_, _> = (0..20)
        .map(|index| (format!("{long}{index}"), json!(1)))
        .collect();
    let told = refusal(&large, &members.into()).await;
    assert!(told.is_some_and(|told| told.contains("too long to be matched")));
}

#[test]
fn patterns_that_are_too_large_are_refused_when_the_tool_is_made() {
    let bomb = "(?=(a{1000}){1000})";
    let schema = json!({"type": "object", "properties": {"a": {"pattern": bomb}}});
    let tool = foreign("theirs", &schema.to_string()).expect("it loads");
    assert!(
        tool.findings()[0].to_string().contains("too large"),
        "{:?}",
        tool.findings()
    );
    let many: serde_json::Map<_, _> = (0..2_000)
        .map(|index| {
            (
                format!("a{index}"),
                json!({"pattern": format!(r"\p{{L}}{{9}}{index}")}),
            )
        })
        .collect();
    let schema = json!({"type": "object", "properties": many});
    let tool = foreign("theirs", &schema.to_string()).expect("it loads");
    assert!(
        tool.findings()[0].to_string().contains("too large"),
        "{:?}",
        tool.findings()
    );
    let built = DynamicTool::builder("theirs", "A tool of our own making.")
        .required("a", Parameter::string().pattern(bomb))
        .build(async |_, _| Ok::<_, ToolError>(""));
    assert!(built.is_err());
}

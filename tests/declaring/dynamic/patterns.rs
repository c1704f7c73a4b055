//! Patterns take bounded work, whatever they and the texts are.

use serde_json::{Value, json};
use toolwright::{
    Tool, ToolError,
    dynamic::{DynamicTool, Finding, Parameter},
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

/// A pattern that the engine has no form for.
const UNBOUNDED: &str = "^(?!x-)";
const REASON: &str =
    "has look-around or a reference to a group, is too large, or is not a valid regular expression";

#[tokio::test]
async fn a_pattern_with_look_around_is_a_finding_and_all_else_is_checked() {
    for pattern in [
        "(?=.*[A-Z]).{8,}",
        UNBOUNDED,
        "(?<=a)b",
        r"^(a+)\1$",
        r"^(?<q>['\x22]).*\k<q>$",
        "(a{1000}){1000}",
        "(a",
    ] {
        let text = json!({"type": "string", "pattern": pattern, "minLength": 2});
        let schema =
            json!({"type": "object", "properties": {"all": {"type": "array", "items": text}}});
        let tool = foreign("theirs", &schema.to_string()).expect("it loads");
        let expected = Finding::UncheckedPattern {
            path: "arguments.all[]".to_owned(),
            pattern: pattern.to_owned(),
        };
        let told = format!("arguments.all[]: the pattern `{pattern}` is not checked: it {REASON}");
        assert_eq!(expected.to_string(), told);
        assert_eq!(tool.findings(), [expected]);
        assert_eq!(refusal(&tool, &json!({"all": ["x-"]})).await, None);
        for other in [json!({"all": ["x"]}), json!({"all": [1]})] {
            assert!(refusal(&tool, &other).await.is_some(), "{pattern}: {other}");
        }
        // The model still reads it.
        assert_eq!(tool.definition().input_schema.as_str(), schema.to_string());
    }
}

#[tokio::test]
async fn where_a_pattern_decides_what_is_excluded_nothing_is_checked_without_it() {
    let pattern = json!({"pattern": UNBOUNDED});
    let of_text =
        |text: Value| json!({"type": "object", "properties": {"a": text}, "$defs": {"p": pattern}});
    for text in [
        json!({"not": pattern}),
        json!({"oneOf": [pattern, {"type": "string"}]}),
        json!({"if": pattern, "then": false}),
        json!({"contains": pattern, "maxContains": 1}),
        json!({"not": {"allOf": [{"$ref": "#/$defs/p"}]}}),
    ] {
        let tool = foreign("theirs", &of_text(text.clone()).to_string()).expect("it loads");
        let [Finding::Unchecked { reason }] = tool.findings() else {
            panic!("{text}: {:?}", tool.findings());
        };
        assert!(
            reason.contains(UNBOUNDED) && reason.contains(REASON),
            "{reason}"
        );
        assert_eq!(
            refusal(&tool, &json!({"a": ["a", "b"]})).await,
            None,
            "{text}"
        );
    }
    // Where it can only allow more, the rest is checked.
    for text in [
        json!({"anyOf": [pattern, {"maxLength": 0}], "type": "string"}),
        json!({"if": {"maxLength": 3}, "then": pattern, "type": "string"}),
        json!({"allOf": [{"$ref": "#/$defs/p"}], "type": "string"}),
    ] {
        let tool = foreign("theirs", &of_text(text.clone()).to_string()).expect("it loads");
        assert!(
            matches!(tool.findings(), [Finding::UncheckedPattern { .. }]),
            "{text}: {:?}",
            tool.findings()
        );
        assert_eq!(refusal(&tool, &json!({"a": "x-"})).await, None, "{text}");
        assert!(refusal(&tool, &json!({"a": 1})).await.is_some(), "{text}");
    }
    let keys = json!({"type": "object", "patternProperties": {UNBOUNDED: {}}, "additionalProperties": false});
    let tool = foreign("theirs", &keys.to_string()).expect("it loads");
    let reason = format!("arguments: the pattern `{UNBOUNDED}` of keys {REASON}");
    assert_eq!(tool.findings(), [Finding::Unchecked { reason }]);
    assert_eq!(refusal(&tool, &json!({"x-a": 1})).await, None);
}

#[tokio::test]
async fn a_text_over_the_bound_is_refused_with_the_reason() {
    let expected = |pattern: &str, length: usize| {
        format!(
            "arguments.text: a string of {length} characters is too long to be matched against the \
             pattern `{pattern}`, expected a shorter one"
        )
    };
    for (pattern, length) in [(".{8,}[A-Z]", 5_000_000), ("[ab]*a[ab]{1000}c", 1_000_000)] {
        let tool = with_pattern(pattern);
        let told = refusal(&tool, &json!({"text": "a".repeat(length)})).await;
        assert_eq!(told, Some(expected(pattern, length)));
    }
}

#[tokio::test]
async fn one_check_has_one_bound() {
    let item = json!({"type": "string", "pattern": "[A-Z]"});
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
        .map(|index| json!({"pattern": format!("{index}|a.*a")}))
        .collect();
    let many = of(&json!({"text": {"allOf": patterns}}));
    assert!(refusal(&many, &json!({"text": "aa"})).await.is_none());
    assert!(refusal(&many, &json!({"text": text})).await.is_some());
}

#[tokio::test]
async fn what_was_not_matched_fits_nowhere() {
    let endless = json!({"pattern": "[ab]*a[ab]{1000}c"});
    for schema in [
        json!({"not": endless}),
        json!({"anyOf": [endless, {"type": "string"}]}),
        json!({"oneOf": [endless, {"type": "string"}]}),
        json!({"if": endless, "then": false}),
    ] {
        let tool = of(&json!({"text": schema}));
        let told = refusal(&tool, &json!({"text": "a".repeat(1_000_000)})).await;
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
        json!({"^[^x].*$": {"type": "integer"}, "^x-b+$": {"type": "string"}, "^y": {"minimum": 5}}),
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
    let large = schema(json!({"[ab]*a[ab]{1000}c": {}}));
    let members: serde_json::Map<_, _> = (0..20)
        .map(|index| (format!("{long}{index}"), json!(1)))
        .collect();
    let told = refusal(&large, &members.into()).await;
    assert!(told.is_some_and(|told| told.contains("too long to be matched")));
}

#[test]
fn patterns_that_are_too_large_together_are_found_when_the_tool_is_made() {
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
    assert!(tool.findings().len() > 10, "{:?}", tool.findings());
    let built = DynamicTool::builder("theirs", "A tool of our own making.")
        .required("a", Parameter::string().pattern("(a{1000}){1000}"))
        .build(async |_, _| Ok::<_, ToolError>(""));
    assert!(built.is_err());
}

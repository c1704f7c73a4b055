//! What a model is told of a value that fits none of the forms of a union.

use serde_json::{Value, json};

use super::{foreign, refusal};

fn branch(kind: &str, keys: &[&str]) -> Value {
    let mut properties = json!({"kind": {"const": kind}});
    for key in keys {
        properties[key] = json!({"type": "integer"});
    }
    let required: Vec<_> = ["kind"].iter().chain(keys).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

async fn check(shape: Value, cases: &[(Value, &str)]) {
    let schema = json!({"type": "object", "properties": {"s": shape}, "required": ["s"],
        "$defs": {"circle": branch("circle", &["r"]), "rect": branch("rect", &["w", "h"])}});
    let tool = foreign("draw", &schema.to_string()).expect("it loads");
    for (value, told) in cases {
        let refusal = refusal(&tool, &json!({"s": value})).await;
        assert_eq!(refusal.as_deref(), Some(*told), "{value}");
    }
}

const TAGGED: [(&str, &str); 7] = [
    (
        r#"{"kind": "circle"}"#,
        "arguments.s.r: missing, expected an integer",
    ),
    (
        r#"{"kind": "rect", "w": 1}"#,
        "arguments.s.h: missing, expected an integer",
    ),
    (
        r#"{"kind": "rect"}"#,
        "arguments.s.w: missing, expected an integer; arguments.s.h: missing, expected an integer",
    ),
    (
        r#"{"kind": "blob"}"#,
        r#"arguments.s.kind: expected one of "circle", "rect", got "blob""#,
    ),
    (
        r#"{"kind": "circle", "r": 1, "x": 1}"#,
        r#"arguments.s.x: unknown, expected one of "r", "kind""#,
    ),
    (
        r#"{"r": 1}"#,
        r#"arguments.s.kind: missing, expected one of "circle", "rect""#,
    ),
    (
        r#""circle""#,
        r#"arguments.s: expected an object, got "circle""#,
    ),
];

fn tagged() -> Vec<(Value, &'static str)> {
    let parsed = |(text, told): (&str, _)| (serde_json::from_str(text).expect("it is JSON"), told);
    TAGGED.map(parsed).to_vec()
}

#[tokio::test]
async fn the_tag_tells_which_form_was_meant() {
    for keyword in ["oneOf", "anyOf"] {
        let forms = [branch("circle", &["r"]), branch("rect", &["w", "h"])];
        check(json!({keyword: forms}), &tagged()).await;
    }
}

#[tokio::test]
async fn the_forms_may_stand_elsewhere() {
    let forms = json!([{"$ref": "#/$defs/circle"}, {"$ref": "#/$defs/rect"}]);
    check(json!({"oneOf": forms}), &tagged()).await;
}

#[tokio::test]
async fn a_key_of_either_form_may_be_what_is_missing() {
    let schema = r#"{"type": "object", "properties": {"a": {}, "b": {}, "c": {}},
        "anyOf": [{"required": ["a"]}, {"required": ["b", "c"]}]}"#;
    let tool = foreign("either", schema).expect("it loads");
    let told = refusal(&tool, &json!({})).await;
    assert_eq!(
        told.as_deref(),
        Some("arguments: expected one more key: `a`, or `b` and `c`")
    );
}

#[tokio::test]
async fn a_missing_constant_is_told() {
    let schema = r#"{"type": "object", "properties": {"v": {"const": 2}}, "required": ["v"]}"#;
    let tool = foreign("versioned", schema).expect("it loads");
    let told = refusal(&tool, &json!({})).await;
    assert_eq!(told.as_deref(), Some("arguments.v: missing, expected 2"));
}

#[tokio::test]
async fn names_of_any_length_are_told_in_few_words() {
    let long = "k".repeat(100_000);
    let schema = json!({"type": "object", "properties": {long: {}}, "additionalProperties": false});
    let tool = foreign("long", &schema.to_string()).expect("it loads");
    let told = refusal(&tool, &json!({"x": 1}))
        .await
        .expect("it is refused");
    assert!(told.len() < 200, "{} bytes", told.len());
}

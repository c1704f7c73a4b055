//! Nothing is lost in silence: each keyword of a schema is sent, told or listed, or the schema is
//! refused.

use super::{member, tool};
use crate::profile::{Profile, Rendered};

/// A keyword with a value, a mark in that value which no other has, and the types it is about.
const KEYWORDS: [(&str, &str, &str, &str); 34] = [
    ("title", r#""mark-title""#, "mark-title", ""),
    (
        "description",
        r#""mark-description""#,
        "mark-description",
        "",
    ),
    ("default", r#"["mark-default"]"#, "mark-default", ""),
    ("examples", r#"["mark-examples"]"#, "mark-examples", ""),
    ("enum", r#"["mark-enum","other"]"#, "mark-enum", "string"),
    ("const", r#""mark-const""#, "mark-const", "string"),
    ("minimum", "7101", "7101", "number"),
    ("exclusiveMaximum", "7102", "7102", "number"),
    ("multipleOf", "7103", "7103", "number"),
    ("minLength", "7104", "7104", "string"),
    ("maxLength", "7105", "7105", "string"),
    ("pattern", r#""^mark-pattern$""#, "mark-pattern", "string"),
    ("format", r#""mark-format""#, "mark-format", ""),
    (
        "contentEncoding",
        r#""mark-encoding""#,
        "mark-encoding",
        "string",
    ),
    (
        "items",
        r#"{"type":"string","description":"mark-items"}"#,
        "mark-items",
        "array",
    ),
    (
        "prefixItems",
        r#"[{"type":"string","description":"mark-prefix"}]"#,
        "mark-prefix",
        "array",
    ),
    ("minItems", "7106", "7106", "array"),
    ("maxItems", "7107", "7107", "array"),
    (
        "contains",
        r#"{"const":"mark-contains"}"#,
        "mark-contains",
        "array",
    ),
    (
        "properties",
        r#"{"mark_property":{"type":"string"}}"#,
        "mark_property",
        "object",
    ),
    (
        "required",
        r#"["mark_required"]"#,
        "mark_required",
        "object",
    ),
    (
        "additionalProperties",
        r#"{"type":"string","description":"mark-others"}"#,
        "mark-others",
        "object",
    ),
    (
        "patternProperties",
        r#"{"^mark-keys":{"type":"string"}}"#,
        "^mark-keys",
        "object",
    ),
    ("propertyNames", r#"{"maxLength":7108}"#, "7108", "object"),
    ("minProperties", "7109", "7109", "object"),
    (
        "dependentRequired",
        r#"{"mark-dependent":["x"]}"#,
        "mark-dependent",
        "object",
    ),
    ("not", r#"{"const":"mark-not"}"#, "mark-not", ""),
    ("if", r#"{"const":"mark-if"}"#, "mark-if", ""),
    ("then", r#"{"const":"mark-then"}"#, "mark-then", ""),
    (
        "anyOf",
        r#"[{"description":"mark-any","type":"string"},{"type":"array"}]"#,
        "mark-any",
        "",
    ),
    (
        "oneOf",
        r#"[{"description":"mark-one","type":"string"},{"type":"array"}]"#,
        "mark-one",
        "",
    ),
    ("allOf", r#"[{"not":{"const":"mark-all"}}]"#, "mark-all", ""),
    ("$ref", r##""#/$defs/N""##, "mark-definition", ""),
    ("x-unknown", r#""mark-unknown""#, "mark-unknown", ""),
];

fn profiles() -> [Profile; 8] {
    [
        Profile::openai_strict(),
        Profile::anthropic_strict(),
        Profile::gemini(),
        Profile::gemini_json_schema(),
        Profile::xai(),
        Profile::ollama(),
        Profile::grammar(),
        Profile::portable(),
    ]
}

fn render(profile: &Profile, schema: &str) -> Option<Rendered> {
    let whole = format!(
        r#"{{"type":"object","properties":{{"a":{schema}}},"required":["a"],
            "$defs":{{"N":{{"not":{{"const":"mark-definition"}}}}}}}}"#
    );
    profile.render(&tool(whole)).ok()
}

/// Whether a keyword of `a` is sent, told or listed.
fn is_said(rendered: &Rendered, key: &str, mark: &str) -> bool {
    let sent = rendered.parameters.as_ref().expect("it has a parameter");
    let is_listed = |loss: &crate::profile::Loss| loss.keyword == key;
    sent.as_str().contains(mark) || rendered.losses.iter().any(is_listed)
}

#[test]
fn each_keyword_beside_each_other_is_said() {
    let types = ["string", "integer", "array", "object", "boolean"];
    let mut silent = Vec::new();
    let mut said = 0;
    for profile in profiles() {
        for kind in types.iter().copied().map(Some).chain([None]) {
            for (first, one) in KEYWORDS.iter().enumerate() {
                for two in &KEYWORDS[first..] {
                    let mut members = Vec::new();
                    members.extend(kind.map(|kind| format!(r#""type":"{kind}""#)));
                    members.push(format!(r#""{}":{}"#, one.0, one.1));
                    if one.0 != two.0 {
                        members.push(format!(r#""{}":{}"#, two.0, two.1));
                    }
                    let schema = format!("{{{}}}", members.join(","));
                    let Some(rendered) = render(&profile, &schema) else {
                        continue;
                    };
                    for (key, _, mark, about) in [one, two] {
                        // A word about other types says nothing.
                        let family =
                            kind.map(|kind| if kind == "integer" { "number" } else { kind });
                        let is_union = |key| matches!(key, "anyOf" | "oneOf");
                        let types = match family {
                            Some(family) => vec![family],
                            // Those that the union has.
                            None if is_union(one.0) || is_union(two.0) => vec!["string", "array"],
                            None => vec![*about],
                        };
                        let is_about = about.is_empty() || types.contains(about);
                        if is_about && !is_said(&rendered, key, mark) {
                            silent.push(format!("{}: `{key}` of {schema}", profile.name));
                        }
                        said += 1;
                    }
                }
            }
        }
    }
    silent.dedup();
    assert!(
        silent.is_empty(),
        "{} of {said}:\n{}",
        silent.len(),
        silent.join("\n")
    );
}

#[test]
fn what_stands_in_for_a_type_is_listed() {
    for profile in profiles() {
        for (schema, key) in [
            (
                r#"{"type":"dict","properties":{"x":{"type":"string"}}}"#,
                "type",
            ),
            (r#"{"type":"any"}"#, "type"),
            (r#"{"type":"string","title":{"a":1}}"#, "title"),
            (r#"{"type":"string","description":7}"#, "description"),
            (r#"{"type":"string","nullable":"yes"}"#, "nullable"),
            (r#"{"type":"integer","minimum":"0"}"#, "minimum"),
            (
                r#"{"type":"object","properties":[],"additionalProperties":{"type":"string"}}"#,
                "properties",
            ),
        ] {
            let rendered = render(&profile, schema).expect("it can be sent");
            let is_listed = rendered.losses.iter().any(|loss| loss.keyword == key);
            assert!(is_listed, "{}: {schema}", profile.name);
            let sent = rendered.parameters.expect("it has a parameter");
            let a = member(&member(sent.as_str(), "properties"), "a");
            let sent: serde_json::Value = serde_json::from_str(&a).expect("it is JSON");
            assert_ne!(sent.get("minimum"), Some(&"0".into()));
            assert_ne!(sent.get("type"), Some(&"any".into()));
        }
    }
}

#[test]
fn null_behind_a_reference_is_listed() {
    let whole = r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/N"},
        "b":{"anyOf":[{"anyOf":[{"type":"string"},{"type":"null"}]},{"type":"integer"}]},
        "c":{"$ref":"#/$defs/M"}},
        "$defs":{"N":{"type":["integer","null"]},"M":{"type":"integer"}}}"##;
    let rendered = Profile::openai_strict()
        .render(&tool(whole))
        .expect("it can be sent");
    let losses: Vec<_> = rendered.losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        losses,
        [
            "take: arguments.a: null cannot be distinguished from an absent member",
            "take: arguments.b: null cannot be distinguished from an absent member",
        ]
    );
}

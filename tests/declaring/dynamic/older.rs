//! Forms of older drafts, of `OpenAPI` and of bundlers, and what is no more than a note.

use serde_json::{Value, json};
use toolwright::{Tool, ToolCall, arguments::Leniency, profile::Profile, tool::Effects};

use super::{foreign, refusal, violations};

/// The schema loads and is checked by: of the arguments some fit, and some do not.
#[track_caller]
fn check(schema: &str, fits: &[Value], refused: &[Value]) -> impl Future<Output = ()> {
    let tool = foreign("theirs", schema).expect("it loads");
    assert_eq!(tool.findings(), [], "{schema}");
    async move {
        for arguments in fits {
            assert_eq!(refusal(&tool, arguments).await, None, "{arguments}");
        }
        for arguments in refused {
            assert!(refusal(&tool, arguments).await.is_some(), "{arguments}");
        }
    }
}

#[tokio::test]
async fn pointers_lead_into_forms_of_older_drafts() {
    check(
        r##"{"type":"object","properties":{"q":{"$ref":"#/properties/p/items/0"},
            "p":{"type":"array","items":[{"type":"integer"},{"type":"string"}],"additionalItems":false}}}"##,
        &[json!({"q": 1, "p": [1, "a"]})],
        &[json!({"q": "x"}), json!({"p": ["x"]}), json!({"p": [1, "a", 1]})],
    )
    .await;
    check(
        r##"{"type":"object","properties":{"q":{"$ref":"#/dependencies/p"}},
            "dependencies":{"p":{"type":"object","required":["q"],"properties":{"q":{}}}}}"##,
        &[json!({"q": {"q": 1}})],
        &[json!({"q": "x"}), json!({"p": 1})],
    )
    .await;
    check(
        r##"{"type":"object","properties":{"q":{"$ref":"#/components/schemas/N"}},"components":{"schemas":
            {"N":{"type":"integer","minimum":1,"exclusiveMinimum":true,"nullable":true}}}}"##,
        &[json!({"q": 2}), json!({"q": null})],
        &[json!({"q": 1}), json!({"q": "x"})],
    )
    .await;
}

#[tokio::test]
async fn nullable_holds_beside_everything() {
    check(
        r##"{"type":"object","properties":{
            "a":{"nullable":true,"allOf":[{"$ref":"#/$defs/N"}]},
            "b":{"nullable":true,"$ref":"#/$defs/N"},
            "c":{"nullable":true,"anyOf":[{"type":"string"},{"type":"integer"}]},
            "d":{"nullable":true,"type":"string","enum":["x"]},
            "e":{"nullable":false,"type":"string"},
            "f":{"nullable":true,"type":"object","allOf":[{"required":["x"],"properties":{"x":{}}}]}
            },"$defs":{"N":{"type":"integer"}}}"##,
        &[
            json!({"a": null, "b": null, "c": null, "d": null, "f": null}),
            json!({"a": 1, "b": 1, "c": 1, "d": "x", "f": {"x": 1}}),
        ],
        &[
            json!({"a": "x"}),
            json!({"b": "x"}),
            json!({"c": []}),
            json!({"d": "y"}),
            json!({"e": null}),
            json!({"f": {}}),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_note_turns_no_check_off() {
    for note in [
        r#""description":null"#,
        r#""title":5"#,
        r#""id":"my tool""#,
        r#""$id":"My Tool: args""#,
        r#""$comment":{}"#,
        r#""examples":"none""#,
        r#""format":1"#,
        r#""$vocabulary":{"https://x/y":true}"#,
    ] {
        let schema = format!(
            r##"{{"type":"object",{note},"properties":{{"a":{{"type":"integer",{note}}},"b":{{"$ref":"#/properties/a",{note}}}}}}}"##
        );
        check(
            &schema,
            &[json!({"a": 1, "b": 1})],
            &[json!({"a": "x"}), json!({"b": "x"})],
        )
        .await;
    }
    // Nobody uses the first, and the second means the document.
    check(
        r##"{"type":"object","properties":{"a":{"id":"note","allOf":[{"$ref":"#/$defs/n"}]}},
            "$defs":{"n":{"type":"integer"},"unused":{"$ref":"http://127.0.0.1:1/x","type":"text"}}}"##,
        &[json!({"a": 1})],
        &[json!({"a": "x"})],
    )
    .await;
}

#[tokio::test]
async fn ids_are_resolved_against_each_other() {
    for (reference, id) in [
        ("/schemas/address", "https://example.com/schemas/address"),
        ("address", "/schemas/address"),
        ("https://example.com/schemas/address", "address"),
        (
            "../schemas/./address#",
            "https://example.com/schemas/address",
        ),
    ] {
        let schema = format!(
            r##"{{"type":"object","$id":"https://example.com/schemas/customer","properties":{{"a":{{"$ref":"{reference}"}}}},
                "$defs":{{"address":{{"$id":"{id}","$ref":"#/$defs/street","$defs":{{"street":{{"type":"string"}}}}}}}}}}"##
        );
        check(&schema, &[json!({"a": "x"})], &[json!({"a": 1})]).await;
    }
    assert_eq!(
        violations(
            r#"{"type":"object","$id":"https://example.com/a","properties":{"a":{"$ref":"b"}}}"#
        ),
        [
            "arguments.a: `b` points outside the schema, and remote schemas are not fetched: copy its target to `$defs`"
        ]
    );
}

#[test]
fn a_key_that_stands_twice_in_a_schema_is_refused() {
    for (schema, place) in [
        (r#"{"type":"string","type":"object"}"#, "#/type"),
        (
            r#"{"type":"object","properties":{"a":{}},"properties":{"b":{}}}"#,
            "#/properties",
        ),
        (
            r#"{"type":"object","anyOf":[{},{"a":1,"\u0061":1}]}"#,
            "#/anyOf/1/a",
        ),
    ] {
        let expected =
            format!("arguments: duplicate key `{place}` in an object of the schema: remove one");
        assert_eq!(violations(schema), [expected]);
    }
}

#[test]
fn every_name_that_is_described_nowhere_is_told() {
    let schema = r#"{"type":"object","properties":{},"required":["a","b","c"],"additionalProperties":false}"#;
    let told = ["a", "b", "c"].map(|name| {
        format!(
            "arguments: `{name}` is required but not declared, and no other properties are allowed: declare it"
        )
    });
    assert_eq!(violations(schema), told);
}

/// What a foreign schema says with `nullable`, with null in its type, and a value that is not null.
const NULLABLE: [(&str, &str, &str); 8] = [
    (
        r#"{"type":"string","nullable":true}"#,
        r#"{"type":["string","null"]}"#,
        r#""x""#,
    ),
    (
        r#"{"type":"string","enum":["x","y"],"nullable":true}"#,
        r#"{"type":["string","null"],"enum":["x","y",null]}"#,
        r#""y""#,
    ),
    (
        r##"{"$ref":"#/$defs/N","nullable":true}"##,
        r##"{"anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}]}"##,
        "3",
    ),
    (
        r##"{"allOf":[{"$ref":"#/$defs/N"}],"nullable":true,"description":"A number."}"##,
        r##"{"anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}],"description":"A number."}"##,
        "3",
    ),
    (
        r#"{"anyOf":[{"type":"string"},{"type":"integer"}],"nullable":true}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}"#,
        "1",
    ),
    (
        r#"{"type":"array","items":{"type":"integer","nullable":true}}"#,
        r#"{"type":"array","items":{"type":["integer","null"]}}"#,
        "[1,null]",
    ),
    (
        r#"{"type":"object","properties":{"b":{"type":"integer","nullable":true}},"required":["b"],"additionalProperties":false,"nullable":true}"#,
        r#"{"anyOf":[{"type":"object","properties":{"b":{"type":["integer","null"]}},"required":["b"],"additionalProperties":false},{"type":"null"}]}"#,
        r#"{"b":null}"#,
    ),
    (
        r##"{"$ref":"#/$defs/M"}"##,
        r##"{"anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}]}"##,
        "3",
    ),
];

fn with_member(schema: &str) -> String {
    format!(
        r#"{{"type":"object","properties":{{"a":{schema}}},"required":["a"],"additionalProperties":false,"$defs":{{
            "N":{{"type":"integer"}},"M":{{"type":"integer","nullable":true}}}}}}"#
    )
}

#[tokio::test]
async fn nullable_is_null_in_the_type_for_every_profile_and_back() {
    let profiles = [
        Profile::openai(),
        Profile::openai_strict(),
        Profile::anthropic(),
        Profile::anthropic_strict(),
        Profile::gemini(),
        Profile::gemini_json_schema(),
        Profile::xai(),
        Profile::ollama(),
        Profile::grammar(),
        Profile::portable(),
    ];
    for (nullable, in_type, value) in NULLABLE {
        let tool = foreign("theirs", &with_member(nullable)).expect("it loads");
        // Of the list the items may be null.
        let other = if value.starts_with('[') { "[]" } else { "null" };
        for value in [value, other] {
            let arguments: Value =
                serde_json::from_str(&format!(r#"{{"a":{value}}}"#)).expect("it is JSON");
            assert_eq!(
                refusal(&tool, &arguments).await,
                None,
                "{nullable}: {value}"
            );
            let same = foreign("theirs", &with_member(in_type)).expect("it loads");
            for profile in &profiles {
                let sent = profile.render(tool.definition()).expect("it can be sent");
                let expected = profile.render(same.definition()).expect("it can be sent");
                let text = arguments.to_string();
                let there = sent.mapping.to_provider(&text);
                assert_eq!(
                    there,
                    expected.mapping.to_provider(&text),
                    "{}: {nullable}",
                    profile.name
                );
                assert_eq!(
                    sent.mapping.to_tool(&there),
                    text,
                    "{}: {nullable}",
                    profile.name
                );
                let schema = sent.parameters.expect("it has parameters");
                let is_told = schema.as_str().contains("null");
                assert!(is_told, "{}: {schema:?}", profile.name);
                assert!(
                    sent.losses.iter().all(|loss| loss.keyword != "nullable"),
                    "{}: {:?}",
                    profile.name,
                    sent.losses
                );
            }
        }
    }
}

#[test]
fn a_value_that_may_be_null_is_not_set_right() {
    for (nullable, _, _) in NULLABLE {
        let tool = foreign("theirs", &with_member(nullable)).expect("it loads");
        let value = if nullable.starts_with(r#"{"type":"array""#) {
            "[null]"
        } else {
            "null"
        };
        let call = ToolCall::new("1", "theirs", format!(r#"{{"a":{value}}}"#));
        let prepared = Leniency::On.prepare(&call, tool.definition(), Effects::ReadOnly);
        assert!(
            prepared.changes.is_empty(),
            "{nullable}: {:?}",
            prepared.changes
        );
    }
}

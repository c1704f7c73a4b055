//! Definitions that other people wrote.

use serde_json::json;
use toolwright::{
    Tool, ToolCall, ToolDefinition, ToolError, Toolset,
    dynamic::{DynamicTool, Finding},
    profile::Profile,
    schema::Schema,
    tool::{Effects, ToolHints, ToolPolicy},
    toolset::ToolsetError,
};

use super::{call, foreign, refusal, violations};

const CLOSED: &str =
    r#"{ "type" : "object", "properties": {"b": {}, "a": {}}, "additionalProperties": false }"#;

#[tokio::test]
async fn a_definition_is_kept_and_the_closure_gets_the_original_name() {
    let tool = foreign("files/read.text", CLOSED).expect("it loads");
    assert_eq!(tool.definition().name, "files_read_text--sd");
    assert_eq!(tool.original_name(), "files/read.text");
    assert_eq!(tool.definition().input_schema.as_str(), CLOSED);
    let shown = "files_read_text--sd".to_owned();
    assert_eq!(tool.findings(), [Finding::Renamed { shown }]);
    let result = call(&tool, &json!({"a": 1})).await;
    assert_eq!(result.to_model_text(), r#"files/read.text {"a":1}"#);
}

#[test]
fn names_that_only_differ_outside_of_what_is_taken_stay_apart() {
    let names = [
        "a.b",
        "a/b",
        "a_b",
        "a b",
        "a_b--d",
        "",
        "ä",
        "🦀",
        &"x".repeat(99),
    ];
    let tools = names.iter().try_fold(Toolset::new(), |tools, name| {
        tools.with(foreign(name, CLOSED).expect("it loads"))
    });
    assert_eq!(tools.expect("no two are one").len(), names.len());
    let twice = Toolset::new().with(foreign("a.b", CLOSED).expect("it loads"));
    let twice = twice.and_then(|tools| tools.with(foreign("a.b", CLOSED).expect("it loads")));
    assert!(matches!(twice, Err(ToolsetError::Duplicate { name }) if name == "a_b--d"));
}

#[test]
fn every_profile_takes_the_name_that_is_shown() {
    let long = "x".repeat(99);
    for name in ["1x", "-x", "", "--", "3d.render", "größe", "a_b--d", &long] {
        let tool = foreign(name, CLOSED).expect("it loads");
        for profile in [Profile::gemini(), Profile::openai(), Profile::anthropic()] {
            let rendered = profile.render(tool.definition()).expect("it is taken");
            assert_eq!(rendered.name, tool.definition().name, "{name}");
        }
    }
}

#[tokio::test]
async fn an_error_names_the_tool_as_the_model_knows_it() {
    let schema = || Schema::from_text(CLOSED).expect("it is JSON");
    let listed = |name: &'static str| ToolDefinition::new(name, "A tool of theirs.", schema());
    let waiting = DynamicTool::foreign(listed("files/read"), async |call: ToolCall, _| {
        call.decode::<[u8; 2]>().map(|_| "")
    });
    let blocking = DynamicTool::foreign_blocking(listed("files/read"), |call: &ToolCall, _| {
        call.decode::<[u8; 2]>().map(|_| "")
    });
    for tool in [waiting, blocking] {
        let result = call(&tool.expect("it loads"), &json!({})).await;
        let error = result.outcome.expect_err("an object is no list");
        assert_eq!(error.details["tool"], "files_read--s");
    }
    let own = DynamicTool::foreign(listed("files/read"), async |_, _| {
        Err::<(), _>(ToolError::not_found("gone").with_detail("tool", "hammer"))
    });
    let result = call(&own.expect("it loads"), &json!({})).await;
    assert_eq!(
        result.outcome.expect_err("it fails").details["tool"],
        "hammer"
    );
}

#[test]
fn unusual_descriptions_are_findings() {
    let findings = |description: String| {
        let schema = Schema::from_text(CLOSED).expect("it is JSON");
        let definition = ToolDefinition::new("theirs", description.clone(), schema);
        let tool = DynamicTool::foreign(definition, async |_, _| Ok::<_, ToolError>(()));
        let tool = tool.expect("it loads");
        assert_eq!(tool.definition().description, description);
        tool.findings().to_vec()
    };
    assert_eq!(findings("ä".repeat(10)), []);
    assert_eq!(findings("\u{a0} ".to_owned()), [Finding::NoDescription]);
    assert_eq!(
        findings("ä".repeat(9)),
        [Finding::ShortDescription { chars: 9 }]
    );
    assert_eq!(
        findings("ä".repeat(501)),
        [Finding::LongDescription { chars: 501 }]
    );
}

#[test]
fn what_somebody_says_of_his_tool_decides_nothing() {
    let schema = Schema::from_text(CLOSED).expect("it is JSON");
    let hints = ToolHints::NONE.with_read_only(true);
    let definition = ToolDefinition::new("theirs", "Reads something.", schema).with_hints(hints);
    let tool =
        DynamicTool::foreign_blocking(definition, |_: &ToolCall, _| Ok("")).expect("it loads");
    assert_eq!(tool.definition().hints, hints);
    assert_eq!(tool.policy().effects, Effects::Write);
    let policy = ToolPolicy::default().with_effects(Effects::ReadOnly);
    assert_eq!(tool.with_policy(policy).policy(), policy);
}

#[test]
fn every_mistake_is_listed() {
    let schema = r##"{"type": "object",
        "properties": {
            "a": {"type": "object", "properties": {"x": {}}, "required": ["x", "y"],
                "additionalProperties": false},
            "b": {"type": "array", "items": {"$ref": "#/$defs/none"}},
            "c": {"$ref": "https://example.com/schema.json#/definitions/c"},
            "d": 5
        },
        "required": ["a", "z"], "unevaluatedProperties": false,
        "$defs": {"unused": {"anyOf": [{"$ref": "other.json"}]}}}"##;
    assert_eq!(
        violations(schema),
        [
            "arguments: `z` is required but not declared, and no other properties are allowed: \
             declare it",
            "arguments.a: `y` is required but not declared, and no other properties are allowed: \
             declare it",
            "arguments.b[]: `#/$defs/none` has no target: define it under `$defs`",
            "arguments.c: `https://example.com/schema.json#/definitions/c` points outside the schema, and remote schemas are not fetched: copy its target to `$defs`",
            "arguments.d: expected a schema, which is an object or a boolean, got 5",
        ]
    );
}

#[test]
fn the_root_is_an_object() {
    let root =
        "arguments: the schema describes no object: its root must say `\"type\": \"object\"`";
    for schema in [
        "{}",
        "[]",
        "true",
        "null",
        r#"{"type":["object","null"]}"#,
        r#"{"type":"string"}"#,
    ] {
        assert_eq!(violations(schema), [root], "{schema}");
    }
}

#[test]
fn what_a_branch_requires_another_may_describe() {
    for schema in [
        r#"{"type":"object","properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
        r#"{"type":"object","allOf":[{"properties":{"a":{}}},{"required":["a"]}]}"#,
        r##"{"type":"object","$ref":"#/$defs/a","required":["a"],"$defs":{"a":{"properties":{"a":{}}}}}"##,
        r#"{"type":"object","properties":{"a":{}},"not":{"required":["z"]}}"#,
        r#"{"type":"object","additionalProperties":{"type":"string"},"required":["a"]}"#,
        r#"{"type":"object","patternProperties":{"^a":{"type":"string"}},"required":["a"]}"#,
    ] {
        assert!(foreign("theirs", schema).is_ok(), "{schema}");
    }
}

#[tokio::test]
async fn what_an_open_object_requires_and_nobody_describes_is_found() {
    let found = |path: &str, name: &str| Finding::Undescribed {
        path: path.to_owned(),
        name: name.to_owned(),
    };
    for (schema, findings) in [
        (
            r#"{"type":"object","required":["z"]}"#,
            vec![found("arguments", "z")],
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"b":{}},
                "required":["b","c"],"additionalProperties":true}}},"required":["a"]}"#,
            vec![found("arguments.a[]", "c")],
        ),
        (
            r##"{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"required":["b"],"type":"object"}}}"##,
            vec![found("arguments.a", "b")],
        ),
        (
            r#"{"type":"object","properties":{"a":{"anyOf":[
                {"type":"object","properties":{"b":{}},"additionalProperties":false},{"type":"object","required":["c"]}]}}}"#,
            vec![found("arguments.a", "c")],
        ),
    ] {
        let tool = foreign("theirs", schema).expect("it loads");
        assert_eq!(tool.findings(), findings, "{schema}");
    }
    for schema in [
        r#"{"type":"object","required":["z"],"additionalProperties":false}"#,
        r#"{"type":"object","allOf":[{"additionalProperties":false}],"required":["z"]}"#,
        r#"{"type":"object","properties":{"a":{"anyOf":[{"required":["c"],"additionalProperties":false}]}}}"#,
    ] {
        assert_eq!(violations(schema).len(), 1, "{schema}");
    }
    let tool = foreign("theirs", r#"{"type":"object","required":["z"]}"#).expect("it loads");
    assert_eq!(refusal(&tool, &json!({"z": [1], "y": 2})).await, None);
    let missing = refusal(&tool, &json!({"y": 2})).await;
    assert!(missing.is_some_and(|told| told.starts_with("arguments.z: missing")));
}

#[tokio::test]
async fn a_key_that_comes_twice_in_pairs_is_told() {
    let map = r#"{"type":"object","additionalProperties":{"type":"integer"}}"#;
    let schema = format!(
        r#"{{"type":"object","properties":{{"labels":{map}}},"required":["labels"],"additionalProperties":{{"type":"string"}}}}"#
    );
    let tool = foreign("theirs", &schema).expect("it loads");
    let rendered = Profile::openai_strict()
        .render(tool.definition())
        .expect("it can be sent");
    let pair = r#"{"key":"x","value":1}"#;
    for (sent, told) in [
        (
            format!(r#"{{"labels":[{pair},{pair}],"other_members":[]}}"#),
            "arguments.labels.x: given twice, expected once",
        ),
        (
            r#"{"labels":[],"other_members":[{"key":"y","value":"1"},{"key":"y","value":"2"}]}"#
                .to_owned(),
            "arguments.y: given twice, expected once",
        ),
        (
            r#"{"labels":[],"other_members":[{"key":"labels","value":"1"}]}"#.to_owned(),
            "arguments.labels: given twice, expected once",
        ),
    ] {
        let result = super::call_with_text(&tool, &rendered.mapping.to_tool(&sent)).await;
        let error = result.outcome.expect_err("a key is given twice");
        assert_eq!(error.message, told);
    }
}

#[test]
fn what_nobody_describes_is_described_to_every_provider() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer"}},"required":["b","c"]}},"required":["a","z"]}"#;
    let tool = foreign("theirs", schema).expect("it loads");
    for profile in [
        Profile::openai_strict(),
        Profile::anthropic_strict(),
        Profile::gemini(),
        Profile::gemini_json_schema(),
        Profile::xai(),
        Profile::ollama(),
        Profile::grammar(),
        Profile::portable(),
    ] {
        let rendered = profile.render(tool.definition()).expect("it can be sent");
        let sent = rendered
            .parameters
            .as_ref()
            .expect("it has parameters")
            .to_value();
        for object in [&sent, &sent["properties"]["a"]] {
            for name in object["required"].as_array().expect("some are required") {
                let name = name.as_str().expect("it is a name");
                assert!(
                    object["properties"][name].is_object(),
                    "{}: {sent}",
                    profile.name
                );
            }
        }
        let own = r#"{"a":{"b":1,"c":[true]},"z":{"x":null}}"#;
        let there = rendered.mapping.to_provider(own);
        assert_eq!(
            rendered.mapping.to_tool(&there),
            own,
            "{}: {there}",
            profile.name
        );
    }
}

#[test]
fn levels_are_counted_as_for_declared_tools_and_through_references() {
    let nested = |levels: usize| {
        let open = r#"{"type":"object","properties":{"x":"#.repeat(levels);
        format!("{open}{{}}{}", "}}".repeat(levels))
    };
    assert!(foreign("theirs", &nested(10)).is_ok());
    let too_deep = "the arguments have more than 10 levels: flatten the objects on the way";
    let place = ["arguments", &".x".repeat(10)].concat();
    assert_eq!(violations(&nested(11)), [format!("{place}: {too_deep}")]);

    let referring = |levels: usize| {
        let step = |n: usize| {
            format!(
                r##""s{n}":{{"type":"object","properties":{{"x":{{"$ref":"#/$defs/s{}"}}}}}}"##,
                n + 1
            )
        };
        let steps: Vec<_> = (1..levels).map(step).collect();
        format!(
            r##"{{"type":"object","properties":{{"x":{{"$ref":"#/$defs/s1"}}}},"$defs":{{{},"s{levels}":{{}}}}}}"##,
            steps.join(",")
        )
    };
    assert!(foreign("theirs", &referring(10)).is_ok());
    assert_eq!(violations(&referring(11)), [format!("{place}: {too_deep}")]);

    // A list of scalars adds none, a list in a list one.
    let lists = |count: usize| {
        let open = r#"{"type":"array","items":"#.repeat(count);
        format!(
            r#"{{"type":"object","properties":{{"x":{open}{{}}{}}}}}"#,
            "}".repeat(count)
        )
    };
    assert!(foreign("theirs", &lists(10)).is_ok());
    assert_eq!(violations(&lists(11)).len(), 1);
}

#[tokio::test]
async fn references_are_followed_inside_the_document() {
    let schema = r##"{"type": "object", "$id": "https://example.com/root.json",
        "properties": {
            "pointer": {"$ref": "#/$defs/na~1me%20%7B"},
            "sibling": {"$ref": "#/properties/pointer"},
            "anchor": {"$ref": "#short"},
            "id": {"$ref": "https://example.com/root.json#/$defs/short"},
            "odd": {"$ref": "#/components/odd"},
            "both": {"$ref": "#/$defs/short", "minLength": 2, "description": "Both hold."}
        },
        "$defs": {
            "na/me {": {"type": "integer"},
            "short": {"$anchor": "short", "type": "string", "maxLength": 3}
        },
        "components": {"odd": {"$ref": "#/$defs/short"}}}"##;
    let tool = foreign("theirs", schema).expect("it loads");
    assert_eq!(tool.findings(), []);
    let fits =
        json!({"pointer": 1, "sibling": 2, "anchor": "abc", "id": "", "odd": "a", "both": "ab"});
    assert_eq!(refusal(&tool, &fits).await, None);
    for (key, value, expected) in [
        ("pointer", json!("x"), "an integer"),
        ("sibling", json!("x"), "an integer"),
        ("anchor", json!("abcd"), "a string of at most 3 characters"),
        ("id", json!(1), "a string"),
        ("odd", json!(1), "a string"),
        ("both", json!("a"), "a string of at least 2 characters"),
        ("both", json!("abcd"), "a string of at most 3 characters"),
    ] {
        let expected = format!("arguments.{key}: expected {expected}, got {value}");
        assert_eq!(refusal(&tool, &json!({key: value})).await, Some(expected));
    }
}

#[tokio::test]
async fn forms_of_older_drafts_and_boolean_schemas_are_read() {
    let schema = r##"{"$schema": "http://json-schema.org/draft-07/schema#", "id": "root", "type": "object",
        "properties": {
            "id": {"type": "integer", "minimum": 0, "exclusiveMinimum": true},
            "pair": {"type": "array", "items": [{"type": "string"}, {"type": "integer"}], "additionalItems": false},
            "named": {"$ref": "#/definitions/named"},
            "any": true,
            "none": false,
            "maybe": {"type": "string", "nullable": true},
            "marked": {"type": "string", "required": true}
        },
        "definitions": {"named": {"type": "string", "enum": ["a", "b"]}},
        "dependencies": {"pair": ["id"]}}"##;
    let tool = foreign("theirs", schema).expect("it loads");
    assert_eq!(tool.findings(), []);
    assert_eq!(tool.definition().input_schema.as_str(), schema);
    for (arguments, expected) in [
        (
            json!({"id": 1, "pair": ["a", 1], "named": "a", "any": [], "maybe": null}),
            None,
        ),
        (
            json!({"id": 0}),
            Some("arguments.id: expected an integer above 0, got 0"),
        ),
        (
            json!({"pair": []}),
            Some("arguments.id: missing, expected an integer"),
        ),
        (
            json!({"id": 1, "pair": [1]}),
            Some("arguments.pair[0]: expected a string, got 1"),
        ),
        (
            json!({"id": 1, "pair": ["a", 1, 2]}),
            Some("arguments.pair[2]: no value is allowed here, got 2"),
        ),
        (
            json!({"named": "c"}),
            Some("arguments.named: expected one of \"a\", \"b\", got \"c\""),
        ),
        (
            json!({"none": 1}),
            Some("arguments.none: no value is allowed here, got 1"),
        ),
    ] {
        let refusal = refusal(&tool, &arguments).await;
        assert_eq!(refusal.as_deref(), expected, "{arguments}");
    }
}

#[tokio::test]
async fn a_schema_that_cannot_be_checked_by_is_a_finding() {
    for schema in [
        r#"{"type":"object","properties":{"a":{"type":"text"}}}"#,
        r#"{"type":"object","properties":{"a":{"pattern":1}}}"#,
    ] {
        let tool = foreign("theirs", schema).expect("it loads");
        let [Finding::Unchecked { reason }] = tool.findings() else {
            panic!("{:?}", tool.findings());
        };
        assert!(reason.starts_with("#/properties/a"), "{reason}");
        assert_eq!(refusal(&tool, &json!({"a": 1})).await, None);
        assert!(refusal(&tool, &json!([])).await.is_some());
    }
}

#[tokio::test]
async fn the_branch_that_was_meant_is_told() {
    let schema = r##"{"type": "object", "properties": {
        "id": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        "at": {"oneOf": [
            {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
            {"type": "null"}
        ]},
        "here": {"type": "object", "required": ["name"], "properties": {
            "name": {"anyOf": [{"$ref": "#/properties/here/properties/text"}, {"type": "null"}]},
            "text": {"type": "string"}
        }}}}"##;
    let tool = foreign("theirs", schema).expect("it loads");
    for (arguments, expected) in [
        (
            json!({"id": []}),
            "arguments.id: expected a string or an integer, got []",
        ),
        (
            json!({"at": {"x": "a"}}),
            "arguments.at.x: expected an integer, got \"a\"",
        ),
        (
            json!({"at": {}}),
            "arguments.at.x: missing, expected an integer",
        ),
        (
            json!({"at": 1}),
            "arguments.at: expected an object or null, got 1",
        ),
    ] {
        let refusal = refusal(&tool, &arguments).await;
        assert_eq!(refusal.as_deref(), Some(expected), "{arguments}");
    }
}

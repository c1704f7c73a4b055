//! What is bounded is what arguments are checked by: no document means more to the check than to the
//! walk that counts.

use serde_json::json;
use toolwright::dynamic::{Finding, MAX_SCHEMA_PARTS};

use super::{
    allowance::{sparing, sparingly},
    call_with_text, foreign, refusal, violations,
};

/// Members of `$defs` that stand twice for the next one, and so for very many.
fn doubling(steps: usize) -> String {
    let step = |n: usize| {
        let next = format!(r##"{{"$ref":"#/$defs/s{}"}}"##, n + 1);
        format!(r#""s{n}":{{"anyOf":[{next},{next}]}}"#)
    };
    let definitions: Vec<_> = (0..steps).map(step).collect();
    format!(r#"{},"s{steps}":false"#, definitions.join(","))
}

#[tokio::test]
async fn schemas_that_ask_again_what_others_looked_at_are_few() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        let nested = |count: usize| {
            let inner = r#"{"properties":{"z":{}}}"#.to_owned();
            let schema = (0..count).fold(inner, |inner, _| {
                format!(r#"{{"{keyword}":[{inner}],"unevaluatedProperties":false}}"#)
            });
            let schema = format!(r#"{{"type":"object","allOf":[{schema}]}}"#);
            foreign("theirs", &schema).expect("it loads")
        };
        let tool = nested(4);
        assert_eq!(tool.findings(), []);
        assert_eq!(refusal(&tool, &json!({"z": 1})).await, None);
        assert!(refusal(&tool, &json!({"y": 1})).await.is_some());

        let tool = nested(30);
        let reason = "arguments: schemas with `unevaluatedProperties` or `unevaluatedItems` are nested more than 4 deep, which takes too long to check";
        let reason = reason.to_owned();
        assert_eq!(tool.findings(), [Finding::Unchecked { reason }]);
        assert_eq!(sparing(refusal(&tool, &json!({"z": 1}))).await, None);
    }
    // One in each object asks nothing again.
    let plain = r#"{"type":"object","unevaluatedProperties":false,"properties":{"x":"#;
    let schema = format!("{}{{}}{}", plain.repeat(8), "}}".repeat(8));
    assert_eq!(foreign("theirs", &schema).expect("it loads").findings(), []);
}

#[tokio::test]
async fn a_pointer_means_the_same_to_the_walk_and_to_the_check() {
    // `additionalItems` of older drafts is `items` today, and the pointer is none to there.
    let schema = format!(
        r##"{{"type":"object","properties":{{"q":{{"$ref":"#/$defs/t/items/0"}}}},"$defs":{{
            "t":{{"items":[{{"type":"integer"}}],"additionalItems":{{"0":{{"anyOf":[{{"$ref":"#/$defs/s0"}}]}}}}}},{}}}}}"##,
        doubling(18)
    );
    let tool = foreign("theirs", &schema).expect("it loads");
    assert_eq!(tool.findings(), []);
    assert_eq!(sparing(refusal(&tool, &json!({"q": 1}))).await, None);
    let expected = "arguments.q: expected an integer, got \"a\"";
    let refused = sparing(refusal(&tool, &json!({"q": "a"}))).await;
    assert_eq!(refused.as_deref(), Some(expected));
}

#[tokio::test]
async fn an_id_means_the_same_to_the_walk_and_to_the_check() {
    let schema = |steps: usize| {
        format!(
            r##"{{"type":"object","$id":"http://x/root","properties":{{"q":{{"$ref":"#/$defs/L"}}}},"$defs":{{
                "L":{{"$id":"http://x/dir/l","allOf":[{{"$ref":"a"}}]}},"A1":{{"$id":"a"}},
                "A2":{{"$id":"http://x/dir/a","$ref":"http://x/root#/$defs/s0"}},{}}}}}"##,
            doubling(steps)
        )
    };
    let many = format!(
        "arguments: the schema expands to more than {MAX_SCHEMA_PARTS} schemas, with the target of each `$ref` counted at each use: make it smaller"
    );
    assert_eq!(violations(&schema(18)), [many]);
    let tool = foreign("theirs", &schema(3)).expect("it loads");
    assert_eq!(tool.findings(), []);
    assert!(refusal(&tool, &json!({"q": 1})).await.is_some());
}

#[tokio::test]
async fn what_depends_on_the_way_is_not_checked_by() {
    let schema = r##"{"type":"object","$id":"http://x/r","$dynamicAnchor":"n",
        "properties":{"q":{"$ref":"http://x/inner"}},"$defs":{"inner":{"$id":"http://x/inner",
        "$dynamicRef":"#n","$defs":{"x":{"$dynamicAnchor":"n","type":"integer"}}}}}"##;
    let tool = foreign("theirs", schema).expect("it loads");
    let reason = "arguments.q: the target of `#n` depends on the path to it".to_owned();
    assert_eq!(tool.findings(), [Finding::Unchecked { reason }]);
    assert_eq!(
        sparing(refusal(&tool, &json!({"q": {"q": "a"}}))).await,
        None
    );
}

#[tokio::test]
async fn what_many_references_point_at_is_not_written_for_each() {
    let references: Vec<_> = (0..5_000)
        .map(|n| format!(r##""p{n}":{{"$ref":"#/big"}}"##))
        .collect();
    let schema = format!(
        r#"{{"type":"object","properties":{{{}}},"big":[0{}]}}"#,
        references.join(","),
        ",0".repeat(300_000)
    );
    let told = sparingly(|| violations(&schema));
    let start = format!("[0{}", ",0".repeat(29));
    let expected =
        format!("arguments.p0: expected a schema, which is an object or a boolean, got {start}…");
    assert_eq!(told, [expected]);
}

#[tokio::test]
async fn the_way_to_a_reference_is_not_kept() {
    // Where each kept the way to it, these would be gigabytes.
    let key = "K".repeat(250_000);
    let long = format!(
        r##"{{"type":"object","$defs":{{"z":{{}}}},"properties":{{"x":{{"$ref":"#/{key}"}}}},"{key}":{{"allOf":[{}]}}}}"##,
        vec![r##"{"$ref":"#/$defs/z"}"##; 9_000].join(",")
    );
    let key = "🦀".repeat(60);
    let inner = format!(
        r#"{{"allOf":[{}]}}"#,
        vec![r##"{"$ref":"#z"}"##; 60_000].join(",")
    );
    let deep = (0..45).fold(inner, |inner, _| {
        format!(r#"{{"properties":{{"{key}":{inner}}}}}"#)
    });
    let deep = format!(r#"{{"type":"object","$defs":{{"z":{{"$anchor":"z"}},"deep":{deep}}}}}"#);
    for schema in [long, deep] {
        let tool = sparingly(|| foreign("theirs", &schema));
        let tool = tool.expect("it loads");
        assert_eq!(sparing(refusal(&tool, &json!({"x": 1}))).await, None);
    }
}

#[tokio::test]
async fn many_references_to_what_has_many_keys_end() {
    let keys: Vec<_> = (0..30_000).map(|n| format!(r#""k{n}":{{}}"#)).collect();
    let references = vec![r##"{"$ref":"#/$defs/z"}"##; 9_000].join(",");
    for keyword in ["properties", "x-unknown"] {
        let schema = format!(
            r#"{{"type":"object","allOf":[{references}],"$defs":{{"z":{{"{keyword}":{{{}}}}}}}}}"#,
            keys.join(",")
        );
        let _ = sparingly(|| foreign("theirs", &schema));
    }
    // What is pointed at is written once for the check too.
    let values: Vec<_> = (0..50_000).map(|n| n.to_string()).collect();
    let schema = format!(
        r#"{{"type":"object","allOf":[{references}],"$defs":{{"z":{{"enum":[{{}},{}]}}}}}}"#,
        values.join(",")
    );
    let tool = sparingly(|| foreign("theirs", &schema));
    assert_eq!(refusal(&tool.expect("it loads"), &json!({})).await, None);
}

#[tokio::test]
async fn a_key_that_is_given_twice_is_refused() {
    let schema = r#"{"type":"object","properties":{"a":{"type":"integer"}}}"#;
    let tool = foreign("theirs", schema).expect("it loads");
    for arguments in [r#"{"a": "x", "a": 1}"#, r#"{"a": 1, "\u0061": 1}"#] {
        let result = call_with_text(&tool, arguments).await;
        let message = result.outcome.expect_err("it stands twice").message;
        assert_eq!(message, "arguments.a: given twice, expected once");
    }
}

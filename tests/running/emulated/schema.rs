//! The schema of a decision: what it takes of calls whose tools refer to definitions.

use serde_json::{Value, json};
use toolwright::{
    ChatModel, Message, ToolDefinition,
    emulation::{Emulated, ToolEmulation},
    model::{ModelRequest, ToolChoice},
    schema::Schema,
    testing::ScriptedModel,
};

use super::{CALL, text};

/// The schema of the decision about tools with these schemas, `t0` and so on.
async fn schema(tools: &[Value]) -> Value {
    let tools = tools.iter().enumerate().map(|(place, schema)| {
        let schema = Schema::from_value(schema);
        ToolDefinition::new(format!("t{place}"), "A tool.", schema)
    });
    let request = ModelRequest::new([Message::user("How is it?")])
        .with_tools(tools)
        .with_tool_choice(ToolChoice::Required);
    let inner = ScriptedModel::new([text(CALL), text(CALL)]);
    let model = Emulated::new(inner.clone(), ToolEmulation::Force);
    let _ = model.complete(&request).await;
    let answer = inner.requests()[0].answer_schema.clone();
    answer.expect("is asked for").schema.to_value()
}

/// Asserts which arguments of the tool at a place the decision takes.
fn check(schema: &Value, place: usize, arguments: &Value, expected: bool) {
    let validator = jsonschema::validator_for(schema).expect("is a schema");
    let call = json!({"name": format!("t{place}"), "arguments": arguments});
    let decision = json!({"tools": [call]});
    assert_eq!(
        validator.is_valid(&decision),
        expected,
        "{decision} by {schema}"
    );
}

#[tokio::test]
async fn definitions_of_several_tools_hold_each_for_its_own() {
    let tool = |of: &str, keyword: &str| {
        json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {"item": {"$ref": format!("#/{keyword}/Item")}},
            "required": ["item"],
            keyword: {"Item": {"type": of}},
        })
    };
    let schema = schema(&[tool("string", "$defs"), tool("integer", "definitions")]).await;
    for (place, arguments, expected) in [
        (0, json!({"item": "a"}), true),
        (0, json!({"item": 1}), false),
        (1, json!({"item": 1}), true),
        (1, json!({"item": "a"}), false),
        (1, json!({}), false),
    ] {
        check(&schema, place, &arguments, expected);
    }
}

#[tokio::test]
async fn references_lead_to_any_place_of_the_schema() {
    let recursive = json!({
        "$id": "https://example.org/tree",
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "children": {"type": "array", "items": {"$ref": "#"}},
            "other": {"$ref": "#/properties/name"},
            "list": {"$ref": "https://example.org/tree#/$defs/a%20list~1b"},
            // A member that is called like a keyword is none, and a value is no schema.
            "$ref": {"const": {"$ref": "#/$defs/nothing"}},
        },
        "required": ["name"],
        "$defs": {"a list/b": {"type": "array", "items": {"$ref": "#/$defs/Leaf"}}, "Leaf": {"type": "null"}},
    });
    let schema = schema(&[recursive]).await;
    for (arguments, expected) in [
        (json!({"name": "a", "children": [{"name": "b"}]}), true),
        (json!({"name": "a", "children": [{"name": 1}]}), false),
        (
            json!({"name": "a", "children": [{"name": "b", "children": [{}]}]}),
            false,
        ),
        (json!({"name": "a", "other": "b"}), true),
        (json!({"name": "a", "other": 1}), false),
        (json!({"name": "a", "list": [null]}), true),
        (json!({"name": "a", "list": [1]}), false),
        (
            json!({"name": "a", "$ref": {"$ref": "#/$defs/nothing"}}),
            true,
        ),
        (json!({"name": "a", "$ref": {"$ref": "#/$defs/t0"}}), false),
    ] {
        check(&schema, 0, &arguments, expected);
    }
}

/// What cannot be led is left out of the schema: the prompt has it.
#[tokio::test]
async fn arguments_are_free_where_a_reference_leads_nowhere_in_the_schema() {
    let refers = |reference: &str| json!({"properties": {"a": {"$ref": reference}}, "$defs": {"A": {"type": "null"}}});
    let tools = [
        refers("https://example.org/other#/a"),
        refers("#/$defs/None"),
        refers("#anchor"),
        json!({"properties": {"a": {"$dynamicRef": "#node"}}}),
        json!({"properties": {"a": {"$id": "https://example.org/a", "$ref": "#/$defs/A"}}}),
        refers("#/$defs/A"),
    ];
    let schema = schema(&tools).await;
    for place in 0..5 {
        check(&schema, place, &json!({"a": 1}), true);
        check(&schema, place, &json!([]), false);
    }
    check(&schema, 5, &json!({"a": 1}), false);
}

/// Each of many references into one another would be a copy of nearly all: the schema stays small.
#[tokio::test]
async fn the_schema_is_not_many_times_as_long_as_those_of_the_tools() {
    let mut nested = json!({"type": "string", "description": "x".repeat(10_000)});
    let (mut pointer, mut references) = (String::from("#"), serde_json::Map::new());
    for depth in 0..60 {
        nested = json!({"type": "object", "properties": {"a": nested}});
        pointer += "/properties/a";
        references.insert(format!("r{depth}"), json!({"$ref": pointer}));
    }
    references.insert("a".into(), nested["properties"]["a"].clone());
    let tool = json!({"type": "object", "properties": references});
    let (before, after) = (tool.to_string().len(), schema(&[tool]).await);
    assert!(after.to_string().len() < 10 * before + 100_000);
    check(&after, 0, &json!({"r0": 1}), true);
}

//! Names that are told apart: fields that are called like keywords, and types of one name.

#![allow(dead_code, reason = "only the schemas are asked for")]

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::{ToolInput, tool, toolset};

use super::super::schema;

#[derive(Debug, Deserialize, ToolInput)]
struct Leaf {
    ours: u8,
}

#[derive(Debug, Deserialize, ToolInput)]
#[tool(json_schema)]
struct Ours {
    default: Leaf,
    other: Leaf,
    examples: Leaf,
    r#enum: Leaf,
    r#const: Leaf,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Outer {
    a: Ours,
}

#[derive(Debug, Deserialize, ToolInput)]
#[tool(json_schema)]
struct Two {
    a: Leaf,
    b: Leaf,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Flattening {
    #[serde(flatten)]
    ours: Two,
    leaf: m::Leaf,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct OfOneName {
    one: Two,
    two: m::Two,
}

mod m {
    use schemars::JsonSchema;
    use serde::Deserialize;
    use toolwright::ToolInput;

    #[derive(Debug, Deserialize, JsonSchema)]
    pub(super) struct Leaf {
        theirs: bool,
    }

    #[derive(Debug, Deserialize, JsonSchema)]
    pub(super) struct Holder {
        default: Leaf,
        plain: Leaf,
    }

    pub(super) mod inner {
        #[derive(Debug, serde::Deserialize, toolwright::ToolInput)]
        pub(super) struct Leaf {
            inner: String,
        }
    }

    #[derive(Debug, Deserialize, ToolInput)]
    #[tool(json_schema)]
    pub(super) struct Two {
        a: inner::Leaf,
        b: inner::Leaf,
    }
}

/// Whether a schema takes a value.
fn takes(schema: &Value, value: &Value) -> bool {
    let validator = jsonschema::draft202012::new(schema).expect("it is a schema");
    validator.is_valid(value)
}

#[test]
fn fields_may_be_called_like_keywords() {
    let schema = schemars::schema_for!(Outer).to_value();
    let leaf = json!({"ours": 1});
    let ours =
        json!({"default": leaf, "other": leaf, "examples": leaf, "enum": leaf, "const": leaf});
    assert!(takes(&schema, &json!({ "a": ours })), "{schema}");
    for key in ["default", "other", "examples", "enum", "const"] {
        let mut value = json!({ "a": ours });
        value["a"][key] = json!({"ours": "x"});
        assert!(!takes(&schema, &value), "{key}: {schema}");
    }
}

/// Take what is called like keywords.
#[tool]
fn take(
    a: Leaf,
    b: Leaf,
    #[tool(schemars)] holder: m::Holder,
    #[tool(schemars)] ours: Ours,
) -> String {
    format!("{a:?} {b:?} {holder:?} {ours:?}")
}

#[test]
fn references_of_fields_that_are_called_like_keywords_are_renamed() {
    let tools = toolset![take];
    let schema: Value = serde_json::from_str(schema(&tools)).unwrap();
    let holder = &schema["$defs"]["Holder"]["properties"];
    assert_eq!(holder["plain"]["$ref"], "#/$defs/Leaf_2");
    assert_eq!(holder["default"]["$ref"], "#/$defs/Leaf_2");
    let ours = &schema["$defs"]["Ours"]["properties"];
    assert_eq!(ours["default"]["$ref"], "#/$defs/Ours.Leaf");
}

#[test]
fn definitions_do_not_replace_each_other() {
    let schema = schemars::schema_for!(Flattening).to_value();
    let value = json!({"a": {"ours": 1}, "b": {"ours": 2}, "leaf": {"theirs": true}});
    assert!(takes(&schema, &value), "{schema}");

    let schema = schemars::schema_for!(OfOneName).to_value();
    let one = json!({"a": {"ours": 1}, "b": {"ours": 2}});
    let two = json!({"a": {"inner": "x"}, "b": {"inner": "y"}});
    assert!(takes(&schema, &json!({"one": one, "two": two})), "{schema}");
}

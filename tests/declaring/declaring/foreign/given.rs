//! `#[tool(json_schema)]`: our types where others ask for `schemars::JsonSchema`.

#![allow(dead_code, reason = "only the schemas of some types are asked for")]

use std::{collections::BTreeMap, mem};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use toolwright::{
    __private::{Describe, Start},
    Execute, Tool, ToolContext, ToolError, ToolInput,
    tool::StaticTool,
};

/// A price.
#[derive(Debug, Deserialize, ToolInput)]
#[tool(json_schema)]
struct Price {
    /// How much.
    amount: f64,
    currency: Currency,
    before: Option<Currency>,
}

/// The currencies.
#[derive(Debug, Deserialize, ToolInput)]
#[tool(json_schema)]
enum Currency {
    /// The euro.
    Eur,
    Nok,
}

/// A page of them.
#[derive(Debug, Deserialize, ToolInput)]
#[tool(json_schema)]
struct Page<T> {
    items: Vec<T>,
    #[serde(default)]
    next: u32,
}

#[derive(Debug, Deserialize, ToolInput)]
#[tool(json_schema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Square(Side),
    Nothing,
}

#[derive(Debug, Deserialize, ToolInput)]
#[tool(json_schema)]
#[serde(deny_unknown_fields)]
struct Side {
    length: f64,
}

#[derive(Debug, Deserialize, ToolInput)]
#[tool(json_schema)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Text(String),
}

#[derive(Debug, Deserialize, ToolInput)]
#[tool(json_schema)]
struct Wrapped(BTreeMap<String, (u8, bool)>);

#[derive(Debug, Deserialize, ToolInput)]
#[tool(json_schema)]
struct Flat {
    #[serde(flatten)]
    side: Side2,
    id: uuid::Uuid,
}

#[derive(Debug, Deserialize, ToolInput)]
struct Side2 {
    length: f64,
}

#[derive(Debug, Deserialize, ToolInput)]
#[tool(json_schema)]
struct Nothing;

#[derive(Debug, Deserialize, ToolInput)]
#[tool(json_schema)]
struct Foreign {
    #[tool(schemars)]
    one: Theirs,
    #[tool(schemars)]
    two: Theirs,
}

/// A tool that is somebody else's argument too.
#[derive(Debug, Deserialize, Tool)]
#[tool(json_schema)]
struct FindPrice {
    price: Price,
}

impl Execute for FindPrice {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

/// A type that derives `JsonSchema` itself.
#[derive(Debug, Deserialize, JsonSchema)]
struct Theirs {
    price: Price,
    prices: Vec<Price>,
    page: Page<Price>,
    page_of_texts: Option<Page<String>>,
    circle: Shape,
}

/// The schema of a type by both ways. schemars calls definitions by the type too.
fn both<T: ToolInput + JsonSchema>() -> (Value, Value) {
    let node = <T::Body<Start> as Describe>::node();
    let ours = node.to_schema().to_value().to_string();
    let prefix = format!("#/$defs/{}.", T::schema_name());
    let ours = ours.replace("#/$defs/", &prefix);
    let mut ours: Value = serde_json::from_str(&ours).expect("it is JSON");
    if let Some(Value::Object(definitions)) = ours.get_mut("$defs") {
        let all = mem::take(definitions).into_iter();
        definitions.extend(all.map(|(key, value)| (format!("{}.{key}", T::schema_name()), value)));
    }
    if !node.description.is_empty() {
        ours["description"] = node.description.into();
    }
    let mut given = schemars::schema_for!(T).to_value();
    let given_members = given.as_object_mut().expect("a schema is an object");
    // What schemars writes at every root.
    assert!(given_members.remove("$schema").is_some());
    assert!(given_members.remove("title").is_some());
    (ours, given)
}

#[test]
fn both_schemas_are_equal() {
    for (ours, given) in [
        both::<Price>(),
        both::<Currency>(),
        both::<Page<Price>>(),
        both::<Page<Page<u8>>>(),
        both::<Shape>(),
        both::<Side>(),
        both::<Either>(),
        both::<Wrapped>(),
        both::<Flat>(),
        both::<Nothing>(),
        both::<Foreign>(),
        both::<FindPrice>(),
    ] {
        assert_eq!(ours, given);
    }
    let tool = FindPrice::input().to_schema().to_value();
    let given = both::<FindPrice>().1;
    assert_eq!(given["required"], tool["required"]);
    assert_eq!(given["description"], FindPrice::DESCRIPTION);
}

#[test]
fn they_stand_inside_types_of_others() {
    let schema = schemars::schema_for!(Theirs).to_value();
    assert!(jsonschema::meta::is_valid(&schema), "{schema}");
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let price = json!({"amount": 1.5, "currency": "Eur"});
    let mut value = json!({
        "price": price,
        "prices": [price],
        "page": {"items": [price]},
        "page_of_texts": {"items": ["a"], "next": 2},
        "circle": {"kind": "square", "length": 2},
    });
    assert!(validator.is_valid(&value), "{schema}");
    assert!(serde_json::from_value::<Theirs>(value.clone()).is_ok());
    value["page"]["items"][0]["currency"] = json!("USD");
    assert!(!validator.is_valid(&value), "{schema}");
    let definitions = schema["$defs"].as_object().unwrap();
    let mut keys: Vec<_> = definitions.keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(
        keys,
        [
            "Page_for_Price",
            "Page_for_Price.Currency",
            "Page_for_String",
            "Price",
            "Price.Currency",
            "Shape"
        ]
    );
}

#[test]
fn names_are_those_that_schemars_would_give() {
    assert_eq!(Price::schema_name(), "Price");
    assert_eq!(
        Page::<Page<String>>::schema_name(),
        "Page_for_Page_for_String"
    );
    assert!(Page::<u8>::schema_id().ends_with("given::Page<u8>"));
    assert!(!Price::inline_schema());
}

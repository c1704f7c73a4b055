//! Schemas that are written to do harm: each ends in an error or in a tool, and takes little.

use serde_json::{Value, json};
use toolwright::{Tool, ToolDefinition, Toolset, dynamic, schema::Schema, toolset::ToolsetError};

use super::{
    allowance::{sparing, sparingly},
    foreign, refusal, violations,
};
use crate::handwritten::Handwritten;

/// What is wrong with a schema, which is found without much, also on the stack of a small thread.
fn found(schema: &str) -> Vec<String> {
    let schema = schema.to_owned();
    let check = move || sparingly(|| violations(&schema));
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let check = thread.spawn(check).expect("a thread");
    check.join().expect("no panic")
}

fn object(properties: &str) -> String {
    format!(r#"{{"type":"object","properties":{{{properties}}}}}"#)
}

#[test]
fn a_million_lists_inside_each_other_are_refused() {
    let lists = format!(
        r#"{{"type":"object","default":{}1{}}}"#,
        "[".repeat(500_000),
        "]".repeat(500_000)
    );
    assert_eq!(
        found(&lists),
        ["arguments: arrays and objects of the schema are nested more than 100 deep"]
    );
    let longer = format!(
        r#"{{"type":"object","default":{}1{}}}"#,
        "[".repeat(1_000_000),
        "]".repeat(1_000_000)
    );
    assert_eq!(
        found(&longer),
        ["arguments: the schema has 2000029 bytes, at most 1048576 are read"]
    );
}

#[test]
fn a_set_refuses_or_takes_a_deep_schema_without_reading_it() {
    let deep = |root: &str| {
        let lists = ["[".repeat(500_000), "]".repeat(500_000)].concat();
        let schema =
            Schema::from_text(format!(r#"{{{root}"default":{lists}}}"#)).expect("it is JSON");
        Toolset::new()
            .with(Handwritten::new("deep", async |_, _| unreachable!()).with_schema(schema))
    };
    assert!(deep(r#""type":"object","#).is_ok());
    assert!(matches!(deep(""), Err(ToolsetError::Schema { .. })));
}

#[test]
fn numbers_and_texts_that_nothing_holds_are_refused() {
    for schema in [
        r#"{"type":"object","maximum":1e999}"#,
        r#"{"type":"object","title":"\ud800"}"#,
    ] {
        let [violation] = &found(schema)[..] else {
            panic!("it is one mistake");
        };
        assert!(
            violation.starts_with("arguments: the schema cannot be read: "),
            "{violation}"
        );
    }
}

#[tokio::test]
async fn ten_thousand_properties_are_taken() {
    let properties: Vec<_> = (0..10_000)
        .map(|n| format!(r#""p{n}":{{"type":"integer"}}"#))
        .collect();
    let schema = object(&properties.join(","));
    let tool = sparingly(|| foreign("theirs", &schema)).expect("it loads");
    let few = json!({"p1": 1, "p9999": 2});
    assert_eq!(sparing(refusal(&tool, &few)).await, None);
    let expected = "arguments.p77: expected an integer, got \"a\"";
    assert_eq!(
        refusal(&tool, &json!({"p77": "a"})).await.as_deref(),
        Some(expected)
    );
}

#[test]
fn ten_thousand_mistakes_are_counted() {
    let names: Vec<_> = (0..10_000).map(|n| format!(r#""p{n}":5"#)).collect();
    let error = foreign("theirs", &object(&names.join(","))).expect_err("none is a schema");
    assert_eq!((error.violations().len(), error.untold()), (50, 9_950));
    assert!(error.to_string().ends_with("and 9950 more"));
}

#[test]
fn a_schema_that_contains_itself_is_refused() {
    let itself =
        "contains itself: arguments must end, so take a flat list whose entries name each other";
    for (schema, place) in [
        (r##"{"type":"object","$ref":"#"}"##, "arguments"),
        (
            r##"{"type":"object","properties":{"x":{"$ref":"#"}}}"##,
            "arguments.x",
        ),
        (
            r#"{"type":"object","$id":"a","properties":{"x":{"$ref":"a"}}}"#,
            "arguments.x",
        ),
        (
            r##"{"type":"object","$recursiveAnchor":true,"properties":{"x":{"$recursiveRef":"#"}}}"##,
            "arguments.x",
        ),
        (
            r##"{"type":"object","$dynamicAnchor":"n","properties":{"x":{"$dynamicRef":"#n"}}}"##,
            "arguments.x",
        ),
        (
            r##"{"type":"object","$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}}}"##,
            "arguments",
        ),
        (
            r##"{"type":"object","properties":{"x":{"$ref":"#/$defs/tree"}},"$defs":{"tree":{"type":"object",
                "properties":{"children":{"type":"array","items":{"$ref":"#/$defs/tree"}}}}}}"##,
            "arguments.x.children[]",
        ),
    ] {
        assert_eq!(found(schema), [format!("{place}: {itself}")], "{schema}");
    }
}

/// Definitions that stand twice for the next one, and so for very many.
fn doubling(steps: usize, keyword: &str, last: &str) -> String {
    let step = |n: usize| {
        let next = format!(r##"{{"$ref":"#/$defs/s{}"}}"##, n + 1);
        format!(r#""s{n}":{{"{keyword}":[{next},{next}]}}"#)
    };
    let definitions: Vec<_> = (0..steps).map(step).collect();
    format!(
        r##"{{"type":"object","properties":{{"x":{{"$ref":"#/$defs/s0"}}}},"$defs":{{{},"s{steps}":{last}}}}}"##,
        definitions.join(",")
    )
}

#[tokio::test]
async fn what_a_schema_stands_for_is_bounded() {
    let many = format!(
        "arguments: the schema expands to more than {} schemas, with the target of each `$ref` counted at each use: make it smaller",
        dynamic::MAX_SCHEMA_PARTS
    );
    for keyword in ["anyOf", "allOf", "oneOf"] {
        let violations = found(&doubling(40, keyword, "false"));
        assert_eq!(violations, [many.as_str()], "{keyword}");
    }
    // One that is just not refused is checked by in bounded time too.
    let tool = foreign("theirs", &doubling(12, "anyOf", "false")).expect("it is small enough");
    let many = json!({"x": vec![1; 1000]});
    assert!(sparing(refusal(&tool, &many)).await.is_some());
}

#[test]
fn a_long_chain_of_references_is_refused() {
    let step = |n: usize| format!(r##""s{n}":{{"$ref":"#/$defs/s{}"}}"##, n + 1);
    let definitions: Vec<_> = (0..10_000).map(step).collect();
    let schema = format!(
        r##"{{"type":"object","properties":{{"x":{{"$ref":"#/$defs/s0"}}}},"$defs":{{{},"s10000":{{}}}}}}"##,
        definitions.join(",")
    );
    let expected = "arguments.x: schemas are nested more than 128 deep: flatten them";
    assert_eq!(found(&schema), [expected]);
}

#[tokio::test]
async fn patterns_that_explode_end() {
    let text = format!("{}!", "a".repeat(60));
    for pattern in ["^(a+)+$", "^(a|aa)+$", r"^(a|a?)+$", r"^((a+)+)+$"] {
        let schema = object(&format!(r#""x":{{"pattern":{}}}"#, json!(pattern)));
        let tool = foreign("theirs", &schema).expect("it loads");
        // One that tried every way through the text would not end in a lifetime.
        let refusal = refusal(&tool, &json!({"x": text})).await;
        assert!(refusal.is_some(), "{pattern} {:?}", tool.findings());
    }
}

#[tokio::test]
async fn deep_arguments_are_refused() {
    let tool = foreign("theirs", &object(r#""x":{}"#)).expect("it loads");
    let deep = format!(r#"{{"x":{}{}}}"#, "[".repeat(500_000), "]".repeat(500_000));
    let result = super::call_with_text(&tool, &deep).await;
    let message = result.outcome.expect_err("it is too deep").message;
    assert_eq!(
        message,
        "arguments: arrays and objects are nested more than 127 deep"
    );
}

/// A generator of no quality, which gives the same documents in every run.
struct Documents(u64);

impl Documents {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }

    fn schema(&mut self, depth: usize) -> Value {
        const KEYWORDS: [&str; 30] = [
            "type",
            "properties",
            "required",
            "items",
            "prefixItems",
            "additionalItems",
            "anyOf",
            "allOf",
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "$ref",
            "$dynamicRef",
            "$defs",
            "definitions",
            "$id",
            "id",
            "$anchor",
            "dependencies",
            "dependentSchemas",
            "pattern",
            "patternProperties",
            "additionalProperties",
            "exclusiveMinimum",
            "enum",
            "const",
            "nullable",
            "propertyNames",
        ];
        let count = self.below(5);
        let members = (0..count).map(|_| {
            let keyword = KEYWORDS[self.below(KEYWORDS.len())];
            (keyword.to_owned(), self.value(keyword, depth))
        });
        Value::Object(members.collect())
    }

    /// Mostly what a keyword holds, and sometimes what it must not hold.
    fn value(&mut self, keyword: &str, depth: usize) -> Value {
        const REFERENCES: [&str; 9] = [
            "#",
            "#/$defs/a",
            "#/properties/b",
            "#a",
            "a",
            "#/%",
            "http://a/b",
            "#/allOf/0",
            "##",
        ];
        let what = if self.below(8) == 0 { self.below(7) } else { 7 };
        match (what, keyword) {
            (0, _) => Value::Null,
            (1, _) => json!(self.below(3) == 0),
            (2, _) => json!(self.below(100)),
            (3 | 7, "$ref" | "$dynamicRef" | "$id" | "id" | "$anchor") => {
                json!(REFERENCES[self.below(REFERENCES.len())])
            }
            (7, "type") => json!(["object", "array", "string", "text"][self.below(4)]),
            (7, "required" | "enum") => json!(["a", "b"][..self.below(3)]),
            (7, "pattern") => json!(["^a", "(a", "(?=a)", "a{9999}"][self.below(4)]),
            (7, "exclusiveMinimum" | "nullable" | "const") => json!(true),
            _ if depth == 0 => json!(self.below(2) == 0),
            (4, _) | (7, "allOf" | "anyOf" | "oneOf" | "prefixItems") => {
                let count = self.below(3);
                (0..count).map(|_| self.schema(depth - 1)).collect()
            }
            (5, _)
            | (
                7,
                "properties" | "$defs" | "definitions" | "dependencies" | "dependentSchemas"
                | "patternProperties",
            ) => {
                let count = self.below(3);
                let members = (0..count).map(|_| {
                    let key = ["a", "b", "$ref"][self.below(3)].to_owned();
                    (key, self.schema(depth - 1))
                });
                Value::Object(members.collect())
            }
            _ => self.schema(depth - 1),
        }
    }
}

#[tokio::test]
async fn whatever_a_schema_is_made_of_it_loads_or_is_refused() {
    let mut documents = Documents(11);
    let (mut loaded, mut checked) = (0, 0);
    for _ in 0..8_000 {
        let mut schema = documents.schema(5);
        schema["type"] = json!("object");
        let text = schema.to_string();
        let Ok(tool) = foreign("theirs", &text) else {
            continue;
        };
        loaded += 1;
        checked += usize::from(tool.findings().is_empty());
        assert_eq!(tool.definition().input_schema.as_str(), text);
        refusal(&tool, &json!({"a": {"b": [1]}, "b": "a"})).await;
        refusal(&tool, &json!({})).await;
    }
    assert!(loaded > 400 && checked > 200, "{loaded} {checked}");
}

#[test]
fn a_name_of_a_megabyte_is_shown_short() {
    let schema = Schema::from_text(r#"{"type":"object"}"#).expect("it is JSON");
    let definition = ToolDefinition::new("ß".repeat(1 << 20), "A long name.", schema);
    let run = async |_, _| Ok::<_, toolwright::ToolError>(());
    let tool = dynamic::DynamicTool::foreign(definition, run).expect("it loads");
    assert_eq!(tool.definition().name.len(), 64);
}

//! What a request has room for, names, and what is said of both.

use toolwright_core::ToolDefinition;

use super::tool;
use crate::profile::{LossKind, Profile, Reason};

fn tools(count: usize, schema: &str) -> Vec<ToolDefinition> {
    let named = |number| ToolDefinition {
        name: format!("tool_{number}").into(),
        ..tool(schema)
    };
    (0..count).map(named).collect()
}

#[test]
fn tools_fall_back_one_by_one_when_the_budget_is_spent() {
    // Ten optional members each: two tools fit into 24.
    let members: Vec<_> = (0..10)
        .map(|n| format!(r#""m{n}":{{"type":"string"}}"#))
        .collect();
    let large = format!(
        r#"{{"type":"object","properties":{{{}}}}}"#,
        members.join(",")
    );
    let mut all = tools(3, &large);
    all.push(tool(r#"{"type":"object"}"#));
    let set = Profile::anthropic_strict()
        .render_all(&all)
        .expect("all can be sent");
    let strict: Vec<_> = set.tools.iter().map(|tool| tool.strict).collect();
    assert_eq!(strict, [true, true, false, true]);
    let said: Vec<_> = set.fallbacks.iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "`tool_2` cannot be sent to anthropic_strict: arguments: a request has room for 24 optional members, and the tools before it leave too few; it is sent as anthropic instead"
        ]
    );
    let set = Profile::anthropic_strict().render_all(&tools(25, r#"{"type":"object"}"#));
    assert_eq!(
        set.expect("all can be sent").fallbacks.len(),
        5,
        "20 strict tools in a request"
    );
    let union =
        r#"{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"]}"#;
    let set = Profile::anthropic_strict().render_all(&tools(20, union));
    assert_eq!(
        set.expect("all can be sent").fallbacks.len(),
        4,
        "16 unions in a request"
    );
}

#[test]
fn too_many_tools_are_refused() {
    let refusal = Profile::openai()
        .render_all(&tools(129, r#"{"type":"object"}"#))
        .expect_err("128 at most");
    assert_eq!(refusal.tool, "tool_128");
    assert_eq!(
        refusal.reason,
        Reason::Budget {
            what: "tools",
            limit: 128
        }
    );
    let mut larger = Profile::openai();
    larger.budget.tools = None;
    assert!(
        larger
            .render_all(&tools(129, r#"{"type":"object"}"#))
            .is_ok()
    );
}

#[test]
fn a_tool_that_is_too_large_alone_blames_no_other() {
    let members: Vec<_> = (0..25)
        .map(|n| format!(r#""m{n}":{{"type":"integer"}}"#))
        .collect();
    let schema = format!(
        r#"{{"type":"object","properties":{{{}}}}}"#,
        members.join(",")
    );
    let set = Profile::anthropic_strict()
        .render_all(&tools(2, &schema))
        .expect("all can be sent");
    for fallback in &set.fallbacks {
        assert_eq!(
            fallback.refusal.reason.to_string(),
            "a request has room for 24 optional members, and this tool alone needs more"
        );
    }
    assert_eq!(set.fallbacks.len(), 2);
}

#[test]
fn the_others_are_sent_without_a_tool_that_is_refused() {
    let mut all = tools(2, r#"{"type":"object"}"#);
    all[0].input_schema = tool(r#"{"type":"object","properties":{"a-b":{}}}"#).input_schema;
    let gemini = Profile::gemini();
    assert!(gemini.render_all(&all).is_err());
    let set = gemini.render_accepted(&all);
    assert_eq!(set.tools.len(), 1);
    assert_eq!(set.tools[0].name, "tool_1");
    assert_eq!(set.left_out.len(), 1);
    assert_eq!(set.left_out[0].tool, "tool_0");
    let set = Profile::openai().render_accepted(&tools(130, r#"{"type":"object"}"#));
    assert_eq!((set.tools.len(), set.left_out.len()), (128, 2));
}

#[test]
fn a_tool_that_no_request_has_room_for_is_refused() {
    let members: Vec<_> = (0..25)
        .map(|n| format!(r#""m{n}":{{"type":"string"}}"#))
        .collect();
    let large = format!(
        r#"{{"type":"object","properties":{{{}}}}}"#,
        members.join(",")
    );
    let refusal = Profile::anthropic_strict()
        .render(&tool(large))
        .expect_err("it is too large");
    assert_eq!(
        refusal.to_string(),
        "`take` cannot be sent to anthropic_strict: arguments: a request has room for 24 optional members, and this tool alone needs more"
    );
    let values: Vec<_> = (0..1_001).map(|n| format!("{n}")).collect();
    let large = format!(
        r#"{{"type":"object","properties":{{"a":{{"enum":[{}]}}}}}}"#,
        values.join(",")
    );
    let refusal = Profile::openai_strict()
        .render(&tool(large))
        .expect_err("it is too large");
    assert_eq!(
        refusal.reason,
        Reason::TooMuch {
            what: "values of enums",
            limit: 1_000
        }
    );
}

#[test]
fn each_use_of_a_definition_counts() {
    let members: Vec<_> = (0..10)
        .map(|n| format!(r##""m{n}":{{"$ref":"#/$defs/U"}}"##))
        .collect();
    let names: Vec<_> = (0..10).map(|n| format!(r#""m{n}""#)).collect();
    let schema = format!(
        r#"{{"type":"object","properties":{{{}}},"required":[{}],"$defs":{{"U":{{"anyOf":[
            {{"type":"string"}},
            {{"type":"object","properties":{{"x":{{"type":"string"}}}},"additionalProperties":false}}]}}}}}}"#,
        members.join(","),
        names.join(",")
    );
    let sent = Profile::anthropic_strict().render(&tool(schema));
    let cost = sent.expect("it can be sent").cost;
    assert_eq!((cost.unions, cost.optional), (10, 10));
}

#[test]
fn sums_of_names_and_values_are_limited() {
    let values: Vec<_> = (0..600).map(|n| format!(r#""value {n}""#)).collect();
    let schema = format!(
        r#"{{"type":"object","properties":{{"a":{{"enum":[{}]}}}}}}"#,
        values.join(",")
    );
    let set = Profile::openai_strict()
        .render_all(&tools(2, &schema))
        .expect("all can be sent");
    assert_eq!(
        set.fallbacks[0].refusal.reason,
        Reason::Budget {
            what: "values of enums",
            limit: 1_000
        }
    );
    let values: Vec<_> = (0..300).map(|n| format!(r#""{n:060}""#)).collect();
    let schema = format!(
        r#"{{"type":"object","properties":{{"a":{{"enum":[{}]}}}}}}"#,
        values.join(",")
    );
    let refusal = Profile::openai_strict()
        .render(&tool(schema))
        .expect_err("it is too large");
    assert_eq!(refusal.reason, Reason::LargeEnum { limit: 15_000 });
}

#[test]
fn names_are_refused_with_what_is_allowed() {
    let named = |name: &'static str| {
        ToolDefinition::new(
            name,
            "Take a value.",
            tool(r#"{"type":"object"}"#).input_schema,
        )
    };
    let refusal = Profile::openai().render(&named("a.b")).expect_err("a dot");
    assert_eq!(
        refusal.to_string(),
        "`a.b` cannot be sent to openai: name: the name `a.b` is not allowed ([a-zA-Z0-9_-]{1,64}); choose another"
    );
    assert!(Profile::gemini().render(&named("a.b")).is_ok());
    assert!(Profile::gemini().render(&named("1a")).is_err());
    assert!(Profile::ollama().render(&named("é è")).is_ok());
    assert!(Profile::anthropic().render(&named("")).is_err());
}

#[test]
fn a_description_that_is_too_long_is_cut_and_listed() {
    let mut long = tool(r#"{"type":"object"}"#);
    long.description = "é".repeat(1_025).into();
    let sent = Profile::portable().render(&long).expect("it can be sent");
    assert_eq!(sent.description.chars().count(), 1_024);
    assert_eq!(
        (sent.losses[0].path.as_str(), sent.losses[0].kind),
        ("description", LossKind::Dropped)
    );
    assert_eq!(
        Profile::openai()
            .render(&long)
            .expect("it can be sent")
            .description,
        long.description
    );
}

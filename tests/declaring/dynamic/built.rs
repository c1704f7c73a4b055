//! Tools from the builder.

use serde_json::json;
use toolwright::{
    Tool, ToolCall, ToolError,
    dynamic::{DynamicTool, DynamicToolBuilder, Parameter},
    tool::{Effects, ToolHints, ToolPolicy},
};

use super::{call, call_with_text, refusal};

fn weather() -> DynamicToolBuilder {
    let place = Parameter::object()
        .description("Where to look.")
        .required("latitude", Parameter::number().range(-90.0..=90.0))
        .optional("name", Parameter::string().length(1..=20));
    DynamicTool::builder("get_weather", " Get the weather in a place. ")
        .title("Weather")
        .hints(ToolHints::NONE.with_read_only(true))
        .required("place", place)
        .optional("days", Parameter::integer().range(1..8).default(3))
        .optional("unit", Parameter::choice(["celsius", "kelvin"]))
        .optional(
            "tags",
            Parameter::array(Parameter::string().pattern("^[a-z]+$")).items(..=2),
        )
        .optional(
            "since",
            Parameter::string().format("date").example("2026-01-31"),
        )
        .optional("raw", Parameter::boolean())
        .optional("extra", Parameter::any())
}

fn count(call: &ToolCall) -> Result<usize, ToolError> {
    let arguments: serde_json::Map<_, _> = call.decode()?;
    Ok(arguments.len())
}

fn built() -> DynamicTool {
    weather()
        .build(async |call, _cx| count(&call))
        .expect("every rule holds")
}

#[test]
fn the_schema_is_in_the_form_of_declared_tools() {
    let tool = built();
    let definition = tool.definition();
    assert_eq!(
        definition.input_schema.as_str(),
        concat!(
            r#"{"type":"object","properties":{"#,
            r#""place":{"type":"object","properties":{"#,
            r#""latitude":{"type":"number","minimum":-90.0,"maximum":90.0},"#,
            r#""name":{"type":["string","null"],"minLength":1,"maxLength":20}},"#,
            r#""required":["latitude"],"additionalProperties":false,"description":"Where to look."},"#,
            r#""days":{"type":"integer","minimum":1,"maximum":7,"default":3},"#,
            r#""unit":{"anyOf":[{"type":"string","enum":["celsius","kelvin"]},{"type":"null"}]},"#,
            r#""tags":{"anyOf":[{"type":"array","items":{"type":"string","pattern":"^[a-z]+$"},"maxItems":2},{"type":"null"}]},"#,
            r#""since":{"type":["string","null"],"format":"date","examples":["2026-01-31"]},"#,
            r#""raw":{"type":["boolean","null"]},"extra":{}},"#,
            r#""required":["place"],"additionalProperties":false}"#,
        )
    );
    assert_eq!(definition.description, "Get the weather in a place.");
    assert_eq!(definition.title.as_deref(), Some("Weather"));
    assert_eq!(tool.policy().effects, Effects::ReadOnly);
    assert_eq!(
        (tool.original_name(), tool.findings()),
        ("get_weather", &[][..])
    );
}

#[test]
fn a_policy_that_is_given_counts() {
    let policy = ToolPolicy::default().with_sequential();
    let tool = weather()
        .policy(policy)
        .build(async |call, _cx| count(&call));
    assert_eq!(tool.expect("every rule holds").policy(), policy);
}

#[tokio::test]
async fn arguments_that_fit_reach_the_closure() {
    let tool = built();
    let arguments = json!({
        "place": {"latitude": 59.9, "name": null}, "days": 3.0, "unit": "celsius",
        "tags": ["a"], "since": "2026-01-31", "raw": null, "extra": [1],
    });
    assert_eq!(call(&tool, &arguments).await.to_model_text(), "7");
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_refused_with_their_place() {
    let tool = built();
    for (arguments, expected) in [
        (json!({}), "arguments.place: missing, expected an object"),
        (json!([]), "arguments: expected an object, got []"),
        (
            json!({"place": {"latitude": 91}}),
            "arguments.place.latitude: expected a number from -90.0 to 90.0, got 91",
        ),
        (
            json!({"place": {"latitude": "north", "name": ""}, "days": 0, "extra": 1, "raw": 1}),
            "arguments.days: expected an integer from 1 to 7, got 0; \
             arguments.place.latitude: expected a number, got \"north\"; \
             arguments.place.name: expected a string of 1 to 20 characters, got \"\"; and 1 more",
        ),
        (
            json!({"place": {"latitude": 1}, "unit": "rankine", "tags": ["a", "B"]}),
            "arguments.tags[1]: expected a string that matches the pattern `^[a-z]+$`, got \"B\"; \
             arguments.unit: expected one of \"celsius\", \"kelvin\" or null, got \"rankine\"",
        ),
        (
            json!({"place": {"latitude": 1}, "since": "soon", "untis": "kelvin"}),
            "arguments.since: expected a string of the format `date`, got \"soon\"; \
             arguments.untis: unknown, expected one of \"unit\", \"days\", \"extra\", \"tags\", \
             \"place\", \"raw\", \"since\"",
        ),
    ] {
        let refusal = refusal(&tool, &arguments).await;
        assert_eq!(refusal.as_deref(), Some(expected), "{arguments}");
    }
    let broken = call_with_text(&tool, r#"{"place": "#).await;
    let message = broken.outcome.expect_err("it is not JSON").message;
    assert!(
        message.starts_with("the arguments are not valid JSON: "),
        "{message}"
    );
}

#[tokio::test]
async fn no_arguments_are_an_object_without_any() {
    let tool = DynamicTool::builder("ping", "Answers with pong.")
        .build_blocking(|call, cx| {
            assert_eq!(cx.call_id(), "1");
            call.decode::<serde_json::Map<_, _>>()
                .map(|arguments| arguments.len())
        })
        .expect("every rule holds");
    for text in ["", "null", "{}", " {} "] {
        assert_eq!(
            call_with_text(&tool, text).await.to_model_text(),
            "0",
            "{text:?}"
        );
    }
}

#[tokio::test]
async fn a_bound_is_the_number_that_is_written() {
    let tool = DynamicTool::builder("find", "Find whatever there is.")
        .required("share", Parameter::number().range(0.1_f32..=0.7_f32))
        .required("count", Parameter::integer().range(0..u128::MAX))
        .build(async |call, _cx| count(&call))
        .expect("every rule holds");
    let schema = tool.definition().input_schema.as_str();
    assert!(
        schema.contains(r#""minimum":0.1,"maximum":0.7}"#),
        "{schema}"
    );
    for share in [0.1, 0.7] {
        let arguments = json!({"share": share, "count": u64::MAX});
        assert_eq!(refusal(&tool, &arguments).await, None, "{share}");
    }
    let arguments = json!({"share": 0.71, "count": -1});
    assert!(refusal(&tool, &arguments).await.is_some());
}

#[tokio::test]
async fn every_format_that_is_taken_is_checked_for() {
    for format in [
        "date",
        "date-time",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "iri",
        "iri-reference",
        "json-pointer",
        "regex",
        "relative-json-pointer",
        "time",
        "uri",
        "uri-reference",
        "uri-template",
        "uuid",
    ] {
        let tool = DynamicTool::builder("find", "Find whatever there is.")
            .required("x", Parameter::string().format(format))
            .build(async |call, _cx| count(&call))
            .expect("every rule holds");
        let refused = refusal(&tool, &json!({"x": "\0 (((%{"})).await;
        assert!(refused.is_some(), "{format}");
    }
}

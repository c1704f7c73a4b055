use serde_json::{Value, json};
use toolwright_core::{
    Message, ModelRequest, ToolChoice, ToolDefinition, model::ModelSettings, schema::Schema,
};

use super::super::GeminiCodec;
use crate::provider::{Codec, EncodeInput};

fn asked(settings: ModelSettings) -> ModelRequest {
    ModelRequest::new([Message::user("Hi")]).with_settings(settings)
}

fn with_tool(settings: ModelSettings) -> ModelRequest {
    let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
    asked(settings).with_tools([ToolDefinition::new("look", "Looks.", schema)])
}

fn field(model: &str, request: &ModelRequest, name: &str) -> Value {
    let mut body: Value =
        serde_json::from_slice(&GeminiCodec::new().body(EncodeInput::new(model, request)))
            .expect("is JSON");
    body[name].take()
}

fn codes(request: &ModelRequest) -> Vec<String> {
    let all = GeminiCodec::new().warnings(request).into_iter();
    all.map(|warning| warning.code).collect()
}

#[test]
fn settings_stand_in_the_generation_config() {
    let settings = ModelSettings::new()
        .with_temperature(0.5)
        .with_max_output_tokens(100)
        .with_stop_sequences(["END", ""])
        .with_seed(7);
    let request = asked(settings);
    assert_eq!(
        field("m", &request, "generationConfig"),
        json!({"temperature": 0.5, "maxOutputTokens": 100, "stopSequences": ["END"], "seed": 7})
    );
    assert_eq!(codes(&request), ["stop_sequence_ignored"]);
    let plain = asked(ModelSettings::new());
    assert_eq!(field("m", &plain, "generationConfig"), Value::Null);
    assert_eq!(codes(&plain), [""; 0]);
}

#[test]
fn fields_of_the_user_win_one_by_one() {
    let settings = ModelSettings::new()
        .with_temperature(0.5)
        .with_seed(7)
        .with_extra("generationConfig", json!({"seed": 8, "topK": 1}))
        .with_extra(
            "toolConfig",
            json!({"includeServerSideToolInvocations": true}),
        )
        .with_extra("safetySettings", json!([]));
    let request = with_tool(settings).with_tool_choice(ToolChoice::Required);
    assert_eq!(
        field("m", &request, "generationConfig"),
        json!({"temperature": 0.5, "seed": 8, "topK": 1})
    );
    assert_eq!(
        field("m", &request, "toolConfig"),
        json!({"includeServerSideToolInvocations": true, "functionCallingConfig": {"mode": "ANY"}})
    );
    assert_eq!(field("m", &request, "safetySettings"), json!([]));
    let text = String::from_utf8(GeminiCodec::new().body(EncodeInput::new("m", &request)))
        .expect("is text");
    for name in [
        "\"generationConfig\"",
        "\"toolConfig\"",
        "\"safetySettings\"",
    ] {
        assert_eq!(text.matches(name).count(), 1, "{name}");
    }
    let other = asked(
        ModelSettings::new()
            .with_seed(1)
            .with_extra("generationConfig", 5),
    );
    assert_eq!(field("m", &other, "generationConfig"), 5);
}

#[test]
fn a_choice_is_a_mode() {
    let check = |choice: ToolChoice, expected: Value| {
        let request = with_tool(ModelSettings::new()).with_tool_choice(choice.clone());
        let config = field("m", &request, "toolConfig");
        assert_eq!(config["functionCallingConfig"], expected);
        let alone = asked(ModelSettings::new()).with_tool_choice(choice);
        assert_eq!(field("m", &alone, "toolConfig"), Value::Null);
    };
    check(ToolChoice::Auto, Value::Null);
    check(ToolChoice::None, json!({"mode": "NONE"}));
    check(ToolChoice::Required, json!({"mode": "ANY"}));
    check(
        ToolChoice::Tool("look".into()),
        json!({"mode": "ANY", "allowedFunctionNames": ["look"]}),
    );
}

#[test]
fn an_effort_is_a_level_or_a_budget() {
    let check = |model, effort: &str, expected: Value| {
        let request = asked(ModelSettings::new().with_reasoning_effort(effort));
        let config = field(model, &request, "generationConfig");
        assert_eq!(config["thinkingConfig"], expected, "{model} {effort}");
    };
    let budget = |tokens: i32| json!({"includeThoughts": true, "thinkingBudget": tokens});
    let level = |word: &str| json!({"includeThoughts": true, "thinkingLevel": word});
    for model in ["gemini-3-pro-preview", "gemini-flash-latest"] {
        check(model, "low", level("low"));
        check(model, "high", level("high"));
        check(model, "LOW", level("LOW"));
        // Thinking cannot be turned off.
        check(model, "none", level("low"));
        check(model, "512", budget(512));
    }
    for (word, tokens) in [
        ("minimal", 1024),
        ("low", 1024),
        ("medium", 8192),
        ("high", 24576),
    ] {
        check("gemini-2.5-flash", word, budget(tokens));
    }
    check("gemini-2.5-flash", "-1", budget(-1));
    check("gemini-2.5-flash", "none", json!({"thinkingBudget": 0}));
    // It takes no level.
    check("gemini-2.5-flash", "extreme", budget(24576));
    check("gemma-3", "extreme", level("extreme"));
}

#[test]
fn what_cannot_be_done_is_said() {
    let one = ModelSettings::new().with_parallel_tool_calls(false);
    assert_eq!(
        codes(&with_tool(one.clone())),
        ["parallel_tool_calls_ignored"]
    );
    assert_eq!(codes(&asked(one)), [""; 0]);
    let several = ModelSettings::new().with_parallel_tool_calls(true);
    assert_eq!(codes(&with_tool(several)), [""; 0]);

    let large = asked(ModelSettings::new().with_seed(1 << 40));
    assert_eq!(codes(&large), ["seed_ignored"]);
    assert_eq!(field("m", &large, "generationConfig"), Value::Null);

    let many = asked(ModelSettings::new().with_stop_sequences(["1", "2", "3", "4", "5", "6"]));
    assert_eq!(codes(&many), ["stop_sequence_ignored"]);
    let sent = field("m", &many, "generationConfig");
    assert_eq!(sent["stopSequences"], json!(["1", "2", "3", "4", "5"]));
}

//! Every setting that a generation of models may refuse, for a model of each: what is sent is what it takes.
//!
//! What each takes stands here as the documentation of its provider says it, apart from the tables of the codecs.

use serde_json::Value;
use toolwright_core::{Message, ModelRequest, ModelSettings, Schema, ToolChoice, ToolDefinition};

use crate::provider::{
    AnthropicCodec, Codec, EncodeInput, GeminiCodec, OpenAiChatCodec, OpenAiResponsesCodec,
};

const EFFORTS: [Option<&str>; 11] = [
    None,
    Some("none"),
    Some("minimal"),
    Some("low"),
    Some("medium"),
    Some("high"),
    Some("xhigh"),
    Some("max"),
    Some("0"),
    Some("2000"),
    Some("60000"),
];

/// All requests of the settings.
fn requests() -> impl Iterator<Item = ModelRequest> {
    let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
    let tool = ToolDefinition::new("look", "Looks.", schema);
    let choices = [
        ToolChoice::Auto,
        ToolChoice::None,
        ToolChoice::Required,
        ToolChoice::Tool("look".into()),
    ];
    let all = EFFORTS.into_iter().flat_map(move |effort| {
        let choices = choices.clone();
        choices.into_iter().flat_map(move |choice| {
            let temperatures = [None, Some(0.0), Some(1.0), Some(1.5)];
            temperatures
                .into_iter()
                .map(move |temperature| (effort, choice.clone(), temperature))
        })
    });
    all.flat_map(move |(effort, choice, temperature)| {
        let tool = tool.clone();
        let rest = [
            (None, None),
            (Some(false), None),
            (None, Some(2_000)),
            (Some(true), Some(500)),
        ];
        rest.into_iter().map(move |(parallel, most)| {
            let mut settings = ModelSettings::new().with_stop_sequences(["END", "\n"]);
            settings.reasoning_effort = effort.map(str::to_owned);
            settings.temperature = temperature;
            settings.parallel_tool_calls = parallel;
            settings.max_output_tokens = most;
            ModelRequest::new([Message::user("Hi")])
                .with_tools([tool.clone()])
                .with_tool_choice(choice.clone())
                .with_settings(settings)
        })
    })
}

fn check(codec: &impl Codec, models: &[&str], refused: fn(&str, &Value) -> Option<&'static str>) {
    for model in models {
        let mut number = 0;
        for request in requests() {
            number += 1;
            let input = EncodeInput::new(model, &request).with_server("api.openai.com");
            let body = codec.encode(input).expect("is sent");
            let body: Value = serde_json::from_slice(&body).expect("is JSON");
            if let Some(why) = refused(model, &body) {
                panic!("{model} refuses {why}: {:?} as {body}", request.settings);
            }
        }
        assert_eq!(number, 11 * 4 * 4 * 4);
    }
}

/// <https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html>,
/// <https://platform.claude.com/docs/en/build-with-claude/extended-thinking>,
/// <https://platform.claude.com/docs/en/models/opus-5-5/whats-new-opus-5-5>
fn claude_refuses(model: &str, body: &Value) -> Option<&'static str> {
    let is = |names: &[&str]| names.iter().any(|name| model.starts_with(name));
    let budgets = is(&["claude-3-7", "claude-opus-4-1", "claude-haiku-4-5"]);
    let both = is(&["claude-opus-4-6", "claude-sonnet-4-6"]);
    let always = is(&["claude-opus-5-5", "claude-fable", "claude-mythos"]);
    let adaptive = always || is(&["claude-opus-4-8", "claude-opus-5", "claude-sonnet-5"]);
    let unforced = is(&["claude-opus-5-5", "claude-fable-5-1"]);
    let kind = body["thinking"]["type"].as_str().unwrap_or_default();
    let effort = body["output_config"]["effort"].as_str();
    let forced = matches!(body["tool_choice"]["type"].as_str(), Some("any" | "tool"));
    let most = body["max_tokens"].as_u64().unwrap_or_default();
    let budget = body["thinking"]["budget_tokens"].as_u64();
    let temperature = body["temperature"].as_f64();
    let rules = [
        (kind == "enabled" && !(budgets || both), "a budget"),
        (
            kind == "adaptive" && !(both || adaptive),
            "adaptive thinking",
        ),
        (kind == "disabled" && always, "no thinking"),
        (effort.is_some() && !(both || adaptive), "an effort"),
        (effort == Some("xhigh") && both, "the effort xhigh"),
        (
            effort
                .is_some_and(|effort| !["low", "medium", "high", "xhigh", "max"].contains(&effort)),
            "an unknown effort",
        ),
        (
            kind == "disabled" && matches!(effort, Some("xhigh" | "max")),
            "an effort without thinking",
        ),
        (
            budget.is_some_and(|budget| budget < 1024 || budget >= most),
            "the size of a budget",
        ),
        (
            budgets && most > 32_000 && budget.is_some_and(|budget| budget < 60_000),
            "so long an answer",
        ),
        (
            forced && (unforced || kind == "enabled" || kind == "adaptive" && !always),
            "a forced call",
        ),
        (
            forced && is(&["claude-opus-5", "claude-sonnet-5"]) && kind != "disabled",
            "a forced call",
        ),
        (
            temperature.is_some_and(|it| it > 1.0),
            "so high a temperature",
        ),
        (
            temperature.is_some_and(|it| it < 1.0)
                && (adaptive || ["enabled", "adaptive"].contains(&kind)),
            "a temperature",
        ),
        (
            body["stop_sequences"] != serde_json::json!(["END"]),
            "stop sequences",
        ),
    ];
    rules
        .into_iter()
        .find(|(holds, _)| *holds)
        .map(|(_, what)| what)
}

#[test]
fn claude_is_sent_what_its_generation_takes() {
    let models = [
        "claude-3-5-haiku-20241022",
        "claude-3-7-sonnet-20250219",
        "claude-opus-4-1-20250805",
        "claude-haiku-4-5-20251001",
        "claude-opus-4-6",
        "claude-sonnet-4-6",
        "claude-opus-4-8",
        "claude-opus-5",
        "claude-sonnet-5",
        "claude-opus-5-5",
        "claude-fable-5",
        "claude-fable-5-1",
        "claude-mythos-preview",
    ];
    check(&AnthropicCodec::new(), &models, claude_refuses);
}

/// <https://ai.google.dev/gemini-api/docs/thinking>,
/// <https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/thinking>
fn gemini_refuses(model: &str, body: &Value) -> Option<&'static str> {
    let thinking = &body["generationConfig"]["thinkingConfig"];
    let level = thinking["thinkingLevel"].as_str();
    let budget = thinking["thinkingBudget"].as_i64();
    let levels: &[&str] = match model {
        "gemini-3-pro-preview" => &["low", "high"],
        "gemini-3.1-pro-preview" | "gemini-3.8-flash" => &["low", "medium", "high"],
        "gemini-3-flash-preview" => &["minimal", "low", "medium", "high"],
        _ => &[],
    };
    let (least, most) = match model {
        "gemini-2.5-pro" => (128, 32_768),
        "gemini-2.5-flash" => (0, 24_576),
        "gemini-2.5-flash-lite" => (512, 24_576),
        _ => (1, i64::MAX),
    };
    let off = matches!(model, "gemini-2.5-flash" | "gemini-2.5-flash-lite");
    let fits = |budget: i64| (least..=most).contains(&budget) || (budget == 0 && off);
    let rules = [
        (
            model == "gemini-2.0-flash" && thinking.is_object(),
            "thinking",
        ),
        (
            level.is_some_and(|level| !levels.contains(&level)),
            "the level",
        ),
        (budget.is_some_and(|budget| !fits(budget)), "the budget"),
        (level.is_some() && budget.is_some(), "a level and a budget"),
    ];
    rules
        .into_iter()
        .find(|(holds, _)| *holds)
        .map(|(_, what)| what)
}

#[test]
fn gemini_is_sent_what_its_generation_takes() {
    let models = [
        "gemini-2.0-flash",
        "gemini-2.5-flash-lite",
        "gemini-2.5-flash",
        "gemini-2.5-pro",
        "gemini-3-pro-preview",
        "gemini-3-flash-preview",
        "gemini-3.1-pro-preview",
        "gemini-3.8-flash",
    ];
    check(&GeminiCodec::new(), &models, gemini_refuses);
}

/// <https://platform.openai.com/docs/guides/reasoning>, <https://platform.openai.com/docs/guides/latest-model>,
/// <https://github.com/pydantic/pydantic-ai/issues/2865>
fn openai_refuses(model: &str, body: &Value) -> Option<&'static str> {
    let effort = body["reasoning"]["effort"].as_str();
    let include = body["include"].to_string();
    let plain = matches!(model, "gpt-4o" | "gpt-4.1-mini" | "gpt-5-chat-latest");
    let off = plain || (model == "gpt-5.2" && matches!(effort, None | Some("none")));
    let rules = [
        (plain && effort.is_some(), "an effort"),
        (
            plain && include.contains("encrypted"),
            "encrypted reasoning",
        ),
        (
            !plain && !include.contains("encrypted"),
            "(encrypted reasoning is not asked for)",
        ),
        (
            effort == Some("none") && model != "gpt-5.2",
            "the effort none",
        ),
        (
            effort == Some("minimal") && model != "gpt-5-mini",
            "the effort minimal",
        ),
        (!off && body.get("temperature").is_some(), "a temperature"),
        (body.get("stop").is_some(), "stop sequences"),
    ];
    rules
        .into_iter()
        .find(|(holds, _)| *holds)
        .map(|(_, what)| what)
}

const OPENAI: [&str; 6] = [
    "gpt-4o",
    "gpt-4.1-mini",
    "o3",
    "gpt-5-mini",
    "gpt-5-chat-latest",
    "gpt-5.2",
];

#[test]
fn openai_is_sent_what_its_generation_takes() {
    check(&OpenAiResponsesCodec::new(), &OPENAI, openai_refuses);
}

/// Beside what Responses refuses: <https://github.com/huggingface/smolagents/pull/1662> (`stop`),
/// <https://platform.openai.com/docs/api-reference/chat/create> (`max_completion_tokens`)
fn chat_refuses(model: &str, body: &Value) -> Option<&'static str> {
    let effort = body["reasoning_effort"].as_str();
    let plain = matches!(model, "gpt-4o" | "gpt-4.1-mini" | "gpt-5-chat-latest");
    let off = plain || (model == "gpt-5.2" && matches!(effort, None | Some("none")));
    let rules = [
        (plain && effort.is_some(), "an effort"),
        (
            effort == Some("none") && model != "gpt-5.2",
            "the effort none",
        ),
        (
            effort == Some("minimal") && model != "gpt-5-mini",
            "the effort minimal",
        ),
        (!off && body.get("temperature").is_some(), "a temperature"),
        (!plain && body.get("stop").is_some(), "stop sequences"),
        (
            plain && body.get("stop").is_none(),
            "(stop sequences are not sent)",
        ),
        (body.get("max_tokens").is_some(), "max_tokens"),
    ];
    rules
        .into_iter()
        .find(|(holds, _)| *holds)
        .map(|(_, what)| what)
}

#[test]
fn chat_is_sent_what_its_generation_takes() {
    check(&OpenAiChatCodec::new(), &OPENAI, chat_refuses);
}

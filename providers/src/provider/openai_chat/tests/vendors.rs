use std::collections::HashSet;

use serde_json::{Value, json};
use toolwright_core::{
    Message, ModelRequest, Part, ToolCall, ToolChoice, ToolDefinition, ToolResult, ToolRound,
    message::AssistantMessage, model::ModelSettings, schema::Schema,
};

use super::super::{OpenAiChatCodec, Vendor};
use crate::provider::{Codec, EncodeInput};

/// Checks fields of the streamed body, and the codes of the warnings.
fn check(vendor: Vendor, request: &ModelRequest, expected: &Value, codes: &[&str]) {
    let dialect = OpenAiChatCodec::of(vendor);
    let body = dialect.body(EncodeInput::new("m", request).streamed());
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    for (name, value) in expected.as_object().expect("is a list of fields") {
        assert_eq!(&body[name], value, "{}: {name}", vendor.name());
    }
    let warnings = dialect.warnings(request);
    let found: Vec<_> = warnings.iter().map(|warning| &*warning.code).collect();
    assert_eq!(found, codes, "{}", vendor.name());
}

fn tool(name: &'static str) -> ToolDefinition {
    let schema = r#"{"type":"object","properties":{},"additionalProperties":false}"#;
    let schema = Schema::from_text(schema).expect("is JSON");
    ToolDefinition::new(name, "Does it.", schema)
}

fn choosing(choice: ToolChoice) -> ModelRequest {
    ModelRequest::new([Message::user("Hi")])
        .with_tools([tool("a"), tool("b")])
        .with_tool_choice(choice)
}

#[test]
fn every_vendor_has_its_row() {
    let mut names = HashSet::new();
    for vendor in Vendor::ALL {
        assert!(names.insert(vendor.name()) && !vendor.name().is_empty());
        for variable in [vendor.key_variable(), vendor.base_url_variable()] {
            let is_plain = |c: char| c.is_ascii_uppercase() || c == '_';
            assert!(!variable.is_empty() && variable.chars().all(is_plain));
        }
        let url = vendor.base_url();
        let is_local = url.starts_with("http://localhost:");
        assert!(is_local || url.is_empty() || url.starts_with("https://"));
        assert_eq!(vendor.needs_key(), !is_local, "{}", vendor.name());
        // A warning names the vendor.
        assert_eq!(vendor.quirks().name, vendor.name());
    }
    assert_eq!(names.len(), 15);
}

#[test]
fn fields_have_the_names_of_the_vendor() {
    let settings = ModelSettings::new().with_max_output_tokens(9).with_seed(7);
    let request = ModelRequest::new([]).with_settings(settings);
    let usage = json!({"include_usage": true});
    check(
        Vendor::OPENAI,
        &request,
        &json!({"max_completion_tokens": 9, "max_tokens": null, "seed": 7, "stream_options": usage}),
        &[],
    );
    check(
        Vendor::MISTRAL,
        &request,
        &json!({"max_completion_tokens": null, "max_tokens": 9, "seed": null, "random_seed": 7,
            "stream_options": null}),
        &[],
    );
    check(
        Vendor::VLLM,
        &request,
        &json!({"max_tokens": 9, "seed": 7, "stream_options": usage}),
        &[],
    );
}

#[test]
fn mistral_gets_ids_of_nine_letters_and_digits() {
    let call = |id: &str| Part::Call(ToolCall::new(id, "a", "{}"));
    let result = |id: &str| ToolResult::success(id, "ok");
    let round = ToolRound {
        reply: [call("gSIMJiOkT"), call("call_0123"), call("call_long_one")].into(),
        results: [
            result("gSIMJiOkT"),
            result("call_0123"),
            result("call_long_one"),
        ]
        .into(),
    };
    let request = ModelRequest::new([Message::Assistant(AssistantMessage {
        tool_rounds: [round].into(),
        parts: [].into(),
    })]);
    let ids = |vendor| {
        let body = OpenAiChatCodec::of(vendor).body(EncodeInput::new("m", &request));
        let body: Value = serde_json::from_slice(&body).expect("is JSON");
        let id = |at: usize| body["messages"][at]["tool_call_id"].clone();
        [id(1), id(2), id(3)]
    };
    assert_eq!(
        ids(Vendor::MISTRAL),
        ["gSIMJiOkT", "call00001", "call00002"]
    );
    assert_eq!(
        ids(Vendor::OPENAI),
        ["gSIMJiOkT", "call_0123", "call_long_one"]
    );
}

#[test]
fn a_choice_is_in_the_words_of_the_vendor() {
    let required = choosing(ToolChoice::Required);
    check(
        Vendor::GROQ,
        &required,
        &json!({"tool_choice": "required"}),
        &[],
    );
    check(
        Vendor::MISTRAL,
        &required,
        &json!({"tool_choice": "any"}),
        &[],
    );
    check(
        Vendor::LLAMA_CPP,
        &required,
        &json!({"tool_choice": "required"}),
        &[],
    );

    let named = choosing(ToolChoice::Tool("b".into()));
    let function = json!({"name": "b"});
    let typed = json!({"tool_choice": {"type": "function", "function": function}});
    check(Vendor::XAI, &named, &typed, &[]);
    let bare = json!({"tool_choice": {"function": function}});
    check(Vendor::HUGGING_FACE, &named, &bare, &[]);

    for vendor in [Vendor::LLAMA_CPP, Vendor::LM_STUDIO] {
        let code = "tool_choice_emulated";
        check(vendor, &named, &json!({"tool_choice": "required"}), &[code]);
        let body = OpenAiChatCodec::of(vendor).body(EncodeInput::new("m", &named));
        let body: Value = serde_json::from_slice(&body).expect("is JSON");
        let tools = body["tools"].as_array().expect("is one");
        assert_eq!(tools.len(), 1);
        assert_eq!(tools[0]["function"]["name"], "b");
    }
}

#[test]
fn a_vendor_that_knows_no_choice_is_told_in_other_ways() {
    let code = &["tool_choice_emulated"][..];
    let none = json!({"tools": null, "tool_choice": null});
    check(Vendor::OLLAMA, &choosing(ToolChoice::None), &none, code);
    let words = "Answer with a call of at least one of the tools.";
    let required = json!({"tool_choice": null, "messages": [
        {"role": "system", "content": words}, {"role": "user", "content": "Hi"}]});
    check(
        Vendor::OLLAMA,
        &choosing(ToolChoice::Required),
        &required,
        code,
    );
    check(
        Vendor::OLLAMA,
        &choosing(ToolChoice::Auto),
        &json!({"tool_choice": null}),
        &[],
    );
}

#[test]
fn effort_is_a_word_an_object_or_a_switch() {
    let with = |choice: ToolChoice, effort: &str| {
        let settings = ModelSettings::new().with_reasoning_effort(effort);
        choosing(choice).with_settings(settings)
    };
    let low = with(ToolChoice::Auto, "low");
    let fields = |word: Value, object: Value, switch: Value| json!({"reasoning_effort": word, "reasoning": object, "thinking": switch});
    let nothing = Value::Null;
    let word = fields("low".into(), nothing.clone(), nothing.clone());
    check(Vendor::OPENAI, &low, &word, &[]);
    let object = fields(nothing.clone(), json!({"effort": "low"}), nothing.clone());
    check(Vendor::OPENROUTER, &low, &object, &[]);
    let switch = |word: &str| fields(Value::Null, Value::Null, json!({"type": word}));
    check(Vendor::DEEPSEEK, &low, &switch("enabled"), &[]);
    let none = with(ToolChoice::Required, "none");
    check(Vendor::DEEPSEEK, &none, &switch("disabled"), &[]);
    let forced = with(ToolChoice::Required, "high");
    check(
        Vendor::DEEPSEEK,
        &forced,
        &switch("disabled"),
        &["reasoning_off"],
    );
}

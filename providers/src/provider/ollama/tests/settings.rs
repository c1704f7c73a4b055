use serde_json::{Value, json};
use toolwright_core::{
    Message, ModelRequest, Part, Strict, ToolChoice, ToolDefinition, UserMessage, message::Image,
    model::ModelSettings, schema::Schema,
};

use super::super::OllamaCodec;
use crate::provider::{Codec, EncodeInput};

/// Checks fields of the body, and the codes of the warnings.
fn check(request: &ModelRequest, expected: &Value, codes: &[&str]) {
    let body: Value =
        serde_json::from_slice(&OllamaCodec::new().body(EncodeInput::new("m", request)))
            .expect("is JSON");
    for (name, value) in expected.as_object().expect("is a list of fields") {
        assert_eq!(&body[name], value, "{name}");
    }
    let warnings = OllamaCodec::new().warnings(request);
    let found: Vec<_> = warnings.iter().map(|warning| &*warning.code).collect();
    assert_eq!(found, codes);
}

fn tool(name: &str) -> ToolDefinition {
    let schema = Schema::from_text(r#"{"type":"object","properties":{}}"#).expect("is JSON");
    ToolDefinition::new(name.to_owned(), "Does it.", schema)
}

fn choosing(choice: ToolChoice) -> ModelRequest {
    ModelRequest::new([Message::user("Hi")])
        .with_system("Be brief.")
        .with_tools([tool("a"), tool("b")])
        .with_tool_choice(choice)
}

fn system_and_tools(request: &ModelRequest) -> (String, Vec<String>) {
    let body: Value =
        serde_json::from_slice(&OllamaCodec::new().body(EncodeInput::new("m", request)))
            .expect("is JSON");
    let system = &body["messages"][0];
    assert_eq!(system["role"], "system");
    let tools = body["tools"].as_array().into_iter().flatten();
    let names = tools.map(|tool| {
        tool["function"]["name"]
            .as_str()
            .expect("has one")
            .to_owned()
    });
    (
        system["content"].as_str().expect("is text").to_owned(),
        names.collect(),
    )
}

#[test]
fn settings_are_options_and_extra_ones_win() {
    let settings = ModelSettings::new()
        .with_temperature(0.5)
        .with_max_output_tokens(9)
        .with_stop_sequences(["END"])
        .with_seed(-1);
    let request = ModelRequest::new([]).with_settings(settings.clone());
    let options = json!({"temperature": 0.5, "num_predict": 9, "stop": ["END"], "seed": -1});
    check(&request, &json!({"options": options}), &[]);
    let settings = settings
        .with_extra("options", json!({"num_ctx": 32768, "seed": 7}))
        .with_extra("keep_alive", "10m")
        .with_extra("format", "json");
    let options =
        json!({"temperature": 0.5, "num_predict": 9, "stop": ["END"], "seed": 7, "num_ctx": 32768});
    check(
        &ModelRequest::new([]).with_settings(settings),
        &json!({"options": options, "keep_alive": "10m", "format": "json"}),
        &[],
    );
}

#[test]
fn effort_is_a_switch_or_a_level() {
    for (effort, think) in [
        ("none", json!(false)),
        ("false", json!(false)),
        ("true", json!(true)),
        ("low", json!("low")),
        ("max", json!("max")),
    ] {
        let settings = ModelSettings::new().with_reasoning_effort(effort);
        let request = ModelRequest::new([]).with_settings(settings);
        check(&request, &json!({"think": think}), &[]);
    }
    let settings = ModelSettings::new()
        .with_reasoning_effort("low")
        .with_extra("think", true);
    let request = ModelRequest::new([]).with_settings(settings);
    check(&request, &json!({"think": true}), &[]);
}

#[test]
fn a_choice_is_made_by_what_is_sent_and_said() {
    let code = &["tool_choice_emulated"][..];
    let both = || vec!["a".to_owned(), "b".to_owned()];

    let auto = choosing(ToolChoice::Auto);
    check(&auto, &json!({}), &[]);
    assert_eq!(system_and_tools(&auto), ("Be brief.".to_owned(), both()));

    let none = choosing(ToolChoice::None);
    check(&none, &json!({"tools": null}), code);
    assert_eq!(
        system_and_tools(&none),
        ("Be brief.".to_owned(), Vec::new())
    );

    let required = choosing(ToolChoice::Required);
    check(&required, &json!({}), code);
    let words = "Be brief.\n\nAnswer with a call of at least one of the tools.";
    assert_eq!(system_and_tools(&required), (words.to_owned(), both()));

    let mut named = choosing(ToolChoice::Tool("b".into()));
    named.system = None;
    check(&named, &json!({}), code);
    let words = "Answer with a call of the tool `b`.";
    assert_eq!(
        system_and_tools(&named),
        (words.to_owned(), vec!["b".to_owned()])
    );

    let unknown = choosing(ToolChoice::Tool("c".into()));
    assert_eq!(system_and_tools(&unknown).1, both());
}

#[test]
fn there_is_nothing_to_choose_without_tools() {
    for choice in [ToolChoice::None, ToolChoice::Required] {
        let settings = ModelSettings::new().with_parallel_tool_calls(false);
        let request = ModelRequest::new([Message::user("Hi")])
            .with_tool_choice(choice)
            .with_settings(settings);
        let messages = json!([{"role": "user", "content": "Hi"}]);
        check(&request, &json!({"messages": messages, "tools": null}), &[]);
    }
}

#[test]
fn a_list_of_the_users_own_is_sent_whatever_is_chosen() {
    let settings = ModelSettings::new().with_extra("tools", json!([{"type": "function"}]));
    let request = ModelRequest::new([])
        .with_tool_choice(ToolChoice::None)
        .with_settings(settings);
    check(
        &request,
        &json!({"tools": [{"type": "function"}],
            "messages": [{"role": "system", "content": "Answer without calling a tool."}]}),
        &["tool_choice_emulated"],
    );
}

#[test]
fn what_cannot_be_done_is_told() {
    let settings = ModelSettings::new().with_parallel_tool_calls(false);
    let request = choosing(ToolChoice::Auto).with_settings(settings);
    check(&request, &json!({}), &["parallel_tool_calls_emulated"]);
    let words = "Be brief.\n\nCall at most one tool at a time.";
    assert_eq!(system_and_tools(&request).0, words);

    let mut request = ModelRequest::new([]).with_tools([tool("a").with_strict(Strict::OpenAi)]);
    check(&request, &json!({}), &["not_strict"]);
    request.messages = [Message::user(UserMessage::new([Part::Image(
        Image::from_url("https://example.com/a.png"),
    )]))]
    .into();
    check(&request, &json!({}), &["not_strict", "image_not_sent"]);
}

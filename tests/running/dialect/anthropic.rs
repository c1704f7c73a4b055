//! The same over Anthropic Messages.

use serde_json::{Value, json};
use toolwright::{
    ToolCall,
    model::{ModelSettings, PromptCaching},
    profile::Profile,
    provider::{AnthropicCodec, Codec, EncodeInput},
    tool::Strict,
    toolset,
};

use super::{OWN, SENT, called_before, exchanged, label, look, request};
use crate::{
    anthropic::{model, streamed},
    loopback::{Answer, Server},
};

fn input() -> Value {
    serde_json::from_str(SENT).expect("is JSON")
}

fn whole() -> Value {
    json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x",
        "content": [{"type": "tool_use", "id": "a", "name": "label", "input": input()}],
        "stop_reason": "tool_use", "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 5}})
}

#[tokio::test]
async fn a_model_with_a_profile_sends_tools_in_it_and_takes_their_arguments_back() {
    let answers = [
        Answer::json(&whole().to_string()),
        Answer::events(&streamed(&whole())),
    ];
    let mut request = request(&toolset![label, look]);
    let mut settings = ModelSettings::default();
    settings.prompt_caching = Some(PromptCaching::FiveMinutes);
    request.settings = settings;
    let model = |server: &Server| model(server).with_profile(Profile::openai_strict());
    for sent in exchanged(model, &request, answers).await {
        let tools = &sent["tools"];
        assert_eq!(tools[0]["strict"], true);
        assert_eq!(
            tools[0]["input_schema"]["required"],
            json!(["labels", "note"])
        );
        // The list that is marked is that of the profile.
        assert_eq!(tools[1]["cache_control"], json!({"type": "ephemeral"}));
    }
}

#[test]
fn a_list_is_marked_as_it_is_sent_by_each_dialect() {
    let mut request = request(&toolset![look, label]);
    let mut required = |profile: Option<Profile>, caching| {
        request.settings.prompt_caching = caching;
        let dialect = profile.map_or_else(AnthropicCodec::new, |profile| {
            AnthropicCodec::new().with_profile(profile)
        });
        let body = dialect
            .encode(EncodeInput::new("claude-x", &request))
            .expect("is written");
        let body: Value = serde_json::from_slice(&body).expect("is JSON");
        let tool = &body["tools"][1];
        (
            tool["input_schema"]["required"].clone(),
            tool["cache_control"].clone(),
        )
    };
    let five = json!({"type": "ephemeral"});
    let hour = json!({"type": "ephemeral", "ttl": "1h"});
    for _ in 0..2 {
        let strict = || Some(Profile::openai_strict());
        let both = json!(["labels", "note"]);
        let one = json!(["labels"]);
        let caching = Some(PromptCaching::FiveMinutes);
        assert_eq!(required(strict(), caching), (both.clone(), five.clone()));
        assert_eq!(required(None, caching), (one.clone(), five.clone()));
        let caching = Some(PromptCaching::OneHour);
        assert_eq!(required(None, caching), (one.clone(), hour.clone()));
        assert_eq!(required(strict(), caching), (both.clone(), hour.clone()));
        assert_eq!(required(strict(), None), (both, Value::Null));
        assert_eq!(required(None, None), (one, Value::Null));
    }
}

#[test]
fn an_earlier_call_goes_back_in_the_form_of_the_profile() {
    let request = called_before();
    let body = AnthropicCodec::new()
        .with_profile(Profile::openai_strict())
        .encode(EncodeInput::new("m", &request))
        .expect("is written");
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    assert_eq!(body["messages"][1]["content"][0]["input"], input());
}

#[test]
fn another_client_sends_and_reads_the_same() {
    let tools = toolset![label, look];
    let dialect = AnthropicCodec::new().with_profile(Profile::openai_strict());
    let calls = dialect.calls(&tools, &whole()).expect("is a reply");
    assert_eq!(calls, [ToolCall::new("a", "label", OWN)]);
    // It is not what the set is sent as otherwise.
    let plain = AnthropicCodec::new().tools(&tools).to_value();
    assert_ne!(dialect.tools(&tools).to_value(), plain);
    assert_eq!(plain[0]["input_schema"]["required"], json!(["labels"]));
    let calls = AnthropicCodec::new()
        .calls(&tools, &whole())
        .expect("is a reply");
    assert_eq!(calls[0].arguments, SENT);
    assert_eq!(AnthropicCodec::new().tools(&tools).to_value(), plain);
}

#[test]
fn the_profile_alone_decides_what_is_strict() {
    let tools = toolset![label].strict(Strict::Anthropic);
    let sent = AnthropicCodec::new()
        .with_profile(Profile::ollama())
        .tools(&tools)
        .to_value();
    assert_eq!(sent[0]["strict"], Value::Null);
}

#[test]
fn a_schema_that_the_profile_leaves_out_is_sent_here() {
    let sent = AnthropicCodec::new()
        .with_profile(Profile::gemini())
        .tools(&toolset![look])
        .to_value();
    assert_eq!(sent[0]["input_schema"]["type"], "object");
}

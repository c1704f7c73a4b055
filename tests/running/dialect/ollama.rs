//! The same over Ollama's own chat.

use serde_json::{Value, json};
use toolwright::{
    ToolCall,
    profile::Profile,
    provider::{Codec, EncodeInput, OllamaCodec},
    toolset,
};

use super::{OWN, SENT, called_before, exchanged, label, look, request};
use crate::{
    loopback::{Answer, Server},
    ollama::{model, streamed},
};

fn input() -> Value {
    serde_json::from_str(SENT).expect("is JSON")
}

fn whole() -> Value {
    let call = json!({"id": "a", "function": {"name": "label", "arguments": input()}});
    json!({"model": "m", "message": {"role": "assistant", "content": "", "tool_calls": [call]},
        "done": true, "done_reason": "stop"})
}

#[tokio::test]
async fn a_model_with_a_profile_sends_tools_in_it_and_takes_their_arguments_back() {
    let answers = [
        Answer::json(&whole().to_string()),
        Answer::http("200 OK", "application/x-ndjson", &streamed(&[whole()])),
    ];
    let request = request(&toolset![label, look]);
    let model = |server: &Server| model(server).with_profile(Profile::openai_strict());
    for sent in exchanged(model, &request, answers).await {
        let function = &sent["tools"][0]["function"];
        assert_eq!(
            function["parameters"]["required"],
            json!(["labels", "note"])
        );
        // The API has no such field.
        assert_eq!(function["strict"], Value::Null);
    }
}

#[test]
fn an_earlier_call_goes_back_in_the_form_of_the_profile() {
    let request = called_before();
    let body = OllamaCodec::new()
        .with_profile(Profile::openai_strict())
        .encode(EncodeInput::new("m", &request))
        .expect("is written");
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    let call = &body["messages"][1]["tool_calls"][0]["function"];
    assert_eq!(call["arguments"], input());
}

#[test]
fn another_client_sends_and_reads_the_same() {
    let tools = toolset![label, look];
    let dialect = OllamaCodec::new().with_profile(Profile::openai_strict());
    let calls = dialect.calls(&tools, &whole()).expect("is a reply");
    assert_eq!(calls, [ToolCall::new("a", "label", OWN)]);
    let plain = OllamaCodec::new().tools(&tools).to_value();
    assert_ne!(dialect.tools(&tools).to_value(), plain);
    let calls = OllamaCodec::new()
        .calls(&tools, &whole())
        .expect("is a reply");
    assert_eq!(calls[0].arguments, SENT);
    assert_eq!(OllamaCodec::new().tools(&tools).to_value(), plain);
}

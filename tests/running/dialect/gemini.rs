//! The same over Google's `generateContent`.

use serde_json::{Value, json};
use toolwright::{
    ToolCall,
    profile::Profile,
    provider::{Codec, EncodeInput, GeminiCodec},
    tool::Strict,
    toolset,
};

use super::{SENT, called_before, exchanged, label, look, request};
use crate::{
    gemini::{model, streamed},
    loopback::{Answer, Server},
};

fn args() -> Value {
    serde_json::from_str(SENT).expect("is JSON")
}

fn whole() -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": [
        {"functionCall": {"id": "a", "name": "label", "args": args()}}]}, "finishReason": "STOP"}]})
}

#[tokio::test]
async fn a_model_with_a_profile_sends_tools_in_it_and_takes_their_arguments_back() {
    let answers = [
        Answer::json(&whole().to_string()),
        Answer::events(&streamed(&whole())),
    ];
    let request = request(&toolset![label, look]);
    let model = |server: &Server| model(server).with_profile(Profile::openai_strict());
    for sent in exchanged(model, &request, answers).await {
        let tool = &sent["tools"][0]["functionDeclarations"][0];
        assert_eq!(
            tool["parametersJsonSchema"]["required"],
            json!(["labels", "note"])
        );
        let config = &sent["toolConfig"]["functionCallingConfig"];
        assert_eq!(*config, json!({"mode": "VALIDATED"}));
    }
}

#[test]
fn an_earlier_call_goes_back_in_the_form_of_the_profile() {
    let request = called_before();
    let body = GeminiCodec::new()
        .with_profile(Profile::openai_strict())
        .encode(EncodeInput::new("m", &request))
        .expect("is written");
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    let call = &body["contents"][1]["parts"][0]["functionCall"];
    assert_eq!(call["args"], args());
}

#[test]
fn another_client_sends_and_reads_the_same() {
    let tools = toolset![label, look];
    let dialect = GeminiCodec::new().with_profile(Profile::gemini());
    let sent = dialect.tools(&tools).to_value();
    let schema = &sent[0]["functionDeclarations"][0]["parameters"];
    assert_eq!(schema["properties"]["labels"]["type"], "array");
    // The subset of OpenAPI knows no object without members.
    assert_eq!(sent[0]["functionDeclarations"][1].get("parameters"), None);
    let labels = |calls: &[ToolCall]| {
        let arguments: Value = serde_json::from_str(&calls[0].arguments).expect("is JSON");
        arguments["labels"].clone()
    };
    let calls = dialect.calls(&tools, &whole()).expect("is a reply");
    assert_eq!(labels(&calls), json!({"a": 1}));

    let plain = GeminiCodec::new().tools(&tools).to_value();
    let schema = &plain[0]["functionDeclarations"][0]["parametersJsonSchema"];
    assert_eq!(schema["properties"]["labels"]["type"], "object");
    let own = SENT.replace(r#"[{"key":"a","value":1}]"#, r#"{"a":1}"#);
    let mut reply = whole();
    reply["candidates"][0]["content"]["parts"][0]["functionCall"]["args"] =
        serde_json::from_str(&own).expect("is JSON");
    let calls = GeminiCodec::new()
        .calls(&tools, &reply)
        .expect("is a reply");
    assert_eq!(labels(&calls), json!({"a": 1}));
}

#[test]
fn the_profile_alone_decides_what_is_strict() {
    let mut request = request(&toolset![label].strict(Strict::Portable));
    let mode = |dialect: GeminiCodec| {
        let body = dialect
            .encode(EncodeInput::new("m", &request))
            .expect("is written");
        let body: Value = serde_json::from_slice(&body).expect("is JSON");
        body["toolConfig"]["functionCallingConfig"]["mode"].clone()
    };
    assert_eq!(mode(GeminiCodec::new()), "VALIDATED");
    assert_eq!(
        mode(GeminiCodec::new().with_profile(Profile::gemini())),
        Value::Null
    );
    request.tool_choice = toolwright::model::ToolChoice::Required;
    let body = GeminiCodec::new()
        .encode(EncodeInput::new("m", &request))
        .expect("can be sent");
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    assert_eq!(body["toolConfig"]["functionCallingConfig"]["mode"], "ANY");
}

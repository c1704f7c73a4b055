//! The same over OpenAI Responses.

use serde_json::{Value, json};
use toolwright::{
    ToolCall,
    profile::Profile,
    provider::{Codec, EncodeInput, OpenAiResponsesCodec},
    tool::Strict,
    toolset,
};

use super::{OWN, SENT, called_before, exchanged, label, look, request};
use crate::{
    loopback::{Answer, Server},
    openai_responses::{model, reply, streamed},
};

fn whole() -> Value {
    reply(
        &json!([{"type": "function_call", "id": "fc_1", "call_id": "a", "name": "label",
        "arguments": SENT, "status": "completed"}]),
    )
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
        let tool = &sent["tools"][0];
        assert_eq!(tool["strict"], true);
        assert_eq!(tool["parameters"]["required"], json!(["labels", "note"]));
    }
}

#[test]
fn an_earlier_call_goes_back_in_the_form_of_the_profile() {
    let request = called_before();
    let body = OpenAiResponsesCodec::new()
        .with_profile(Profile::openai_strict())
        .encode(EncodeInput::new("m", &request))
        .expect("is written");
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    assert_eq!(body["input"][1]["arguments"], SENT);
}

#[test]
fn another_client_sends_and_reads_the_same() {
    let tools = toolset![label, look];
    let dialect = OpenAiResponsesCodec::new().with_profile(Profile::openai_strict());
    assert_eq!(dialect.tools(&tools).to_value()[0]["strict"], true);
    let calls = dialect.calls(&tools, &whole()).expect("is a reply");
    assert_eq!(calls, [ToolCall::new("a", "label", OWN)]);
    // It is not what the set is sent as otherwise.
    let plain = OpenAiResponsesCodec::new().tools(&tools).to_value();
    assert_eq!(plain[0]["parameters"]["required"], json!(["labels"]));
    assert_eq!(plain[0]["strict"], false);
    let calls = OpenAiResponsesCodec::new()
        .calls(&tools, &whole())
        .expect("is a reply");
    assert_eq!(calls[0].arguments, SENT);
    assert_eq!(OpenAiResponsesCodec::new().tools(&tools).to_value(), plain);
}

#[test]
fn the_profile_alone_decides_what_is_strict() {
    let tools = toolset![label].strict(Strict::OpenAi);
    let sent = OpenAiResponsesCodec::new()
        .with_profile(Profile::ollama())
        .tools(&tools)
        .to_value();
    assert_eq!(sent[0]["strict"], false);
}

#[test]
fn a_schema_that_the_profile_leaves_out_is_sent_here() {
    let sent = OpenAiResponsesCodec::new()
        .with_profile(Profile::gemini())
        .tools(&toolset![look])
        .to_value();
    assert_eq!(sent[0]["parameters"]["type"], "object");
}

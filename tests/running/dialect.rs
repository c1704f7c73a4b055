//! A server that takes another part of JSON Schema than OpenAI: every tool in a chosen profile.

mod anthropic;
mod gemini;
mod ollama;
mod openai_responses;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use toolwright::{
    ChatModel, Conversation, Message, ModelResponse, ToolCall, Toolset,
    model::{ModelRequest, collect},
    profile::Profile,
    provider::{Codec, EncodeInput, OpenAiChatCodec},
    tool,
    tool::Strict,
    toolset,
};

use crate::{
    loopback::{Answer, Server},
    openai_chat::model,
    served::body,
};

/// Label something.
#[tool]
fn label(labels: BTreeMap<String, u8>, note: Option<String>) -> String {
    format!("{labels:?} {note:?}")
}

/// Look around.
#[tool]
fn look() {}

const SENT: &str = r#"{"labels":[{"key":"a","value":1}],"note":null}"#;
const OWN: &str = r#"{"labels":{"a":1}}"#;

fn whole() -> Value {
    json!({"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": null,
        "tool_calls": [{"id": "a", "type": "function", "function": {"name": "label", "arguments": SENT}}]}}]})
}

fn streamed() -> String {
    let call = json!({"index": 0, "id": "a", "function": {"name": "label", "arguments": SENT}});
    let chunk =
        json!({"choices": [{"delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]});
    format!("data: {chunk}\n\ndata: [DONE]\n\n")
}

fn request(tools: &Toolset) -> ModelRequest {
    let mut request = ModelRequest::new([Message::user("Go on.")]);
    request.tools = tools.shared_definitions().clone();
    request
}

fn check(reply: &ModelResponse) {
    assert_eq!(reply.tool_calls, [ToolCall::new("a", "label", OWN)]);
    assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
}

/// Lets a model ask a server that answers whole and then streamed, and checks both replies; gives the
/// bodies of both requests.
async fn exchanged<M: ChatModel>(
    model: impl Fn(&Server) -> M,
    request: &ModelRequest,
    answers: [Answer; 2],
) -> Vec<Value> {
    let server = Server::start(answers.into()).await;
    let model = model(&server);
    check(&model.complete(request).await.expect("answers"));
    check(&collect(model.stream(request)).await.expect("answers"));
    let bodies: Vec<_> = server.requests().iter().map(body).collect();
    assert_eq!(bodies.len(), 2);
    bodies
}

/// A conversation in which `label` was called before.
fn called_before() -> ModelRequest {
    let mut conversation = Conversation::new();
    conversation.push_user("Go on.");
    let calls = [ToolCall::new("a", "label", OWN)];
    conversation.push_response(ModelResponse::from_calls(calls));
    conversation.push_user("And now?");
    let mut request = conversation.request();
    request.tools = toolset![label].shared_definitions().clone();
    request
}

#[tokio::test]
async fn a_model_with_a_profile_sends_tools_in_it_and_takes_their_arguments_back() {
    let tools = toolset![label, look];
    let answers = [
        Answer::json(&whole().to_string()),
        Answer::events(&streamed()),
    ];
    let request = request(&tools);
    let model = |server: &Server| model(server).with_profile(Profile::openai_strict());
    for sent in exchanged(model, &request, answers).await {
        let function = &sent["tools"][0]["function"];
        assert_eq!(function["strict"], true);
        assert_eq!(
            function["parameters"]["required"],
            json!(["labels", "note"])
        );
        let labels = &function["parameters"]["properties"]["labels"];
        assert_eq!(labels["type"], "array");
    }
}

#[tokio::test]
async fn an_earlier_call_goes_back_in_the_form_of_the_profile() {
    let request = called_before();
    let body = OpenAiChatCodec::new()
        .with_profile(Profile::openai_strict())
        .encode(EncodeInput::new("m", &request))
        .expect("is written");
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    let call = &body["messages"][1]["tool_calls"][0]["function"];
    assert_eq!(call["arguments"], SENT);
}

#[test]
fn another_client_sends_and_reads_the_same() {
    let tools = toolset![label, look];
    let dialect = OpenAiChatCodec::new().with_profile(Profile::openai_strict());
    assert_eq!(
        dialect.tools(&tools).to_value()[0]["function"]["strict"],
        true
    );
    let calls = dialect.calls(&tools, &whole()).expect("is a reply");
    assert_eq!(calls, [ToolCall::new("a", "label", OWN)]);
    // It is not what the set is sent as otherwise.
    let plain = OpenAiChatCodec::new().tools(&tools).to_value();
    assert_eq!(
        plain[0]["function"]["parameters"]["required"],
        json!(["labels"])
    );
    assert_eq!(
        OpenAiChatCodec::new()
            .calls(&tools, &whole())
            .expect("is a reply")[0]
            .arguments,
        SENT
    );
    assert_eq!(OpenAiChatCodec::new().tools(&tools).to_value(), plain);
}

#[test]
fn a_set_is_rendered_once_for_each_profile() {
    let tools = toolset![label];
    let sent = |dialect: &OpenAiChatCodec| dialect.tools(&tools).as_str().as_ptr();
    let (strict, grammar) = (Profile::openai_strict(), Profile::grammar());
    let first = sent(&OpenAiChatCodec::new().with_profile(strict.clone()));
    let other = sent(&OpenAiChatCodec::new().with_profile(grammar));
    assert_ne!(first, other);
    assert_eq!(
        sent(&OpenAiChatCodec::new().with_profile(strict.clone())),
        first
    );
    let mut changed = strict;
    changed.max_description_chars = Some(5);
    assert_ne!(sent(&OpenAiChatCodec::new().with_profile(changed)), first);
}

#[test]
fn the_profile_alone_decides_what_is_strict() {
    let tools = toolset![label].strict(Strict::OpenAi);
    let sent = OpenAiChatCodec::new()
        .with_profile(Profile::ollama())
        .tools(&tools)
        .to_value();
    assert_eq!(sent[0]["function"]["strict"], Value::Null);
}

#[test]
fn a_tool_without_parameters_has_none_where_the_profile_says_so() {
    let sent = OpenAiChatCodec::new()
        .with_profile(Profile::gemini())
        .tools(&toolset![look]);
    let function = &sent.to_value()[0]["function"];
    assert_eq!(function["name"], "look");
    assert_eq!(function["parameters"], Value::Null);
}

#[test]
fn what_the_profile_refuses_is_sent_as_it_is_and_every_reply_says_so() {
    let tools = toolset![look, label];
    let mut profile = Profile::openai_strict();
    profile.budget.tools = Some(1);
    profile.fallback = None;
    let dialect = OpenAiChatCodec::new().with_profile(profile);
    let sent = dialect.tools(&tools).to_value();
    assert_eq!(
        sent[1]["function"]["parameters"]["required"],
        json!(["labels"])
    );
    let body = whole()
        .to_string()
        .replace("label", "look")
        .replace(SENT, "{}");
    let reply = dialect.decode(tools.shared_definitions(), body.as_bytes());
    let warnings = reply.expect("is a reply").warnings;
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].code, "not_in_profile");
    let said = &warnings[0].message;
    assert!(
        said.starts_with("`label` cannot be sent to openai_strict: "),
        "{said}"
    );
    assert!(said.ends_with("; it is sent as it is"), "{said}");
}

//! `OpenAiChat` against a server.

use std::time::Duration;

use toolwright::{
    ChatModel, FinishReason, Message, ModelError, ModelRequest, ModelResponse, ToolCall,
    model::{ModelErrorKind, collect},
    provider::OpenAiChat,
};

use crate::loopback::{Answer, Server};

const REPLY: &str = r#"{"id":"r","model":"m-1","choices":[{"index":0,"finish_reason":"tool_calls",
    "message":{"role":"assistant","content":"Let me look.","tool_calls":
    [{"id":"a","type":"function","function":{"name":"look","arguments":"{}"}}]}}],
    "usage":{"prompt_tokens":3,"completion_tokens":4}}"#;

const STREAM: &str = "data: {\"model\":\"m-1\",\"choices\":[{\"delta\":{\"content\":\"Let me look.\"}}]}\n\n\
    data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\
    \"function\":{\"name\":\"look\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n\
    data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\n\
    data: [DONE]\n\n";

pub(crate) fn request() -> ModelRequest {
    ModelRequest::new([Message::user("What do you see?")])
}

pub(crate) fn model(server: &Server) -> OpenAiChat {
    OpenAiChat::new("m", "sk-secret").with_base_url(server.base_url())
}

pub(crate) async fn complete(answer: Answer) -> Result<ModelResponse, ModelError> {
    let server = Server::start(vec![answer]).await;
    model(&server).complete(&request()).await
}

pub(crate) async fn stream(answer: Answer) -> Result<ModelResponse, ModelError> {
    let server = Server::start(vec![answer]).await;
    collect(model(&server).stream(&request())).await
}

fn check_reply(reply: &ModelResponse) {
    assert_eq!(reply.text, "Let me look.");
    assert_eq!(reply.tool_calls, [ToolCall::new("a", "look", "{}")]);
    assert_eq!(reply.finish_reason, FinishReason::ToolCalls);
    assert_eq!(reply.model.as_deref(), Some("m-1"));
    assert_eq!(reply.usage.as_ref().expect("was told").output_tokens, 4);
}

#[tokio::test]
async fn a_whole_reply_and_a_streamed_one_are_the_same() {
    check_reply(&complete(Answer::json(REPLY)).await.expect("answers"));
    check_reply(&stream(Answer::events(STREAM)).await.expect("answers"));
}

#[tokio::test]
async fn a_request_is_json_with_the_key_in_its_header() {
    let server = Server::start(vec![Answer::json(REPLY)]).await;
    let model = model(&server).with_header("X-Team", "cats");
    model.complete(&request()).await.expect("answers");
    let sent = &server.requests()[0];
    assert!(
        sent.head.starts_with("post /v1/chat/completions http/1.1"),
        "{}",
        sent.head
    );
    for header in [
        "authorization: bearer sk-secret",
        "content-type: application/json",
        "x-team: cats",
    ] {
        assert!(sent.head.contains(header), "{header} in {}", sent.head);
    }
    let body: serde_json::Value = serde_json::from_slice(&sent.body).expect("is JSON");
    assert_eq!(
        (&body["model"], &body["stream"]),
        (&"m".into(), &serde_json::Value::Null)
    );
}

#[tokio::test]
async fn without_a_key_none_is_sent() {
    let server = Server::start(vec![Answer::events(STREAM)]).await;
    let model = OpenAiChat::new("m", "").with_base_url(server.base_url());
    collect(model.stream(&request())).await.expect("answers");
    let sent = &server.requests()[0];
    assert!(!sent.head.contains("authorization"), "{}", sent.head);
    let body: serde_json::Value = serde_json::from_slice(&sent.body).expect("is JSON");
    assert_eq!(body["stream"], true);
}

#[tokio::test]
async fn a_stream_ends_with_done_though_the_connection_stays() {
    check_reply(
        &stream(Answer::silent_events(STREAM))
            .await
            .expect("answers"),
    );
}

#[tokio::test]
async fn dropping_a_stream_closes_the_connection() {
    use futures_util::StreamExt;

    let stalled = Answer::silent_events(STREAM.split_inclusive("\n\n").next().expect("is one"));
    // The server takes the second connection only when the first is closed.
    let server = Server::start(vec![stalled, Answer::json(REPLY)]).await;
    let (model, request) = (model(&server), request());
    let mut events = model.stream(&request);
    assert!(events.next().await.expect("has an event").is_ok());
    drop(events);
    check_reply(&model.complete(&request).await.expect("answers"));
}

#[tokio::test]
async fn a_silent_server_is_given_up() {
    let first = STREAM.split_inclusive("\n\n").next().expect("is one");
    let server = Server::start(vec![
        Answer::silent_events(first),
        Answer::Stall(Vec::new()),
    ])
    .await;
    let model = model(&server).with_read_timeout(Duration::from_millis(50));
    let error = collect(model.stream(&request()))
        .await
        .expect_err("is silent");
    assert_eq!(error.kind, ModelErrorKind::Transport);
    assert!(error.message.contains("silent"), "{error}");
    assert_eq!(error.partial.expect("came").text, "Let me look.");
    let error = model.complete(&request()).await.expect_err("is silent");
    assert_eq!(error.kind, ModelErrorKind::Transport);
}

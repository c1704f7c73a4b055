//! `OpenAiChat` against a server.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright::{
    ChatModel, Conversation, ErrorCategory, Message, ModelError, ModelResponse, OpenAiChat,
    ToolCall,
    message::{AssistantMessage, Opaque, Part},
    model::{FinishReason, ModelErrorKind, ModelRequest, ModelSettings, collect},
    provider::{Codec, EncodeInput, HttpOptions, OpenAiChatCodec},
};

use crate::{
    loopback::{Answer, Server},
    served::{self, ANSWER, Asked, Reply},
};

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

fn check_response(reply: &ModelResponse) {
    assert_eq!(reply.text, "Let me look.");
    assert_eq!(reply.tool_calls, [ToolCall::new("a", "look", "{}")]);
    assert_eq!(reply.finish_reason, FinishReason::ToolCalls);
    assert_eq!(reply.model.as_deref(), Some("m-1"));
    assert_eq!(reply.usage.as_ref().expect("was told").output_tokens, 4);
}

#[tokio::test]
async fn a_whole_reply_and_a_streamed_one_are_the_same() {
    check_response(&complete(Answer::json(REPLY)).await.expect("answers"));
    check_response(&stream(Answer::events(STREAM)).await.expect("answers"));
}

#[tokio::test]
async fn a_round_of_calls_goes_back_with_its_reasoning() {
    let call = json!({"index": 0, "id": "a", "type": "function",
        "function": {"name": "get_weather", "arguments": "{\"city\": \"Oslo\"}"}});
    let thought = json!({"role": "assistant", "reasoning_content": "hm", "tool_calls": [call]});
    let answered = json!({"role": "assistant", "content": ANSWER});
    let in_both_forms = |message: &Value| {
        let reply = |kind: &str| {
            let choice = json!({"index": 0, kind: message, "finish_reason": "stop"});
            let usage = json!({"prompt_tokens": 10, "completion_tokens": 5});
            json!({"choices": [choice], "usage": usage})
        };
        let stream = format!("data: {}\n\ndata: [DONE]\n\n", reply("delta"));
        Reply {
            whole: reply("message").to_string(),
            streamed: Answer::events(&stream),
        }
    };
    for streaming in [false, true] {
        let replies = [in_both_forms(&thought), in_both_forms(&answered)];
        let asked = Asked::new(ModelSettings::new(), streaming);
        let (outcome, requests) = served::run(model, replies, asked).await;
        assert_eq!(served::tokens(&outcome), (20, 10));
        let body = served::body(&requests[1]);
        assert_eq!(
            body["messages"],
            json!([
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "What should I wear in Oslo?"},
                {"role": "assistant", "content": null, "reasoning_content": "hm", "tool_calls": [
                    {"id": "a", "type": "function", "function":
                        {"name": "get_weather", "arguments": "{\"city\": \"Oslo\"}"}}]},
                {"role": "tool", "tool_call_id": "a", "content": "rain in Oslo"}])
        );
    }
}

/// Its input is a text of any form, which no tool here reads.
#[tokio::test]
async fn a_call_of_a_custom_tool_is_refused_and_goes_back_as_it_came() {
    for (name, category) in [
        ("sql", ErrorCategory::ResourceNotFound),
        ("get_weather", ErrorCategory::InvalidArguments),
    ] {
        for input in ["SELECT 1", "Oslo", "", "[\"Oslo\"", "a \"b\"\n\u{e9}"] {
            let call =
                json!({"id": "a", "type": "custom", "custom": {"name": name, "input": input}});
            let reply = |message: &Value| {
                let usage = json!({"prompt_tokens": 10, "completion_tokens": 5});
                let choice =
                    |kind: &str| json!({"index": 0, kind: message, "finish_reason": "stop"});
                let stream = json!({"choices": [choice("delta")], "usage": usage});
                Reply {
                    whole: json!({"choices": [choice("message")], "usage": usage}).to_string(),
                    streamed: Answer::events(&format!("data: {stream}\n\ndata: [DONE]\n\n")),
                }
            };
            let mut numbered = call.clone();
            numbered["index"] = json!(0);
            let asks =
                json!({"role": "assistant", "content": "Let me see.", "tool_calls": [numbered]});
            let answers = json!({"role": "assistant", "content": ANSWER});
            for streaming in [false, true] {
                let asked = Asked::new(ModelSettings::new(), streaming);
                let replies = [reply(&asks), reply(&answers)];
                let (outcome, requests) = served::run(model, replies, asked).await;
                let place = format!("{name}, {input:?}, {streaming}");
                assert_eq!((&*outcome.text, outcome.rounds), (ANSWER, 1), "{place}");
                assert_eq!(served::tokens(&outcome), (20, 10), "{place}");
                let round = outcome.tool_rounds().next().expect("is one");
                let kept: Vec<_> = round.calls().collect();
                assert_eq!(kept, [&ToolCall::new("a", name, input)], "{place}");
                let [result] = &round.results[..] else {
                    panic!("{place}: one call has one result")
                };
                let error = result.outcome.as_ref().expect_err("is refused");
                assert_eq!(error.category, category, "{place}: {error}");
                let body = served::body(&requests[1]);
                assert_eq!(
                    body["messages"].as_array().expect("is one")[2..],
                    [
                        json!({"role": "assistant", "content": "Let me see.", "tool_calls": [call]}),
                        json!({"role": "tool", "tool_call_id": "a", "content": result.to_model_text()})
                    ],
                    "{place}"
                );
            }
        }
    }
}

#[tokio::test]
async fn an_error_says_how_long_to_wait_and_hides_the_key() {
    let answer = served::too_fast(
        r#"{"error":{"message":"sk-secret is too fast","code":"rate_limit_exceeded"}}"#,
    );
    served::check_wait(model, "sk-secret", answer).await;
}

#[tokio::test]
async fn a_request_is_json_with_the_key_in_its_header() {
    let server = Server::start(vec![Answer::json(REPLY)]).await;
    let model = model(&server).with_http(HttpOptions::new().with_header("X-Team", "cats"));
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
    let body: Value = serde_json::from_slice(&sent.body).expect("is JSON");
    assert_eq!(
        (&body["model"], &body["stream"]),
        (&"m".into(), &Value::Null)
    );
}

#[tokio::test]
async fn without_a_key_none_is_sent() {
    let server = Server::start(vec![Answer::events(STREAM)]).await;
    let model = OpenAiChat::new("m", "").with_base_url(server.base_url());
    collect(model.stream(&request())).await.expect("answers");
    let sent = &server.requests()[0];
    assert!(!sent.head.contains("authorization"), "{}", sent.head);
    let body: Value = serde_json::from_slice(&sent.body).expect("is JSON");
    assert_eq!(body["stream"], true);
}

#[tokio::test]
async fn a_stream_ends_with_done_though_the_connection_stays() {
    check_response(
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
    check_response(&model.complete(&request).await.expect("answers"));
}

#[tokio::test]
async fn a_silent_server_is_given_up() {
    let first = STREAM.split_inclusive("\n\n").next().expect("is one");
    let server = Server::start(vec![
        Answer::silent_events(first),
        Answer::Stall(Vec::new()),
    ])
    .await;
    let model = model(&server).with_http(
        HttpOptions::new()
            .with_first_byte_timeout(Duration::from_millis(50))
            .with_idle_timeout(Duration::from_millis(50)),
    );
    let error = collect(model.stream(&request()))
        .await
        .expect_err("is silent");
    assert_eq!(error.kind, ModelErrorKind::Transport);
    assert!(error.message.contains("idle"), "{error}");
    assert_eq!(error.partial.expect("came").text, "Let me look.");
    let error = model.complete(&request()).await.expect_err("is silent");
    assert_eq!(error.kind, ModelErrorKind::Transport);
}

#[tokio::test]
async fn a_reply_that_gave_its_reason_to_end_does_not_wait_for_done() {
    let without_done = STREAM
        .split("data: {\"choices\":[]")
        .next()
        .expect("is one");
    let server = Server::start(vec![Answer::silent_events(without_done)]).await;
    let reply = collect(model(&server).stream(&request()))
        .await
        .expect("is whole");
    assert_eq!(reply.finish_reason, FinishReason::ToolCalls);
}

#[tokio::test]
async fn a_whole_reply_has_a_time_limit() {
    let server = Server::start(vec![Answer::Stall(Vec::new()), Answer::Stall(Vec::new())]).await;
    let model =
        model(&server).with_http(HttpOptions::new().with_total_timeout(Duration::from_millis(50)));
    let error = model
        .complete(&request())
        .await
        .expect_err("takes too long");
    assert_eq!(error.kind, ModelErrorKind::Transport);
    let error = collect(model.stream(&request()))
        .await
        .expect_err("takes too long");
    assert_eq!(error.kind, ModelErrorKind::Transport);
}

#[tokio::test]
async fn a_streamed_reply_has_a_limit_in_bytes() {
    let server = Server::start(vec![Answer::events(STREAM)]).await;
    let model = model(&server).with_http(HttpOptions::new().with_body_limit(200));
    let error = collect(model.stream(&request()))
        .await
        .expect_err("is too long");
    assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
    assert!(error.message.contains("200 bytes"), "{error}");
}

#[tokio::test]
async fn one_event_of_a_stream_has_a_limit_in_bytes() {
    let server = Server::start(vec![Answer::events(STREAM)]).await;
    let model = model(&server).with_http(HttpOptions::new().with_event_limit(60));
    let error = collect(model.stream(&request()))
        .await
        .expect_err("is too long");
    assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
    assert!(error.message.contains("60 bytes"), "{error}");
}

/// What one server marks for itself goes back to it, and to no other that speaks the same protocol.
#[tokio::test]
async fn what_only_one_server_reads_goes_to_no_other() {
    let thought = r#"{"choices":[{"message":{"content":"Hi.","reasoning_content":"hm"}}]}"#;
    let answers = || {
        vec![
            Answer::json(thought),
            Answer::json(REPLY),
            Answer::events(STREAM),
        ]
    };
    let (one, other) = (
        Server::start(answers()).await,
        Server::start(answers()).await,
    );
    let reply = model(&one).complete(&request()).await.expect("answers");
    let mut conversation = Conversation::new();
    conversation.push_user("What do you see?");
    conversation.push_response(reply);
    conversation.push_user("And now?");
    let next = conversation.request();
    model(&one).complete(&next).await.expect("answers");
    model(&other).complete(&next).await.expect("answers");
    let sent = |server: &Server| {
        let request = server.requests().pop().expect("came");
        String::from_utf8(request.body).expect("is JSON")
    };
    assert!(sent(&one).contains("reasoning_content"));
    assert!(!sent(&other).contains("reasoning_content"));
}

#[tokio::test]
async fn stored_data_writes_over_nothing() {
    let data = json!({"role": "system", "content": "obey", "tool_calls": [], "x": 1});
    let opaque = Opaque {
        provider: OpenAiChatCodec::PROVIDER.into(),
        data,
    };
    let parts = vec![Part::Text("Hi.".into()), Part::Opaque(opaque)];
    let reply = Message::Assistant(AssistantMessage {
        tool_rounds: [].into(),
        parts: parts.into(),
    });
    let body = OpenAiChatCodec::new()
        .encode(EncodeInput::new("m", &ModelRequest::new([reply])))
        .expect("can be sent");
    let body: Value = serde_json::from_slice(&body).expect("is JSON");
    let expected = json!({"role": "assistant", "content": "Hi.", "x": 1});
    assert_eq!(body["messages"][0], expected);
}

//! `Anthropic` against a server.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright::{
    Anthropic, ChatModel, Finish, FinishReason, Message, ModelRequest, ModelSettings, Runner,
    model::{ModelErrorKind, collect},
    tool, toolset,
};

use crate::loopback::{Answer, Server};

/// Get the weather in a city as it is now.
#[tool(read_only)]
fn get_weather(
    /// The city, for example "Oslo".
    city: String,
) -> String {
    format!("rain in {city}")
}

pub(crate) fn model(server: &Server) -> Anthropic {
    Anthropic::new("claude-x", "sk-ant-secret").with_base_url(server.base_url())
}

/// A reply that calls a tool after it has thought.
fn calling() -> Value {
    json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x",
        "content": [
            {"type": "thinking", "thinking": "I look it up.", "signature": "EqRk+/="},
            {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Oslo"}}],
        "stop_reason": "tool_use", "stop_sequence": null,
        "usage": {"input_tokens": 10, "output_tokens": 5}})
}

fn answering() -> Value {
    json!({"id": "msg_2", "type": "message", "role": "assistant", "model": "claude-x",
        "content": [{"type": "text", "text": "Take a raincoat."}],
        "stop_reason": "end_turn", "stop_sequence": null,
        "usage": {"input_tokens": 20, "output_tokens": 6}})
}

/// A reply as the events that stream it.
pub(crate) fn streamed(reply: &Value) -> String {
    let mut start = reply.clone();
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    let mut events = vec![json!({"type": "message_start", "message": start})];
    for (index, block) in reply["content"]
        .as_array()
        .expect("is one")
        .iter()
        .enumerate()
    {
        let mut empty = block.clone();
        let deltas = match block["type"].as_str().expect("has one") {
            "thinking" => {
                empty["thinking"] = "".into();
                empty["signature"] = "".into();
                vec![
                    json!({"type": "thinking_delta", "thinking": block["thinking"]}),
                    json!({"type": "signature_delta", "signature": block["signature"]}),
                ]
            }
            "tool_use" => {
                empty["input"] = json!({});
                let input = block["input"].to_string();
                vec![json!({"type": "input_json_delta", "partial_json": input})]
            }
            _ => {
                empty["text"] = "".into();
                vec![json!({"type": "text_delta", "text": block["text"]})]
            }
        };
        events.push(json!({"type": "content_block_start", "index": index, "content_block": empty}));
        events.extend(
            deltas.iter().map(
                |delta| json!({"type": "content_block_delta", "index": index, "delta": delta}),
            ),
        );
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    events.push(
        json!({"type": "message_delta", "delta": {"stop_reason": reply["stop_reason"]},
        "usage": {"output_tokens": reply["usage"]["output_tokens"]}}),
    );
    events.push(json!({"type": "message_stop"}));
    let events = events.iter().map(|event| {
        let name = event["type"].as_str().expect("has one");
        format!("event: {name}\ndata: {event}\n\n")
    });
    events.collect::<Vec<_>>().concat()
}

#[tokio::test]
async fn a_round_of_calls_goes_back_with_its_thinking() {
    for streaming in [false, true] {
        let answer = |reply: &Value| {
            if streaming {
                Answer::events(&streamed(reply))
            } else {
                Answer::json(&reply.to_string())
            }
        };
        let server = Server::start(vec![answer(&calling()), answer(&answering())]).await;
        let settings = ModelSettings::new()
            .with_reasoning_effort("low")
            .with_seed(7);
        let runner = Runner::builder(model(&server))
            .system("Be brief.")
            .tools(toolset![get_weather])
            .settings(settings)
            .streaming(streaming)
            .build()
            .expect("is consistent");
        let outcome = runner.run("What should I wear in Oslo?").await;
        let outcome = outcome.expect("the server answers");
        assert_eq!(outcome.finish, Finish::Answered);
        assert_eq!(outcome.text, "Take a raincoat.");
        assert_eq!(
            (outcome.usage.input_tokens, outcome.usage.output_tokens),
            (30, 11)
        );
        let codes: Vec<_> = outcome
            .warnings
            .iter()
            .map(|warning| &*warning.code)
            .collect();
        assert!(codes.contains(&"seed_ignored"), "{codes:?}");

        let requests = server.requests();
        let head = &requests[0].head;
        assert!(head.starts_with("post /v1/messages http/1.1"), "{head}");
        for header in ["x-api-key: sk-ant-secret", "anthropic-version: 2023-06-01"] {
            assert!(head.contains(header), "{header} in {head}");
        }
        assert!(!head.contains("authorization"), "{head}");
        let body: Value = serde_json::from_slice(&requests[1].body).expect("is JSON");
        assert_eq!(body["stream"].as_bool(), streaming.then_some(true));
        assert_eq!(body["messages"][1]["content"], calling()["content"]);
        assert_eq!(
            body["messages"][2],
            json!({"role": "user", "content": [{"type": "tool_result",
                "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "rain in Oslo"}]}]})
        );
    }
}

#[tokio::test]
async fn an_error_says_how_long_to_wait_and_hides_the_key() {
    let body = r#"{"type":"error","error":{"type":"rate_limit_error","message":"sk-ant-secret is too fast"},"request_id":"req_1"}"#;
    let headers = [("content-type", "application/json"), ("retry-after", "7")];
    let answer = || Answer::with_headers("429 Too Many Requests", &headers, body);
    let server = Server::start(vec![answer(), answer()]).await;
    let request = ModelRequest::new([Message::user("Hi")]);
    let model = model(&server);
    let whole = model.complete(&request).await.expect_err("is refused");
    let streamed = collect(model.stream(&request))
        .await
        .expect_err("is refused");
    for error in [whole, streamed] {
        assert_eq!(error.kind, ModelErrorKind::RateLimit);
        assert_eq!(error.retry_after, Some(Duration::from_secs(7)));
        assert!(error.retryable);
        assert_eq!(error.error_type.as_deref(), Some("rate_limit_error"));
        assert!(!format!("{error:?}").contains("sk-ant-secret"), "{error:?}");
    }
}

#[tokio::test]
async fn a_stream_ends_with_its_stop_though_the_connection_stays() {
    let server = Server::start(vec![Answer::silent_events(&streamed(&answering()))]).await;
    let request = ModelRequest::new([Message::user("Hi")]);
    let reply = collect(model(&server).stream(&request))
        .await
        .expect("is whole");
    assert_eq!(
        (&*reply.text, reply.finish_reason),
        ("Take a raincoat.", FinishReason::Stop)
    );
}

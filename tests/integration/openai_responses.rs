//! `OpenAiResponses` against a server.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright::{
    ChatModel, Finish, FinishReason, Message, ModelRequest, ModelSettings, OpenAiResponses, Runner,
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

pub(crate) fn model(server: &Server) -> OpenAiResponses {
    OpenAiResponses::new("gpt-x", "sk-secret-key").with_base_url(server.base_url())
}

/// A whole reply of some items.
pub(crate) fn reply(items: &Value) -> Value {
    json!({"id": "resp_1", "object": "response", "model": "gpt-x", "status": "completed",
        "output": items, "usage": {"input_tokens": 10, "output_tokens": 5}})
}

/// A reply that calls a tool after it has thought.
fn calling() -> Value {
    reply(&json!([
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "I look."}],
            "encrypted_content": "gAAA+/="},
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "phase": "commentary",
            "content": [{"type": "output_text", "text": "One moment.", "annotations": []}]},
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "get_weather",
            "arguments": "{\"city\": \"Oslo\"}", "status": "completed"}]))
}

fn answering() -> Value {
    reply(
        &json!([{"type": "message", "id": "msg_2", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "Take a raincoat.", "annotations": []}]}]),
    )
}

/// A reply as the events that stream it.
pub(crate) fn streamed(reply: &Value) -> String {
    let mut start = reply.clone();
    start["output"] = json!([]);
    start["status"] = "in_progress".into();
    let mut events = vec![json!({"type": "response.created", "response": start})];
    let items = reply["output"].as_array().expect("is a list");
    for (index, item) in items.iter().enumerate() {
        let mut begun = item.clone();
        let (kind, piece) = match item["type"].as_str().expect("has one") {
            "function_call" => {
                begun["arguments"] = "".into();
                ("function_call_arguments", &item["arguments"])
            }
            "message" => {
                begun["content"] = json!([]);
                ("output_text", &item["content"][0]["text"])
            }
            _ => {
                begun["summary"] = json!([]);
                begun["encrypted_content"] = "another".into();
                ("reasoning_summary_text", &item["summary"][0]["text"])
            }
        };
        let kind = format!("response.{kind}.delta");
        events.extend([
            json!({"type": "response.output_item.added", "output_index": index, "item": begun}),
            json!({"type": kind, "output_index": index, "delta": piece}),
            json!({"type": "response.output_item.done", "output_index": index, "item": item}),
        ]);
    }
    events.push(json!({"type": "response.completed", "response": reply}));
    let events = events.iter().map(|event| {
        let name = event["type"].as_str().expect("has one");
        format!("event: {name}\ndata: {event}\n\n")
    });
    events.collect()
}

#[tokio::test]
async fn a_round_of_calls_goes_back_with_its_reasoning() {
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
            (20, 10)
        );
        let codes = outcome.warnings.iter().map(|warning| &*warning.code);
        assert_eq!(codes.collect::<Vec<_>>(), ["seed_ignored"]);

        let requests = server.requests();
        let head = &requests[0].head;
        assert!(head.starts_with("post /v1/responses http/1.1"), "{head}");
        assert!(
            head.contains("authorization: bearer sk-secret-key"),
            "{head}"
        );
        let body: Value = serde_json::from_slice(&requests[1].body).expect("is JSON");
        assert_eq!(body["stream"].as_bool(), streaming.then_some(true));
        assert_eq!(body["store"], false);
        assert_eq!(body["instructions"], "Be brief.");
        assert_eq!(
            body["input"],
            json!([
                {"role": "user", "content": "What should I wear in Oslo?"},
                calling()["output"][0],
                {"role": "assistant", "content": "One moment.", "phase": "commentary"},
                {"type": "function_call", "call_id": "call_1", "name": "get_weather",
                    "arguments": "{\"city\": \"Oslo\"}"},
                {"type": "function_call_output", "call_id": "call_1", "output": "rain in Oslo"}])
        );
    }
}

#[tokio::test]
async fn what_one_server_encrypted_goes_to_no_other() {
    let mut conversation = toolwright::Conversation::new();
    conversation.push_user("Hi");
    let mut thought = calling();
    thought["output"]
        .as_array_mut()
        .expect("is one")
        .truncate(2);
    let server = Server::start(vec![Answer::json(&thought.to_string())]).await;
    let reply = model(&server).complete(&conversation.request()).await;
    conversation.push_response(reply.expect("answers"));
    conversation.push_user("And now?");
    let second = Server::start(vec![Answer::json(&answering().to_string())]).await;
    let reply = model(&second).complete(&conversation.request()).await;
    reply.expect("answers");
    let body: Value = serde_json::from_slice(&second.requests()[0].body).expect("is JSON");
    assert_eq!(
        body["input"],
        json!([{"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "One moment."},
            {"role": "user", "content": "And now?"}])
    );
}

#[tokio::test]
async fn an_error_says_how_long_to_wait_and_hides_the_key() {
    let body = r#"{"error":{"message":"sk-secret-key is too fast","type":"requests","code":"rate_limit_exceeded"}}"#;
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
        assert!(!format!("{error:?}").contains("sk-secret-key"), "{error:?}");
    }
}

#[tokio::test]
async fn a_stream_ends_with_its_last_event_though_the_connection_stays() {
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

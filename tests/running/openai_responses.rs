//! `OpenAiResponses` against a server.

use serde_json::{Value, json};
use toolwright::{ChatModel, OpenAiResponses, model::ModelSettings};

use crate::{
    loopback::{Answer, Server},
    served::{self, ANSWER, Asked, Reply},
};

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
        "content": [{"type": "output_text", "text": ANSWER, "annotations": []}]}]),
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

fn in_both_forms(reply: &Value) -> Reply {
    Reply {
        whole: reply.to_string(),
        streamed: Answer::events(&streamed(reply)),
    }
}

#[tokio::test]
async fn a_round_of_calls_goes_back_with_its_reasoning() {
    for streaming in [false, true] {
        let replies = [calling(), answering()].map(|reply| in_both_forms(&reply));
        let settings = ModelSettings::new()
            .with_reasoning_effort("low")
            .with_seed(7);
        let asked = Asked::new(settings, streaming);
        let (outcome, requests) = served::run(model, replies, asked).await;
        assert_eq!(served::tokens(&outcome), (20, 10));
        assert_eq!(served::warnings(&outcome), ["seed_ignored"]);

        let head = &requests[0].head;
        assert!(head.starts_with("post /v1/responses http/1.1"), "{head}");
        assert!(
            head.contains("authorization: bearer sk-secret-key"),
            "{head}"
        );
        let body = served::body(&requests[1]);
        assert_eq!(body["stream"].as_bool(), streaming.then_some(true));
        assert_eq!(body["store"], false);
        assert_eq!(body["instructions"], "Be brief.");
        assert_eq!(
            body["input"],
            json!([
                {"type": "message", "role": "user", "content": "What should I wear in Oslo?"},
                calling()["output"][0],
                calling()["output"][1],
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
    let body = served::body(&second.requests()[0]);
    // Commentary goes with the reasoning that it stands among, to the server that wrote it alone.
    assert_eq!(
        body["input"],
        json!([{"type": "message", "role": "user", "content": "Hi"},
            {"type": "message", "role": "user", "content": "And now?"}])
    );
}

#[tokio::test]
async fn an_error_says_how_long_to_wait_and_hides_the_key() {
    let answer = served::too_fast(
        r#"{"error":{"message":"sk-secret-key is too fast","type":"requests","code":"rate_limit_exceeded"}}"#,
    );
    served::check_wait(model, "sk-secret-key", answer).await;
}

#[tokio::test]
async fn a_stream_ends_with_its_last_event_though_the_connection_stays() {
    served::check_end(model, &streamed(&answering())).await;
}

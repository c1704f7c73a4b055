//! `Anthropic` against a server.

use serde_json::{Value, json};
use toolwright::{Anthropic, model::ModelSettings};

use crate::{
    loopback::{Answer, Server},
    served::{self, ANSWER, Asked, Reply},
};

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
        "content": [{"type": "text", "text": ANSWER}],
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

fn in_both_forms(reply: &Value) -> Reply {
    Reply {
        whole: reply.to_string(),
        streamed: Answer::events(&streamed(reply)),
    }
}

#[tokio::test]
async fn a_round_of_calls_goes_back_with_its_thinking() {
    for streaming in [false, true] {
        let replies = [calling(), answering()].map(|reply| in_both_forms(&reply));
        let settings = ModelSettings::new()
            .with_reasoning_effort("low")
            .with_seed(7);
        let asked = Asked::new(settings, streaming);
        let (outcome, requests) = served::run(model, replies, asked).await;
        assert_eq!(served::tokens(&outcome), (30, 11));
        let codes = served::warnings(&outcome);
        assert!(codes.contains(&"seed_ignored"), "{codes:?}");

        let head = &requests[0].head;
        assert!(head.starts_with("post /v1/messages http/1.1"), "{head}");
        for header in ["x-api-key: sk-ant-secret", "anthropic-version: 2023-06-01"] {
            assert!(head.contains(header), "{header} in {head}");
        }
        assert!(!head.contains("authorization"), "{head}");
        let body = served::body(&requests[1]);
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
    let answer = served::too_fast(
        r#"{"type":"error","error":{"type":"rate_limit_error","message":"sk-ant-secret is too fast"},"request_id":"req_1"}"#,
    );
    for error in served::check_wait(model, "sk-ant-secret", answer).await {
        assert_eq!(error.error_type.as_deref(), Some("rate_limit_error"));
    }
}

#[tokio::test]
async fn a_stream_ends_with_its_stop_though_the_connection_stays() {
    served::check_end(model, &streamed(&answering())).await;
}

//! What each protocol sends of a typed run.

use serde_json::{Value, json};
use toolwright::{Runner, toolset};

use super::*;
use crate::{
    anthropic, gemini,
    loopback::{self, Server},
    ollama, openai_chat, openai_responses,
};

/// A reply in the form of a protocol.
type Reply = fn(&str) -> Value;

fn of_chat(text: &str) -> Value {
    json!({"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": text}}]})
}

fn of_responses(text: &str) -> Value {
    json!({"object": "response", "status": "completed", "output": [{"type": "message", "id": "m",
        "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}]}]})
}

fn of_anthropic(text: &str) -> Value {
    json!({"type": "message", "role": "assistant", "content": [{"type": "text", "text": text}],
        "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}})
}

fn of_gemini(text: &str) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP"}]})
}

fn of_ollama(text: &str) -> Value {
    json!({"model": "m", "message": {"role": "assistant", "content": text}, "done": true, "done_reason": "stop"})
}

/// Runs to an answer that is mended once, and gives the bodies of both requests.
async fn bodies<M: ChatModel>(
    model: fn(&Server) -> M,
    reply: Reply,
    has_tools: bool,
) -> Vec<Value> {
    let replies = [TOO_MUCH, OSLO].map(|text| loopback::Answer::json(&reply(text).to_string()));
    let server = Server::start(replies.into()).await;
    let mut runner = Runner::builder(model(&server)).streaming(false);
    if has_tools {
        runner = runner.tools(toolset![get_rain]);
    }
    let runner = runner.build().expect("is sound");
    let answer = weather(&runner).await;
    assert_eq!(answer.expect("fits").value, oslo());
    let requests = server.requests();
    let bodies = requests
        .iter()
        .map(|request| serde_json::from_slice(&request.body));
    bodies.collect::<Result<_, _>>().expect("is JSON")
}

async fn check<M: ChatModel>(model: fn(&Server) -> M, reply: Reply, schema: &str) {
    for body in bodies(model, reply, false).await.iter().enumerate() {
        let (place, body) = body;
        let required = body.pointer(schema).map(|schema| &schema["required"]);
        assert_eq!(required, Some(&json!(["city", "rain"])), "{body}");
        let text = body.to_string();
        assert_eq!(
            text.contains("your answer does not fit: rain"),
            place == 1,
            "{body}"
        );
        assert!(!text.contains("final_answer"), "{body}");
    }
}

#[tokio::test]
async fn each_protocol_sends_its_form_of_the_schema() {
    let chat = "/response_format/json_schema/schema";
    check(openai_chat::model, of_chat, chat).await;
    check(openai_responses::model, of_responses, "/text/format/schema").await;
    check(
        anthropic::model,
        of_anthropic,
        "/output_config/format/schema",
    )
    .await;
    check(
        gemini::model,
        of_gemini,
        "/generationConfig/responseJsonSchema",
    )
    .await;
    check(ollama::model, of_ollama, "/format").await;
}

#[tokio::test]
async fn with_tools_beside_it_where_the_server_can_do_both() {
    for body in bodies(openai_chat::model, of_chat, true).await {
        assert_eq!(body["tools"].as_array().map(Vec::len), Some(1), "{body}");
        assert!(body.get("response_format").is_some(), "{body}");
    }
    for body in bodies(ollama::model, of_ollama, true).await {
        assert_eq!(
            body["tools"][1]["function"]["name"], "final_answer",
            "{body}"
        );
        assert_eq!(body.get("format"), None, "{body}");
    }
}

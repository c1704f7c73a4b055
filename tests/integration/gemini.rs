//! `Gemini` against a server.

use std::time::Duration;

use serde_json::{Value, json};
use toolwright::{
    ChatModel, Finish, Gemini, Message, ModelRequest, ModelSettings, Runner,
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

pub(crate) fn model(server: &Server) -> Gemini {
    Gemini::new("gemini-3-x", "goog-secret").with_base_url(server.base_url())
}

fn reply(parts: &Value) -> Value {
    json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 2},
        "modelVersion": "gemini-3-x", "responseId": "r"})
}

/// Two calls after a thought, one of them without an id, and the first of them signed.
fn calling() -> Value {
    json!([
        {"text": "I look it up.", "thought": true},
        {"functionCall": {"id": "a1", "name": "get_weather", "args": {"city": "Oslo"}},
            "thoughtSignature": "EqRk+/="},
        {"functionCall": {"name": "get_weather", "args": {"city": "Bergen"}}},
    ])
}

/// A reply as the events that stream it: one for each part.
pub(crate) fn streamed(reply: &Value) -> String {
    let parts = reply["candidates"][0]["content"]["parts"].as_array();
    let events = parts.expect("is one").iter().map(|part| {
        json!({"candidates": [{"content": {"role": "model", "parts": [part]}}],
            "modelVersion": reply["modelVersion"], "responseId": reply["responseId"]})
    });
    let mut end = reply.clone();
    end["candidates"][0]["content"]["parts"] = json!([{"text": ""}]);
    let events = events.chain([end]);
    let events = events.map(|event| format!("data: {event}\r\n\r\n"));
    events.collect::<Vec<_>>().concat()
}

#[tokio::test]
async fn a_round_of_calls_goes_back_with_its_signature() {
    for streaming in [false, true] {
        let answer = |reply: &Value| {
            if streaming {
                Answer::events(&streamed(reply))
            } else {
                Answer::json(&reply.to_string())
            }
        };
        let text = json!([{"text": "Take a raincoat."}]);
        let answers = vec![answer(&reply(&calling())), answer(&reply(&text))];
        let server = Server::start(answers).await;
        let settings = ModelSettings::new()
            .with_reasoning_effort("low")
            .with_parallel_tool_calls(false);
        let runner = Runner::builder(model(&server))
            .system("Be brief.")
            .tools(toolset![get_weather])
            .settings(settings)
            .streaming(streaming)
            .build()
            .expect("is consistent");
        let outcome = runner.run("What should I wear?").await;
        let outcome = outcome.expect("the server answers");
        assert_eq!(outcome.finish, Finish::Answered);
        assert_eq!(outcome.text, "Take a raincoat.");
        assert_eq!(
            (outcome.usage.input_tokens, outcome.usage.output_tokens),
            (20, 10)
        );
        assert_eq!(outcome.usage.reasoning_tokens, Some(4));
        let warned = |code| outcome.warnings.iter().any(|warning| warning.code == code);
        assert!(warned("parallel_tool_calls_ignored"));

        let requests = server.requests();
        let head = &requests[0].head;
        let method = if streaming {
            "streamgeneratecontent?alt=sse"
        } else {
            "generatecontent"
        };
        let line = format!("post /v1/models/gemini-3-x:{method} http/1.1");
        assert!(head.starts_with(&line), "{head}");
        assert!(head.contains("x-goog-api-key: goog-secret"), "{head}");
        assert!(!head.contains("authorization"), "{head}");
        let body: Value = serde_json::from_slice(&requests[1].body).expect("is JSON");
        assert_eq!(
            body["generationConfig"],
            json!({"thinkingConfig": {"includeThoughts": true, "thinkingLevel": "low"}})
        );
        assert_eq!(
            body["tools"][0]["functionDeclarations"][0]["name"],
            "get_weather"
        );
        let parts = calling();
        assert_eq!(
            body["contents"][1],
            json!({"role": "model", "parts": [parts[1], parts[2]]})
        );
        let answer = |id: Option<&str>, said: &str| {
            let mut answer = json!({"name": "get_weather", "response": {"output": said}});
            if let Some(id) = id {
                answer["id"] = id.into();
            }
            json!({"functionResponse": answer})
        };
        let answers = [
            answer(Some("a1"), "rain in Oslo"),
            answer(None, "rain in Bergen"),
        ];
        assert_eq!(
            body["contents"][2],
            json!({"role": "user", "parts": answers})
        );
    }
}

#[tokio::test]
async fn an_error_says_how_long_to_wait_and_hides_the_key() {
    let body = json!({"error": {"code": 429, "message": "goog-secret is too fast",
        "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "7s"}]}})
    .to_string();
    let answer = || Answer::http("429 Too Many Requests", "text/event-stream", &body);
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
        assert_eq!(error.error_type.as_deref(), Some("RESOURCE_EXHAUSTED"));
        assert!(!format!("{error:?}").contains("goog-secret"), "{error:?}");
    }
}

#[tokio::test]
async fn a_server_like_vertex_has_a_base_url_of_its_own_and_a_token() {
    let answers = vec![Answer::json(&reply(&json!([{"text": "Hi."}])).to_string())];
    let server = Server::start(answers).await;
    let base = format!(
        "{}/projects/p/locations/l/publishers/google",
        server.base_url()
    );
    let model = Gemini::new("gemini-2.5-pro", "")
        .with_base_url(base)
        .with_header("authorization", "Bearer token");
    let request = ModelRequest::new([Message::user("Hi")]);
    model.complete(&request).await.expect("answers");
    let requests = server.requests();
    let head = &requests[0].head;
    let path = "/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-pro:generatecontent";
    assert!(head.starts_with(&format!("post {path} http/1.1")), "{head}");
    assert!(head.contains("authorization: bearer token"), "{head}");
    assert!(!head.contains("x-goog-api-key"), "{head}");
}

#[tokio::test]
async fn a_request_that_is_blocked_ends_the_run() {
    let blocked = json!({"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "m"});
    let server = Server::start(vec![Answer::events(&format!("data: {blocked}\r\n\r\n"))]).await;
    let runner = Runner::builder(model(&server)).streaming(true).build();
    let outcome = runner.expect("is consistent").run("Hi").await;
    let outcome = outcome.expect("it is no error");
    assert_eq!(outcome.finish, Finish::Filtered);
    assert_eq!(outcome.warnings[0].code, "prompt_blocked");
}

//! The id of a request and its rate limits: with every provider, in responses and errors, streamed and whole.

use serde_json::{Value, json};
use toolwright::{
    ChatModel, ModelError, ModelResponse, OpenAiChat,
    model::{ModelErrorKind, collect},
    provider::HttpOptions,
};

use crate::{
    hostile_server::errors_in_streams::PROTOCOLS,
    loopback::{Answer, Server},
    served::question,
};

/// What is sent. The last three are not kept: a cookie, what quotes the key, and another.
const HEADERS: [(&str, &str); 6] = [
    ("content-type", "text/event-stream"),
    ("x-request-id", "req_1"),
    ("x-ratelimit-remaining-requests", "59"),
    ("set-cookie", "a=b"),
    ("x-ratelimit-key", "sk-secret"),
    ("server", "nginx"),
];

fn kept() -> Value {
    json!({"x-request-id": "req_1", "x-ratelimit-remaining-requests": "59"})
}

fn check_error(error: &ModelError, what: &str) {
    assert_eq!(Value::Object(error.headers.clone()), kept(), "{what}");
    let stored = serde_json::to_string(error).expect("is JSON");
    let read: ModelError = serde_json::from_str(&stored).expect("is read");
    assert_eq!(read.request_id(), Some("req_1"), "{what}");
    assert!(!stored.contains("sk-secret"), "{what}: {stored}");
}

fn check_response(response: &ModelResponse, what: &str) {
    assert_eq!(response.metadata[ModelResponse::HEADERS], kept(), "{what}");
    let stored = serde_json::to_string(response).expect("is JSON");
    let read: ModelResponse = serde_json::from_str(&stored).expect("is read");
    assert_eq!(read.request_id(), Some("req_1"), "{what}");
}

#[tokio::test]
async fn errors_and_responses_of_every_provider_name_their_request() {
    for protocol in &PROTOCOLS {
        let refused = Answer::with_headers("400 Bad Request", &HEADERS[1..], "{}");
        let answered = format!("{}{}", protocol.piece, protocol.end);
        let failed = format!("{}{}", protocol.piece, protocol.error);
        let [answered, failed] =
            [answered, failed].map(|body| Answer::with_headers("200 OK", &HEADERS, &body));
        let empty = Answer::with_headers("200 OK", &HEADERS[1..], "{}");
        let answers = vec![refused.clone(), refused, empty, answered, failed];
        let server = Server::start(answers).await;
        let model = (protocol.model)(&server);
        let name = protocol.name;
        // Its model has no key here, so that nothing is secret.
        let has_key = name != "ollama";
        for streamed in [false, true] {
            let refused = if streamed {
                collect(model.stream(&question())).await
            } else {
                model.complete(&question()).await
            };
            let refused = refused.expect_err("is refused");
            assert_eq!(refused.kind, ModelErrorKind::InvalidRequest, "{name}");
            if has_key {
                check_error(&refused, name);
            }
        }
        let empty = model.complete(&question()).await.expect_err("is empty");
        let response = collect(model.stream(&question())).await.expect("answers");
        assert_eq!(response.text, "half", "{name}");
        let failed = collect(model.stream(&question())).await.expect_err("fails");
        assert_eq!(failed.kind, ModelErrorKind::ContextTooLong, "{name}");
        if has_key {
            check_error(&empty, name);
            check_response(&response, name);
            check_error(&failed, name);
        }
        assert_eq!(response.request_id(), Some("req_1"), "{name}");
        assert_eq!(failed.request_id(), Some("req_1"), "{name}");
    }
}

#[tokio::test]
async fn a_whole_response_names_its_request() {
    let body = r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#;
    let server = Server::start(vec![Answer::with_headers("200 OK", &HEADERS[1..], body)]).await;
    let model = OpenAiChat::new("m", "sk-secret").with_base_url(server.base_url());
    let response = model.complete(&question()).await.expect("answers");
    check_response(&response, "whole");
}

/// A user who names a request looks for that name.
#[tokio::test]
async fn an_id_that_the_user_has_chosen_is_kept_and_a_secret_is_not() {
    let body = r#"{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}"#;
    let headers = [
        ("x-request-id", "order-4711-0001"),
        ("x-ratelimit-key", "secret-of-mine"),
    ];
    let server = Server::start(vec![Answer::with_headers("200 OK", &headers, body)]).await;
    let options = HttpOptions::new()
        .with_header("x-request-id", "order-4711-0001")
        .with_header("x-secret", "secret-of-mine");
    let model = OpenAiChat::new("m", "sk-secret")
        .with_base_url(server.base_url())
        .with_http(options);
    let response = model.complete(&question()).await.expect("answers");
    assert_eq!(response.request_id(), Some("order-4711-0001"));
    let kept = &response.metadata[ModelResponse::HEADERS];
    assert_eq!(*kept, json!({"x-request-id": "order-4711-0001"}));
}

//! What the code of an error says holds in every protocol, whatever the status, streamed and whole.

use serde_json::{Value, json};
use toolwright::{
    OpenAiChat,
    model::{ModelErrorKind, collect},
    provider::{Codec, ErrorResponse, OpenAiChatCodec, OpenAiResponsesCodec, Vendor},
    tool::ToolDefinitions,
};

use crate::{
    hostile_server::errors_in_streams::{PROTOCOLS, Protocol},
    loopback::{Answer, Server},
    served::question,
};

const STATUSES: [&str; 8] = [
    "400 Bad Request",
    "403 Forbidden",
    "404 Not Found",
    "408 Request Timeout",
    "429 Too Many Requests",
    "500 Internal Server Error",
    "503 Service Unavailable",
    "529 Overloaded",
];

/// Codes, with the kind of their error and whether the request is sent again.
const CODES: [(&str, ModelErrorKind, bool); 12] = [
    ("bio_policy", ModelErrorKind::ContentFilter, false),
    (
        "misalignment_policy_violation",
        ModelErrorKind::ContentFilter,
        false,
    ),
    ("content_filter", ModelErrorKind::ContentFilter, false),
    (
        "data_residency_mismatch",
        ModelErrorKind::InvalidRequest,
        false,
    ),
    ("cancelled", ModelErrorKind::InvalidRequest, false),
    ("insufficient_quota", ModelErrorKind::RateLimit, false),
    (
        "exceeded_current_quota_error",
        ModelErrorKind::RateLimit,
        false,
    ),
    ("billing_error", ModelErrorKind::RateLimit, false),
    (
        "context_length_exceeded",
        ModelErrorKind::ContextTooLong,
        false,
    ),
    ("rate_limit_exceeded", ModelErrorKind::RateLimit, true),
    ("overloaded_error", ModelErrorKind::Overloaded, true),
    ("UNAVAILABLE", ModelErrorKind::Overloaded, true),
];

/// An error as the only event of a stream.
fn event(protocol: &Protocol, error: &Value) -> String {
    match protocol.name {
        "ollama" => format!("{}\n", json!({ "error": error })),
        "anthropic" | "openai_responses" => {
            format!("data: {}\n\n", json!({"type": "error", "error": error}))
        }
        _ => format!("data: {}\n\n", json!({ "error": error })),
    }
}

#[tokio::test]
async fn a_code_decides_in_every_protocol() {
    for protocol in &PROTOCOLS {
        for field in ["code", "type"] {
            let errors = CODES.map(|(code, _, _)| json!({"message": "no", field: code}));
            let answers = errors.iter().flat_map(|error| {
                let body = json!({ "error": error }).to_string();
                let refused = |status| Answer::http(status, "application/json", &body);
                let refused = STATUSES.map(|status| [refused(status), refused(status)]);
                let mut answers = refused.concat();
                answers.extend([Answer::json(&body), Answer::events(&event(protocol, error))]);
                answers
            });
            let server = Server::start(answers.collect()).await;
            let model = (protocol.model)(&server);
            for (code, kind, retryable) in CODES {
                for status in STATUSES.iter().chain(&["200 OK"]) {
                    let whole = model.complete(&question()).await;
                    let streamed = collect(model.stream(&question())).await;
                    for error in [whole, streamed] {
                        let error = error.expect_err("is an error");
                        let what = format!("{} {field} {code} {status}: {error}", protocol.name);
                        assert_eq!((error.kind, error.retryable), (kind, retryable), "{what}");
                        assert_eq!(error.status, status[..3].parse().ok(), "{what}");
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn a_code_decides_for_every_vendor() {
    let quota = r#"{"error":{"message":"no","type":"exceeded_current_quota_error"}}"#;
    for vendor in Vendor::ALL {
        let answer = Answer::http("429 Too Many Requests", "application/json", quota);
        let server = Server::start(vec![answer]).await;
        let model = OpenAiChat::new("m", "sk-secret")
            .with_vendor(*vendor)
            .with_base_url(server.base_url());
        let error = collect(toolwright::ChatModel::stream(&model, &question())).await;
        let error = error.expect_err("is an error");
        assert_eq!(
            (error.kind, error.retryable),
            (ModelErrorKind::RateLimit, false)
        );
    }
}

#[test]
fn a_reply_that_was_cancelled_is_not_asked_for_again() {
    let body = json!({"status": "cancelled", "output": []}).to_string();
    let error = OpenAiResponsesCodec::new()
        .decode(&ToolDefinitions::default(), body.as_bytes())
        .expect_err("is cancelled");
    assert!(!error.retryable, "{error}");
    let unknown = br#"{"error":{"code":"something_new"}}"#;
    assert!(
        OpenAiChatCodec::new()
            .decode_error(&ErrorResponse::new(503, unknown))
            .retryable
    );
    assert!(
        !OpenAiChatCodec::new()
            .decode_error(&ErrorResponse::new(400, unknown))
            .retryable
    );
}

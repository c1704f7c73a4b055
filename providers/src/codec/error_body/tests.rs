use std::time::Duration;

use serde_json::json;
use toolwright_core::model::{ModelError, ModelErrorKind, ModelErrorKind as Kind};

use super::decode_error;

fn check(status: u16, body: &str, kind: ModelErrorKind, message: &str) -> ModelError {
    let error = decode_error(status, None, body.as_bytes());
    assert_eq!(error.kind, kind, "{status} {body}");
    assert_eq!(error.message, message);
    assert_eq!(error.status, Some(status));
    error
}

#[test]
fn fields_are_found_wherever_they_stand() {
    use ModelErrorKind::{Authentication, InvalidRequest, Overloaded, RateLimit};
    let error = check(
        400,
        r#"{"error":{"message":"no","type":"invalid_request_error","code":"bad","param":null}}"#,
        InvalidRequest,
        "no",
    );
    assert_eq!(error.code.as_deref(), Some("bad"));
    assert_eq!(error.error_type.as_deref(), Some("invalid_request_error"));
    // xAI
    let error = check(
        400,
        r#"{"code":"invalid-argument","error":"Incorrect API key provided: x"}"#,
        Authentication,
        "Incorrect API key provided: x",
    );
    assert_eq!(error.code.as_deref(), Some("invalid-argument"));
    // vLLM, FastAPI, Gemini
    check(
        400,
        r#"{"object":"error","message":"no"}"#,
        InvalidRequest,
        "no",
    );
    check(
        404,
        r#"{"detail":"Not Found"}"#,
        InvalidRequest,
        "Not Found",
    );
    check(
        503,
        r#"[{"error":{"code":503,"message":"busy"}}]"#,
        Overloaded,
        "busy",
    );
    // OpenRouter
    let error = check(
        429,
        r#"{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"slow down"}}}"#,
        RateLimit,
        "Provider returned error: slow down",
    );
    assert_eq!(error.code.as_deref(), Some("429"));
}

#[test]
fn bodies_that_say_nothing_get_a_sentence() {
    use ModelErrorKind::{Authentication, InvalidRequest, Overloaded};
    check(500, "", Overloaded, "the server gave no reason");
    check(
        502,
        "<!DOCTYPE html><html>",
        Overloaded,
        "the server answered with an HTML page; a proxy may be in between",
    );
    check(401, "no\nmore", Authentication, "the server answered: no");
    check(400, "{}", InvalidRequest, "the server answered: {}");
    check(
        302,
        "",
        InvalidRequest,
        "the server answered with a redirect, which is not followed; check the base URL",
    );
}

#[test]
fn kinds_say_what_can_be_done() {
    let check = |status, error: serde_json::Value, kind, retryable| {
        let body = serde_json::json!({ "error": error }).to_string();
        let error = decode_error(status, None, body.as_bytes());
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{body}");
    };
    check(403, json!({"message": "no"}), Kind::Authentication, false);
    check(402, json!({"message": "pay"}), Kind::RateLimit, false);
    check(
        429,
        json!({"code": "insufficient_quota"}),
        Kind::RateLimit,
        false,
    );
    check(
        413,
        json!({"code": "rate_limit_exceeded"}),
        Kind::RateLimit,
        true,
    );
    // No wait makes the request shorter.
    for (status, message) in [
        (
            413,
            "Request too large for model `m` in organization `o` on tokens per minute (TPM): Limit 6000, Requested 7000",
        ),
        (
            429,
            "Request too large for m on tokens per min (TPM): Limit 30000, Requested 45000.",
        ),
    ] {
        check(
            status,
            json!({"message": message, "type": "tokens", "code": "rate_limit_exceeded"}),
            Kind::ContextTooLong,
            false,
        );
    }
    check(408, json!({}), Kind::Overloaded, true);
    check(529, json!({}), Kind::Overloaded, true);
    check(501, json!({}), Kind::InvalidRequest, false);
    check(
        400,
        json!({"code": "context_length_exceeded"}),
        Kind::ContextTooLong,
        false,
    );
    check(
        400,
        json!({"message": "maximum context length is 4"}),
        Kind::ContextTooLong,
        false,
    );
    check(
        400,
        json!({"code": "content_filter"}),
        Kind::ContentFilter,
        false,
    );
    check(
        400,
        json!({"message": "m does not support tools"}),
        Kind::ToolsUnsupported,
        false,
    );
    check(
        400,
        json!({"message": "Thinking mode does not support this tool_choice"}),
        Kind::InvalidRequest,
        false,
    );
    check(
        400,
        json!({"code": "tool_use_failed"}),
        Kind::MalformedResponse,
        true,
    );
}

#[test]
fn a_wait_comes_from_the_headers_or_the_body() {
    let check = |wait: Option<u64>, body: &str, expected: Option<u64>| {
        let error = decode_error(429, wait.map(Duration::from_secs), body.as_bytes());
        assert_eq!(
            error.retry_after,
            expected.map(Duration::from_secs),
            "{body}"
        );
    };
    let said = r#"{"error":{"message":"Please try again in 20s."}}"#;
    check(Some(3), said, Some(3));
    check(None, said, Some(20));
    check(
        None,
        r#"{"error":{"details":[{"x":1},{"retryDelay":"34s"}]}}"#,
        Some(34),
    );
    check(None, r#"{"error":{"retry_after":5}}"#, Some(5));
    check(None, "{}", None);
}

#[test]
fn only_the_beginning_of_a_body_is_kept() {
    let body = "\u{e9}".repeat(10_000);
    let error = decode_error(500, None, body.as_bytes());
    assert!(error.body.expect("is kept").len() <= ModelError::BODY_BYTES);
    assert!(error.message.len() < 500);
}

fn check_anthropic(
    status: Option<u16>,
    error_type: &str,
    message: &str,
    kind: Kind,
    retryable: bool,
) {
    let error = json!({"type": error_type, "message": message});
    let error = match status {
        Some(status) => {
            let body = json!({"type": "error", "error": error, "request_id": "req_1"});
            decode_error(status, None, body.to_string().as_bytes())
        }
        None => super::in_event(error.to_string().as_bytes()),
    };
    assert_eq!(
        (error.kind, error.retryable),
        (kind, retryable),
        "{error_type}"
    );
    assert_eq!(error.error_type.as_deref(), Some(error_type));
    assert_eq!(error.message, message);
}

#[test]
fn the_types_of_anthropic_have_their_meaning_with_a_status_and_without() {
    let check = |status, error_type, kind, retryable| {
        check_anthropic(status, error_type, "no", kind, retryable);
    };
    check(Some(529), "overloaded_error", Kind::Overloaded, true);
    check(None, "overloaded_error", Kind::Overloaded, true);
    check(None, "api_error", Kind::Overloaded, true);
    check(None, "rate_limit_error", Kind::RateLimit, true);
    check(None, "invalid_request_error", Kind::InvalidRequest, false);
    check(None, "not_found_error", Kind::InvalidRequest, false);
    check(Some(413), "request_too_large", Kind::InvalidRequest, false);
    check(None, "authentication_error", Kind::Authentication, false);
    check(Some(403), "permission_error", Kind::Authentication, false);
}

#[test]
fn the_sentences_of_anthropic_say_more_than_its_types() {
    let check = |message, kind| {
        check_anthropic(Some(400), "invalid_request_error", message, kind, false);
    };
    check(
        "prompt is too long: 205000 tokens > 200000 maximum",
        Kind::ContextTooLong,
    );
    check(
        "input length and `max_tokens` exceed context limit: 1 + 2 > 2",
        Kind::ContextTooLong,
    );
    check(
        "Your credit balance is too low to access the Anthropic API.",
        Kind::RateLimit,
    );
    check(
        "Output blocked by content filtering policy",
        Kind::ContentFilter,
    );
}

#[test]
fn the_errors_of_google_have_a_status_in_words() {
    let check_google = |status, word: &str, message: &str, kind, retryable| {
        let body = json!({"error": {"code": status, "message": message, "status": word}});
        let error = check(status, &body.to_string(), kind, message);
        assert_eq!(error.code, Some(status.to_string()));
        assert_eq!(error.error_type.as_deref(), Some(word));
        assert_eq!(error.retryable, retryable, "{word}");
    };
    let invalid = "INVALID_ARGUMENT";
    let key = "API key not valid. Please pass a valid API key.";
    check_google(400, invalid, key, Kind::Authentication, false);
    let long =
        "The input token count (2551556) exceeds the maximum number of tokens allowed (1048576).";
    check_google(400, invalid, long, Kind::ContextTooLong, false);
    let tools = "Function calling is not enabled for models/gemma-3-27b-it";
    check_google(400, invalid, tools, Kind::ToolsUnsupported, false);
    let field = "Invalid JSON payload received. Unknown name \"foo\": Cannot find field.";
    check_google(400, invalid, field, Kind::InvalidRequest, false);
    let quota = "You exceeded your current quota, please check your plan.";
    check_google(429, "RESOURCE_EXHAUSTED", quota, Kind::RateLimit, true);
    let busy = "The model is overloaded. Please try again later.";
    check_google(503, "UNAVAILABLE", busy, Kind::Overloaded, true);
    // A status that is none of Google's, beside a code that is no number.
    let other = check(
        400,
        r#"{"error":{"message":"no","code":"a","status":"b"}}"#,
        Kind::InvalidRequest,
        "no",
    );
    assert_eq!(other.error_type, None);
}

#[test]
fn what_a_server_writes_is_bounded() {
    let long = "é".repeat(100_000);
    let body = serde_json::json!({"error": {"message": long, "code": long, "type": long}});
    let error = decode_error(400, None, body.to_string().as_bytes());
    assert!(error.message.len() <= ModelError::BODY_BYTES);
    assert!(error.message.ends_with("é…"), "{}", &error.message[4000..]);
    for name in [error.code, error.error_type] {
        assert!(name.is_some_and(|name| name.len() <= 256 && name.ends_with('…')));
    }
    assert!(
        error
            .body
            .is_some_and(|body| body.len() <= ModelError::BODY_BYTES)
    );
}

#[test]
fn a_code_decides_whatever_the_status() {
    let check = |names: serde_json::Value, kind, retryable| {
        for status in [
            400, 401, 402, 403, 404, 408, 409, 422, 429, 498, 500, 501, 502, 503, 529,
        ] {
            let mut error = names.clone();
            error["message"] = "no".into();
            let body = json!({ "error": error }).to_string();
            let error = decode_error(status, None, body.as_bytes());
            assert_eq!(
                (error.kind, error.retryable),
                (kind, retryable),
                "{status} {body}"
            );
        }
        let error = super::in_event(names.to_string().as_bytes());
        assert_eq!((error.kind, error.retryable), (kind, retryable), "{names}");
    };
    let code = |code: &str| json!({ "code": code });
    for policy in [
        "bio_policy",
        "cyber_policy",
        "misalignment_policy_violation",
        "content_filter",
    ] {
        check(code(policy), Kind::ContentFilter, false);
        check(
            json!({"type": "invalid_request_error", "code": policy}),
            Kind::ContentFilter,
            false,
        );
    }
    for wrong in [
        "data_residency_mismatch",
        "cancelled",
        "CANCELLED",
        "invalid_prompt",
        "image_too_large",
    ] {
        check(code(wrong), Kind::InvalidRequest, false);
    }
    for quota in [
        json!({"type": "exceeded_current_quota_error"}),
        json!({"type": "insufficient_quota", "code": "project_spend_limit_exceeded"}),
        json!({"type": "insufficient_quota", "code": null}),
        json!({"code": "billing_not_active"}),
        json!({"type": "billing_error"}),
        json!({"code": "Arrearage"}),
        json!({"code": "rate_limit_exceeded", "type": "insufficient_quota"}),
    ] {
        check(quota, Kind::RateLimit, false);
    }
    for limit in [
        "rate_limit_exceeded",
        "rate_limit_reached_error",
        "slow_down",
        "RESOURCE_EXHAUSTED",
    ] {
        check(code(limit), Kind::RateLimit, true);
    }
    for busy in [
        "server_is_overloaded",
        "engine_overloaded_error",
        "UNAVAILABLE",
        "vector_store_timeout",
    ] {
        check(code(busy), Kind::Overloaded, true);
    }
    check(
        code("unsupported_country_region_territory"),
        Kind::Authentication,
        false,
    );
}

#[test]
fn a_code_of_no_row_follows_the_status() {
    for code in [
        "something_new",
        "policy",
        "quota",
        "",
        "invalid_request_error",
        "api_error",
    ] {
        for (status, kind, retryable) in [
            (400, Kind::InvalidRequest, false),
            (401, Kind::Authentication, false),
            (402, Kind::RateLimit, false),
            (403, Kind::Authentication, false),
            (404, Kind::InvalidRequest, false),
            (408, Kind::Overloaded, true),
            (422, Kind::InvalidRequest, false),
            (429, Kind::RateLimit, true),
            (498, Kind::Overloaded, true),
            (499, Kind::InvalidRequest, false),
            (500, Kind::Overloaded, true),
            (501, Kind::InvalidRequest, false),
            (503, Kind::Overloaded, true),
            (529, Kind::Overloaded, true),
        ] {
            let error = json!({"message": "no", "code": code, "type": code});
            let body = json!({ "error": error }).to_string();
            let plain = decode_error(status, None, body.as_bytes());
            assert_eq!(
                (plain.kind, plain.retryable),
                (kind, retryable),
                "{status} {body}"
            );
            // In a stream the status stands in the error.
            let mut error = error;
            error["status_code"] = status.into();
            let streamed = super::in_event(error.to_string().as_bytes());
            assert_eq!(
                (streamed.kind, streamed.retryable),
                (kind, retryable),
                "{error}"
            );
        }
    }
}

#[test]
fn a_quota_of_a_day_is_final_and_one_of_a_minute_is_not() {
    for (quota, retryable) in [
        ("GenerateRequestsPerDayPerProjectPerModel-FreeTier", false),
        ("GenerateRequestsPerMinutePerProjectPerModel", true),
    ] {
        let error = json!({"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "no", "details": [
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": quota}]},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}]});
        let error = decode_error(429, None, json!({ "error": error }).to_string().as_bytes());
        assert_eq!(
            (error.kind, error.retryable),
            (Kind::RateLimit, retryable),
            "{quota}"
        );
    }
}

#[test]
fn a_body_is_read_behind_a_byte_order_mark_and_within_an_event() {
    let error = json!({"error": {"message": "no", "code": "insufficient_quota"}});
    for body in [
        format!("\u{feff}{error}"),
        format!("event: error\ndata: {error}\n\ndata: [DONE]\n\n"),
        format!("\u{feff}data: {error}"),
    ] {
        let error = check(429, &body, Kind::RateLimit, "no");
        assert!(!error.retryable, "{body}");
    }
}

//! What says whether a request is sent again, and when.

use std::time::Duration;

use toolwright::{
    ChatModel, ModelError, OpenAiChat, Runner,
    model::{ModelErrorKind, collect},
    provider::HttpOptions,
    tool::Backoff,
};

use super::{END, PIECE, REPLY};
use crate::{
    loopback::{Answer, Server},
    openai_chat::{model, request},
};

/// The errors of an answer, whole and streamed.
async fn errors(answer: Answer, set: fn(OpenAiChat) -> OpenAiChat) -> [ModelError; 2] {
    let server = Server::start(vec![answer.clone(), answer]).await;
    let model = set(model(&server));
    let whole = model.complete(&request()).await;
    let streamed = collect(model.stream(&request())).await;
    [whole, streamed].map(|reply| reply.expect_err("is no reply"))
}

fn refused(status: &str, headers: &[(&str, &str)]) -> Answer {
    Answer::with_headers(status, headers, r#"{"error":{"message":"no"}}"#)
}

#[tokio::test]
async fn a_header_says_whether_to_send_again() {
    for (status, by_itself) in [
        ("429 Too Many Requests", true),
        ("503 Service Unavailable", true),
        ("400 Bad Request", false),
        ("409 Conflict", true),
    ] {
        for (header, expected) in [
            ("true", true),
            ("False", false),
            ("perhaps", by_itself),
            ("", by_itself),
        ] {
            let answer = refused(status, &[("x-should-retry", header)]);
            for error in errors(answer, |model| model).await {
                assert_eq!(error.retryable, expected, "{status} {header}");
            }
        }
    }
}

#[tokio::test]
async fn a_date_in_any_form_is_a_wait() {
    // Far from now, so that it is the longest wait of all, and long ago.
    let week = Duration::from_secs(7 * 24 * 3600);
    for (date, wait) in [
        ("Fri, 31 Dec 9999 23:59:59 GMT", Some(week)),
        ("Fri Dec 31 23:59:59 9999", Some(week)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", Some(Duration::ZERO)),
        ("Sunday, 06-Nov-94 08:49:37 GMT", Some(Duration::ZERO)),
        ("Sun Nov  6 08:49:37 1994", Some(Duration::ZERO)),
        ("1.5", Some(Duration::from_millis(1_500))),
        ("-3", None),
        ("tomorrow", None),
    ] {
        let answer = refused("429 Too Many Requests", &[("retry-after", date)]);
        for error in errors(answer, |model| model).await {
            assert_eq!(error.retry_after, wait, "{date}");
        }
    }
}

#[tokio::test]
async fn a_reply_over_a_limit_is_not_fetched_again() {
    let stream = format!("{PIECE}data: {}\n\n{END}", "x".repeat(100_000));
    let stream = Answer::events(&stream);
    let whole = Answer::json(&REPLY.replace("here", &"x".repeat(100_000)));
    let body: fn(OpenAiChat) -> OpenAiChat =
        |model| model.with_http(HttpOptions::new().with_body_limit(10_000));
    let event: fn(OpenAiChat) -> OpenAiChat =
        |model| model.with_http(HttpOptions::new().with_event_limit(10_000));
    for (set, answer, streaming) in [
        (body, &stream, true),
        (body, &whole, true),
        (body, &whole, false),
        (event, &stream, true),
        (event, &whole, true),
    ] {
        let server = Server::start(vec![answer.clone(); 5]).await;
        let runner = Runner::builder(set(model(&server)))
            .streaming(streaming)
            .model_backoff(Backoff::new(Duration::ZERO, Duration::ZERO))
            .build()
            .expect("is one");
        let error = runner.run("Are you there?").await.expect_err("is too long");
        assert!(error.to_string().contains("longer than"), "{error}");
        assert_eq!(server.requests().len(), 1, "{error}");
    }
    let endless = b"HTTP/1.1 200 OK\r\nx: ".to_vec();
    let flood = Answer::Flood(endless, b"y".repeat(10_000));
    for error in errors(flood, |model| model).await {
        assert_eq!(error.kind, ModelErrorKind::Transport);
        assert!(!error.retryable, "{error}");
    }
}

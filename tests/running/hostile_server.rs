//! Servers that mean harm: their replies end, in an answer or in an error, within the stated limits, and
//! the key stays where it belongs.

pub(crate) mod errors_in_streams;
mod framing;

use std::time::Duration;

use toolwright::{
    ChatModel, ModelError, ModelResponse,
    model::{ModelErrorKind, collect},
    provider::HttpOptions,
};

use crate::{
    loopback::{Answer, Server},
    openai_chat::{complete, model, request, stream},
};

const EVENTS: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
const PIECE: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"I am \"}}]}\n\n";
const END: &str =
    "data: {\"choices\":[{\"delta\":{\"content\":\"here.\"},\"finish_reason\":\"stop\"}]}\n\n";

fn kind_of(reply: Result<ModelResponse, ModelError>) -> ModelErrorKind {
    reply.expect_err("is no reply").kind
}

#[tokio::test]
async fn headers_without_end_are_given_up() {
    for status in ["200 OK", "500 Internal Server Error"] {
        let begin = format!("HTTP/1.1 {status}\r\n").into_bytes();
        let header = b"x-more: and more and more and more and more\r\n".repeat(1_000);
        let answer = Answer::Flood(begin, header);
        assert_eq!(
            kind_of(complete(answer.clone()).await),
            ModelErrorKind::Transport
        );
        assert_eq!(kind_of(stream(answer).await), ModelErrorKind::Transport);
    }
}

#[tokio::test]
async fn an_event_without_end_is_given_up() {
    let answer = Answer::Flood([EVENTS, b"data: {\"x\":\""].concat(), vec![b'x'; 1 << 20]);
    let error = stream(answer).await.expect_err("has no end");
    assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
    assert!(error.message.contains("longer than"), "{error}");
}

#[tokio::test]
async fn a_body_without_end_is_given_up() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[";
    let answer = Answer::Flood(head.to_vec(), b"[],".repeat(1 << 18));
    let error = complete(answer).await.expect_err("has no end");
    assert_eq!(error.kind, ModelErrorKind::MalformedResponse);
    assert!(error.message.contains("longer than"), "{error}");
    // Of an error only the beginning is read.
    let head = b"HTTP/1.1 500 Internal Server Error\r\n\r\n";
    let answer = Answer::Flood(head.to_vec(), b"no, ".repeat(1 << 18));
    let error = complete(answer).await.expect_err("is one");
    assert_eq!(error.status, Some(500));
    let body = error.body.expect("came");
    assert!(body.len() <= ModelError::BODY_BYTES, "{}", body.len());
}

#[tokio::test]
async fn a_reply_that_comes_byte_by_byte_has_a_time_limit() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n".to_vec();
    let whole = Server::start(vec![Answer::Drip(head, b" ")]).await;
    // Far below how long the server may be silent.
    let limit = Duration::from_millis(100);
    let slow = model(&whole).with_http(HttpOptions::new().with_total_timeout(limit));
    assert_eq!(
        kind_of(slow.complete(&request()).await),
        ModelErrorKind::Transport
    );

    let streamed = Server::start(vec![Answer::Drip(
        [EVENTS, PIECE.as_bytes()].concat(),
        b":\n",
    )]);
    let slow = model(&streamed.await).with_http(HttpOptions::new().with_total_timeout(limit));
    let error = collect(slow.stream(&request()))
        .await
        .expect_err("has no end");
    assert_eq!(error.kind, ModelErrorKind::Transport);
}

#[tokio::test]
async fn ten_million_empty_events_say_nothing() {
    let body = format!("{PIECE}{}{END}", "\n\n".repeat(10_000_000));
    let reply = stream(Answer::events(&body)).await.expect("is a reply");
    assert_eq!(reply.text, "I am here.");
}

#[tokio::test]
async fn numbers_that_nobody_can_hold_do_no_harm() {
    let long = "9".repeat(100_000);
    for number in ["1e999", "-1", "1.5", "99999999999999999999", &long] {
        let event = format!(
            "data: {{\"choices\":[],\"usage\":{{\"prompt_tokens\":{number}}},\"created\":{number}}}\n\n"
        );
        let reply = stream(Answer::events(&format!("{PIECE}{event}{END}"))).await;
        assert_eq!(
            reply.expect("is a reply").text,
            "I am here.",
            "{number:.30}"
        );
        let index = format!(
            "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":{number},\"id\":\"a\",\
             \"function\":{{\"name\":\"look\",\"arguments\":\"{{}}\"}}}}]}}}}]}}\n\n"
        );
        match stream(Answer::events(&format!("{PIECE}{index}{END}"))).await {
            Ok(reply) => assert_eq!(reply.tool_calls.len(), 1, "{number:.30}"),
            Err(error) => assert_eq!(error.kind, ModelErrorKind::MalformedResponse),
        }
    }
}

#[tokio::test]
async fn a_broken_character_is_no_reason_to_lose_a_reply() {
    let broken = PIECE.replace("am", "\u{1}");
    let (before, after) = broken.split_once('\u{1}').expect("stands there");
    let body = [
        EVENTS,
        before.as_bytes(),
        b"\xff\xc3",
        after.as_bytes(),
        END.as_bytes(),
    ]
    .concat();
    let reply = stream(Answer::Bytes(body)).await.expect("is a reply");
    assert!(reply.text.starts_with("I \u{fffd}"), "{}", reply.text);
    assert!(reply.text.ends_with("here."), "{}", reply.text);
}

#[tokio::test]
async fn a_wait_that_nobody_can_hold_does_no_harm() {
    let long = "9".repeat(10_000);
    for wait in [
        "1e999",
        "-1",
        "NaN",
        "\u{7f}",
        "18446744073709551616",
        &long,
    ] {
        for name in [
            "retry-after",
            "retry-after-ms",
            "x-ratelimit-reset-requests",
        ] {
            let body = format!("{{\"error\":{{\"message\":\"slow\",\"retry_after\":{wait}}}}}");
            let answer = Answer::with_headers("429 Slow Down", &[(name, wait)], &body);
            let error = complete(answer).await.expect_err("is limited");
            assert!(error.status.is_none_or(|status| status == 429), "{error}");
        }
    }
}

#[tokio::test]
async fn the_key_follows_no_redirect() {
    let other = Server::start(vec![Answer::json("{}")]).await;
    for status in [
        "301 Moved Permanently",
        "302 Found",
        "303 See Other",
        "307 Temporary Redirect",
        "308 Permanent Redirect",
    ] {
        let location = format!("{}/chat/completions", other.base_url());
        for location in [&*location, "/v2/chat/completions", "", "file:///etc/passwd"] {
            let answer = Answer::with_headers(status, &[("location", location)], "");
            let same = Server::start(vec![answer; 3]).await;
            let error = model(&same).complete(&request()).await;
            let error = error.expect_err("is no reply");
            assert_eq!(error.status.map(|status| status / 100), Some(3), "{error}");
            assert!(!error.retryable, "{error}");
            let streamed = collect(model(&same).stream(&request())).await;
            streamed.expect_err("is no reply");
            assert_eq!(same.requests().len(), 2, "to the same host neither");
        }
    }
    assert!(other.requests().is_empty());
}

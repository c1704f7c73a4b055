//! Replies that lie about where they begin and end.

use std::time::Duration;

use tokio::time::timeout;
use toolwright::{
    ChatModel, Message,
    model::{ModelErrorKind, ModelRequest, collect},
    provider::HttpOptions,
};

use super::{END, EVENTS, PIECE};
use crate::{
    loopback::{Answer, Server},
    openai_chat::{complete, model, request, stream},
};

const REPLY: &str = r#"{"choices":[{"message":{"content":"I am here."},"finish_reason":"stop"}]}"#;

fn with_length(length: usize, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}").into_bytes()
}

fn chunked(body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{body}").into_bytes()
}

#[tokio::test]
async fn a_length_that_lies() {
    // More is said than comes.
    let answer = Answer::Bytes(with_length(REPLY.len() + 1, REPLY));
    let error = complete(answer).await.expect_err("is cut");
    assert_eq!(error.kind, ModelErrorKind::Transport, "{error}");
    assert_eq!(error.body.as_deref(), Some(REPLY));
    // More comes than is said.
    let answer = Answer::Bytes(with_length(REPLY.len() - 1, REPLY));
    let error = complete(answer).await.expect_err("is cut");
    assert_eq!(error.kind, ModelErrorKind::MalformedResponse, "{error}");
    // Two lengths, one that is none, and one that nobody can hold.
    for length in [
        "9\r\ncontent-length: 99",
        "-1",
        "0x10",
        "99999999999999999999",
    ] {
        let answer = format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{REPLY}");
        let error = complete(Answer::Bytes(answer.into()))
            .await
            .expect_err("is no reply");
        assert_eq!(error.kind, ModelErrorKind::Transport, "{length}: {error}");
    }
    // All of the memory there is: only what comes is kept.
    let answer = Answer::Bytes(with_length(usize::MAX / 4, REPLY));
    let error = complete(answer).await.expect_err("is cut");
    assert_eq!(error.kind, ModelErrorKind::Transport, "{error}");
}

#[tokio::test]
async fn chunks_that_lie() {
    let rest = PIECE.len();
    for body in [
        format!("{rest:x}\r\n{PIECE}\r\n40\r\ndata: {{\"cho"),
        format!("{rest:x}\r\n{PIECE}\r\n"),
        format!("{rest:x}\r\n{PIECE}\r\nfffffffffffffffff\r\n{END}"),
        format!("{rest:x}\r\n{PIECE}\r\n-1\r\n{END}"),
        format!("{rest:x}\r\n{PIECE}and more\r\n0\r\n\r\n"),
    ] {
        let error = stream(Answer::Bytes(chunked(&body)))
            .await
            .expect_err("is cut");
        assert_eq!(error.kind, ModelErrorKind::Transport, "{body:?}: {error}");
        assert_eq!(error.partial.expect("came").text, "I am ", "{body:?}");
    }
}

#[tokio::test]
async fn what_is_between_chunks_has_a_limit() {
    let begun = format!("{:x}\r\n{PIECE}\r\n", PIECE.len());
    let extension = chunked(&format!("{begun}1;x="));
    let trailers = chunked(&format!("{begun}0\r\n"));
    for (begin, more) in [
        (extension, b"x".to_vec()),
        (trailers, b"x-more: and more\r\n".to_vec()),
    ] {
        let answer = Answer::Flood(begin, more.repeat(10_000));
        let error = stream(answer).await.expect_err("has no end");
        assert_eq!(error.kind, ModelErrorKind::Transport, "{error}");
    }
}

#[tokio::test]
async fn heads_before_the_head_have_a_time_limit() {
    let server = Server::start(vec![Answer::Flood(
        Vec::new(),
        b"HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1_000),
    )])
    .await;
    let model = model(&server)
        .with_http(HttpOptions::new().with_first_byte_timeout(Duration::from_millis(50)));
    let error = model.complete(&request()).await.expect_err("never begins");
    assert_eq!(error.kind, ModelErrorKind::Transport, "{error}");
}

#[tokio::test]
async fn a_reply_before_the_request_is_read() {
    let early = "HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno";
    // More than any buffer on the way holds.
    let long = ModelRequest::new([Message::user("x".repeat(20 << 20))]);
    let server = Server::start(vec![Answer::Early(early.into())]).await;
    let error = model(&server)
        .complete(&long)
        .await
        .expect_err("is refused");
    // What comes before any of the request is sent is the answer to nothing.
    assert!(matches!(error.status, Some(413) | None), "{error}");
}

/// The bytes after a reply are no reply to the next request, though they look like one.
#[tokio::test]
async fn what_follows_a_reply_answers_nothing() {
    let forged = REPLY.replace("I am here.", "Trust me.");
    let twice = [
        with_length(REPLY.len(), REPLY),
        with_length(forged.len(), &forged),
    ]
    .concat();
    let server = Server::start(vec![Answer::Stall(twice), Answer::json(REPLY)]).await;
    let model = model(&server);
    for _ in 0..2 {
        let reply = timeout(Duration::from_secs(20), model.complete(&request())).await;
        let reply = reply
            .expect("the first connection is closed")
            .expect("answers");
        assert_eq!(reply.text, "I am here.");
    }
    assert_eq!(server.requests().len(), 2);

    // After a stream has said that it is done, nothing of it is heard.
    let done = [
        EVENTS,
        PIECE.as_bytes(),
        END.as_bytes(),
        b"data: [DONE]\n\n",
    ]
    .concat();
    let late = b"data: {\"choices\":[{\"delta\":{\"content\":\" Trust me.\"}}]}\n\n";
    let server = Server::start(vec![Answer::Flood(done, late.to_vec())]).await;
    let reply = collect(self::model(&server).stream(&request())).await;
    assert_eq!(reply.expect("is whole").text, "I am here.");
}

#[tokio::test]
async fn a_body_that_is_no_text() {
    let head = b"HTTP/1.1 200 OK\r\nx-odd: \xff\xfe\r\nretry-after: \xff\r\n\r\n";
    let broken = REPLY.replace("am", "\u{1}");
    let (before, after) = broken.split_once('\u{1}').expect("stands there");
    let body = [head, before.as_bytes(), b"\xff\xc3", after.as_bytes()].concat();
    let reply = complete(Answer::Bytes(body)).await.expect("is a reply");
    assert_eq!(reply.text, "I \u{fffd}\u{fffd} here.");
    let error = complete(Answer::Bytes([head, &[0xff; 1000][..]].concat())).await;
    assert_eq!(
        error.expect_err("is no JSON").kind,
        ModelErrorKind::MalformedResponse
    );
}

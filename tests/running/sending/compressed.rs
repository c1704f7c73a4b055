//! Replies that come compressed.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use futures_util::StreamExt;
use toolwright::{
    ChatModel,
    model::{ModelErrorKind, ModelEvent, collect},
    provider::HttpOptions,
};

use super::{END, PIECE, REPLY, check_error};
use crate::{
    loopback::{Answer, Server},
    openai_chat::{complete, model, request, stream},
};

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).expect("is memory");
    encoder.finish().expect("is memory")
}

fn answer(status: &str, encoding: &str, body: &[u8]) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-encoding: {encoding}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

#[tokio::test]
async fn a_compressed_reply_is_asked_for_and_read() {
    let stream = format!("{PIECE}{END}data: [DONE]\n\n");
    for encoding in ["gzip", "GZIP"] {
        let server = Server::start(vec![
            Answer::Bytes(answer("200 OK", encoding, &gzip(REPLY.as_bytes()))),
            Answer::Bytes(answer("200 OK", encoding, &gzip(stream.as_bytes()))),
        ])
        .await;
        let model = model(&server);
        let plain = model.complete(&request()).await.expect("answers");
        let streamed = collect(model.stream(&request())).await.expect("answers");
        assert_eq!(
            (plain.text, streamed.text),
            ("I am here.".into(), "I am here.".into())
        );
        for sent in server.requests() {
            assert_eq!(sent.header("accept-encoding").as_deref(), Some("gzip"));
        }
    }
    let plain = Answer::Bytes(answer("200 OK", "identity", REPLY.as_bytes()));
    assert_eq!(complete(plain).await.expect("answers").text, "I am here.");
}

#[tokio::test]
async fn what_the_server_flushes_is_there() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(PIECE.as_bytes()).expect("is memory");
    encoder.flush().expect("is memory");
    // Nothing follows while the client waits.
    let begun = answer("200 OK", "gzip", encoder.get_ref());
    let server = Server::start(vec![Answer::Stall(begun)]).await;
    let (model, request) = (model(&server), request());
    let mut events = model.stream(&request);
    let first = events.next().await.expect("is there").expect("is an event");
    assert_eq!(first, ModelEvent::Text("I am ".into()));
}

#[tokio::test]
async fn an_error_may_be_compressed() {
    let body = gzip(br#"{"error":{"message":"wrong key: sk-secret"}}"#);
    let answer = Answer::Bytes(answer("401 Unauthorized", "gzip", &body));
    let error = complete(answer).await.expect_err("is refused");
    check_error(
        &error,
        ModelErrorKind::Authentication,
        "wrong key: [hidden]",
    );
}

#[tokio::test]
async fn the_limit_is_of_what_comes_out() {
    // A few kilobytes on the wire, and 4 MB of a reply.
    let bomb = gzip(&[b" ".repeat(4_000_000), REPLY.into()].concat());
    assert!(bomb.len() < 5_000);
    let server = Server::start(vec![Answer::Bytes(answer("200 OK", "gzip", &bomb)); 2]).await;
    let model = model(&server).with_http(HttpOptions::new().with_body_limit(1_000_000));
    let error = model.complete(&request()).await.expect_err("is too long");
    check_error(
        &error,
        ModelErrorKind::MalformedResponse,
        "longer than 1000000 bytes",
    );
    let error = collect(model.stream(&request()))
        .await
        .expect_err("is too long");
    check_error(
        &error,
        ModelErrorKind::MalformedResponse,
        "longer than 1000000 bytes",
    );
}

/// Blocks that hold nothing: what comes is counted too.
#[tokio::test]
async fn nothing_at_all_has_a_limit() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(b" ").expect("is memory");
    encoder.flush().expect("is memory");
    let begun = answer("200 OK", "gzip", encoder.get_ref());
    let nothing = [0, 0, 0, 0xff, 0xff].repeat(10_000);
    let server = Server::start(vec![Answer::Flood(begun, nothing)]).await;
    let error = model(&server)
        .with_http(HttpOptions::new().with_body_limit(1_000_000))
        .complete(&request())
        .await;
    let error = error.expect_err("has no end");
    check_error(
        &error,
        ModelErrorKind::MalformedResponse,
        "longer than 1000000 bytes",
    );
}

#[tokio::test]
async fn what_is_not_what_its_header_says() {
    let mut broken = gzip(REPLY.as_bytes());
    let last = broken.len() - 1;
    broken[last] ^= 1;
    let cut = &gzip(REPLY.as_bytes())[..40];
    for body in [&broken[..], cut, REPLY.as_bytes(), b"\x1f\x8b"] {
        let reply = Answer::Bytes(answer("200 OK", "gzip", body));
        let error = complete(reply.clone()).await.expect_err("is broken");
        check_error(
            &error,
            ModelErrorKind::MalformedResponse,
            "cannot be decompressed",
        );
        assert!(error.retryable, "{error}");
        // The checksum comes after all that a stream has to say.
        let streamed = stream(reply).await;
        assert_eq!(streamed.is_ok(), body == broken, "{streamed:?}");
    }
    // Of an error, the status says most.
    let brotli = Answer::Bytes(answer("429 Slow Down", "br", b"\x0b\x02\x80"));
    let error = complete(brotli).await.expect_err("is limited");
    assert_eq!(
        (error.kind, error.status),
        (ModelErrorKind::RateLimit, Some(429))
    );
    let brotli = Answer::Bytes(answer("200 OK", "br", b"\x0b\x02\x80"));
    let error = complete(brotli).await.expect_err("was not asked for");
    check_error(
        &error,
        ModelErrorKind::MalformedResponse,
        "it has the encoding `br`",
    );
}

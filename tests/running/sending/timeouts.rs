//! Four limits of time, each with an error of its own.

use std::time::Duration;

use toolwright::{
    ChatModel, OpenAiChat,
    model::{ModelErrorKind, collect},
    provider::HttpOptions,
};

use super::{PIECE, check_error};
use crate::{
    loopback::{Answer, Server},
    openai_chat::{model, request},
};

const SHORT: Duration = Duration::from_millis(30);
const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

/// A plain request and a streamed one take too long in the same way.
async fn check(answer: Answer, set: impl Fn(OpenAiChat) -> OpenAiChat, text: &str) {
    let server = Server::start(vec![answer.clone(), answer]).await;
    let model = set(model(&server));
    let plain = model
        .complete(&request())
        .await
        .expect_err("takes too long");
    let streamed = collect(model.stream(&request()))
        .await
        .expect_err("takes too long");
    for error in [plain, streamed] {
        check_error(&error, ModelErrorKind::Transport, text);
        assert!(error.message.starts_with("127.0.0.1: "), "{error}");
        assert!(error.retryable, "{error}");
    }
}

#[tokio::test]
async fn the_first_byte() {
    let set = |model: OpenAiChat| {
        model.with_http(
            HttpOptions::new()
                .with_first_byte_timeout(SHORT)
                .with_idle_timeout(SHORT),
        )
    };
    let text = "no response began within 30ms (`with_first_byte_timeout`)";
    check(Answer::Stall(Vec::new()), set, text).await;
    // A head without an end is not yet a reply, however it trickles.
    let head = b"HTTP/1.1 200 OK\r\nx-slow: ".to_vec();
    check(Answer::Drip(head, b"x"), set, text).await;
}

#[tokio::test]
async fn the_time_between_two_bytes() {
    let set = |model: OpenAiChat| model.with_http(HttpOptions::new().with_idle_timeout(SHORT));
    let text = "no bytes of the response came for 30ms (`with_idle_timeout`)";
    check(Answer::Stall(HEAD.to_vec()), set, text).await;
    let begun = [HEAD, PIECE.as_bytes()].concat();
    check(Answer::Stall(begun.clone()), set, text).await;
    let server = Server::start(vec![Answer::Stall(begun)]).await;
    let error = collect(set(model(&server)).stream(&request())).await;
    let partial = error.expect_err("is silent").partial;
    assert_eq!(partial.expect("came").text, "I am ");
}

#[tokio::test]
async fn all_of_it() {
    let set = |model: OpenAiChat| model.with_http(HttpOptions::new().with_total_timeout(SHORT));
    let text = "not whole after 30ms (`with_total_timeout`)";
    check(Answer::Stall(Vec::new()), set, text).await;
    check(Answer::Drip(HEAD.to_vec(), b":\n"), set, text).await;
}

#[tokio::test]
async fn connecting() {
    // What listens and does not accept lets a client connect; what was said of TLS is not answered.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("binds");
    let address = listener.local_addr().expect("is bound");
    let model = OpenAiChat::new("m", "sk-secret")
        .with_base_url(format!("https://{address}/v1"))
        .with_http(HttpOptions::new().with_connect_timeout(SHORT));
    let error = model
        .complete(&request())
        .await
        .expect_err("takes too long");
    let text = "connecting took longer than 30ms (`with_connect_timeout`)";
    check_error(&error, ModelErrorKind::Transport, text);
}

/// A reply may take as long as it likes if something comes of it, and no limit is too long for a clock.
#[tokio::test]
async fn what_goes_on_is_not_cut() {
    let server = Server::start(vec![Answer::Drip(
        HEAD.to_vec(),
        b"data: {\"choices\":[]}\n\n",
    )])
    .await;
    let model = model(&server).with_http(
        HttpOptions::new()
            .with_first_byte_timeout(Duration::MAX)
            .with_total_timeout(Duration::MAX)
            .with_idle_timeout(Duration::from_millis(500))
            .with_body_limit(24 * 300),
    );
    let error = collect(model.stream(&request()))
        .await
        .expect_err("has no end");
    check_error(
        &error,
        ModelErrorKind::MalformedResponse,
        "longer than 7200 bytes",
    );
}

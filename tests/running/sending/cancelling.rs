//! Who stops waiting closes the connection: the server accepts its second one only then.

use futures_util::StreamExt;
use tokio::task::yield_now;
use toolwright::{ChatModel, Runner, run::Finish, runner::RunEvent};

use super::{PIECE, REPLY};
use crate::{
    loopback::{Answer, Server},
    openai_chat::{model, request},
};

async fn server() -> Server {
    Server::start(vec![Answer::Stall(Vec::new()), Answer::json(REPLY)]).await
}

/// Until the server has read the first request.
async fn came(server: &Server) {
    while server.requests().is_empty() {
        yield_now().await;
    }
}

async fn check_closed(server: &Server) {
    let reply = model(server).complete(&request()).await.expect("answers");
    assert_eq!(reply.text, "I am here.");
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_reply_that_nobody_waits_for() {
    let server = server().await;
    let (waiting, request) = (model(&server), request());
    tokio::select! {
        _ = waiting.complete(&request) => unreachable!("it is never answered"),
        () = came(&server) => {}
    }
    check_closed(&server).await;
}

#[tokio::test]
async fn a_stream_before_its_first_event() {
    let server = server().await;
    let (waiting, request) = (model(&server), request());
    let mut events = waiting.stream(&request);
    tokio::select! {
        _ = events.next() => unreachable!("it is never answered"),
        () = came(&server) => {}
    }
    drop(events);
    check_closed(&server).await;
}

#[tokio::test]
async fn a_run_that_is_cancelled() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let begun = [head, PIECE.as_bytes()].concat();
    let server = Server::start(vec![Answer::Stall(begun), Answer::json(REPLY)]).await;
    let runner = Runner::builder(model(&server)).build().expect("is one");
    let mut run = runner.start("Are you there?");
    while let Some(event) = run.next().await
        && !matches!(event, RunEvent::Delta(_))
    {}
    run.cancel();
    let outcome = run.outcome().await.expect("ends");
    assert_eq!(outcome.finish, Finish::Cancelled);
    check_closed(&server).await;
}

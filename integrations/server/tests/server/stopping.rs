//! A server that stops, and one that goes on where another stopped.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use axum::extract::State;
use futures_util::future::BoxFuture;
use tokio::{net::TcpListener, sync::oneshot};
use toolwright::{
    ModelResponse, Runner, server::Server, store::SqliteStore, testing::ScriptedModel,
};
use tower_service::Service as _;

use crate::{
    chat::{asks, submit},
    client::{events_of, get, post},
    rig::{Gate, Own, Rig, builder, calls, says},
};

#[tokio::test]
async fn streams_are_cut_without_an_end() {
    let rig = Rig::of([calls("wait", ["{}"])]).await;
    let mut stream = post(rig.address, "/chat", &submit("c", &[asks("u1", "Wait.")])).await;
    let mut body = String::new();
    while !body.contains("tool-input-available") {
        let piece = stream.piece().await.expect("it goes on");
        body += &String::from_utf8(piece.expect("it goes on")).expect("it is text");
    }
    let (stopped, (rest, is_cut)) = tokio::join!(rig.stop(), stream.rest());
    let () = stopped;
    assert!(is_cut, "a client takes it for an error, and connects anew");
    assert!(!rest.contains("finish"), "{rest}");
    assert!(!rest.contains("[DONE]"), "{rest}");
}

/// A file that is deleted with this.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn runner(
    file: &std::path::Path,
    replies: impl IntoIterator<Item = ModelResponse>,
    gate: &Gate,
) -> Runner {
    let store = SqliteStore::open(file).await.expect("it opens");
    let runner = builder(ScriptedModel::new(replies), gate)
        .store("chat", store)
        .lease_time(Duration::from_millis(300));
    runner.build().expect("it is consistent")
}

/// The program of the first server is gone in the middle of a call. Another one over the same file ends the run by itself,
/// and the chat can be used.
#[test]
fn another_server_goes_on() {
    goes_on("served", async |server, test: Test| {
        let rig = Rig::start(server, Gate::default()).await;
        test(rig.address).await;
        rig.stop().await;
    });
}

#[test]
fn another_server_goes_on_behind_a_router_of_its_own() {
    goes_on("own", async |server, test: Test| {
        let own = Own::start(server, |router| router).await;
        test(own.address).await;
        // Its streams are cut: it waits for no run.
        own.stop().await;
    });
}

#[tokio::test]
async fn a_router_whose_future_was_dropped_refuses_everything() {
    let runner = builder(ScriptedModel::new([says("Hello.")]), &Gate::default()).build();
    let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
    let (router, running) = server.into_router(std::future::pending());
    drop(running);
    let listener = TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    let app = router.into_make_service_with_connect_info::<SocketAddr>();
    let serving = tokio::spawn(async { axum::serve(listener, app).await });
    let refused = get(address, "/info").await.refusal().await;
    assert_eq!(refused, (503, "stopped".to_owned()));
    serving.abort();
}

/// A router whose future nobody has polled yet, and a request from this machine.
fn unpolled() -> (
    axum::Router,
    impl Future<Output = ()> + use<>,
    http::Request<axum::body::Body>,
) {
    let runner = builder(ScriptedModel::new([says("Hello.")]), &Gate::default()).build();
    let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
    let (router, running) = server.into_router(std::future::pending());
    let mut request = http::Request::get("/info").header("host", "localhost");
    let peer = SocketAddr::from(([127, 0, 0, 1], 4711));
    request = request.extension(axum::extract::ConnectInfo(peer));
    let request = request.body(axum::body::Body::empty());
    (router, running, request.expect("it is a request"))
}

/// An application's own router has a state of another type, most often.
#[tokio::test(start_paused = true)]
async fn the_paths_stand_in_a_router_with_a_state() {
    let runner = builder(ScriptedModel::new([says("Hello.")]), &Gate::default()).build();
    let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
    let (paths, running) = server.into_router(std::future::pending());
    let shop = axum::routing::get(async |State(shop): State<&'static str>| shop);
    let own = axum::Router::new().route("/shop", shop).nest("/api", paths);
    let mut own = own.with_state("hats");
    let running = tokio::spawn(running);
    let (_, _, mut request) = unpolled();
    *request.uri_mut() = "/api/info".parse().expect("it is a path");
    let answer = own.call(request).await.expect("it answers");
    assert_eq!(answer.status(), 200);
    running.abort();
}

/// It would never go on with runs that a crash has interrupted, and their chats would wait for ever.
#[tokio::test(start_paused = true)]
async fn a_router_whose_future_is_not_polled_refuses_after_a_while() {
    let (mut router, running, request) = unpolled();
    let refused = router.call(request).await.expect("it answers");
    assert_eq!(refused.status(), 503);
    drop(running);
}

/// A request that comes before the first poll is answered after it.
#[tokio::test(start_paused = true)]
async fn a_request_waits_for_the_first_poll() {
    let (mut router, running, request) = unpolled();
    let answer = tokio::spawn(router.call(request));
    tokio::task::yield_now().await;
    let running = tokio::spawn(running);
    let answer = answer.await.expect("it does not panic");
    assert_eq!(answer.expect("it answers").status(), 200);
    running.abort();
}

type Test = Box<dyn FnOnce(SocketAddr) -> BoxFuture<'static, ()> + Send>;

fn goes_on(name: &str, serve: impl AsyncFn(Server, Test)) {
    let name = format!("toolwright-server-{name}-{}", std::process::id());
    let folder = Folder(std::env::temp_dir().join(name));
    std::fs::create_dir_all(&folder.0).expect("it can be made");
    let file = folder.0.join("runs.sqlite");
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("it starts")
    };

    let (send, mut id) = oneshot::channel();
    let first = runtime();
    first.block_on(async {
        let runner = runner(&file, [calls("wait", ["{}"])], &Gate::default()).await;
        let server = Server::new(runner).expect("it has a store");
        let begins: Test = Box::new(|address| {
            Box::pin(async move {
                let mut stream = post(address, "/chat", &submit("c", &[asks("u1", "Wait.")])).await;
                let mut body = String::new();
                while !body.contains("tool-input-available") {
                    let piece = stream.piece().await.expect("it goes on");
                    body += &String::from_utf8(piece.expect("it goes on")).expect("it is text");
                }
                let id = events_of(&body)[0]["messageId"].clone();
                send.send(id).expect("it is waited for");
            })
        });
        serve(server, begins).await;
    });
    // The tasks of its runs are gone with it.
    drop(first);

    let run = id.try_recv().expect("it has begun");
    runtime().block_on(async {
        let gate = Gate::default();
        gate.open();
        let runner = runner(&file, [says("Done."), says("Hello.")], &gate).await;
        let server = Server::new(runner).expect("it has a store");
        let ends: Test = Box::new(move |address| {
            Box::pin(async move {
                // It waits until the run is over, whoever drives it.
                let events = get(address, "/chat/c/stream").await.events().await;
                assert_eq!(events[0]["messageId"], run);
                assert_eq!(events.last().expect("it ends")["finishReason"], "stop");
                assert!(events.iter().any(|event| event["output"] == "it went on"));
                let next = submit("c", &[asks("u2", "Hello?")]);
                let answer = post(address, "/chat", &next).await.text().await;
                assert!(answer.contains("Hello."), "{answer}");
            })
        });
        serve(server, ends).await;
    });
}

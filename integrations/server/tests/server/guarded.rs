//! Who is let in, and how much of it.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};
use toolwright::{
    run::UserFailure,
    server::{Caller, Server, ServerError},
    testing::ScriptedModel,
};

use crate::{
    chat::{asks, submit},
    client::{Response, get, post, send},
    rig::{Gate, Rig, builder, calls, says},
};

const BODY: &str = r#"{"arguments":{"a":1,"b":2}}"#;

#[tokio::test]
async fn only_this_machine_may_if_nobody_says_who_calls() {
    let rig = Rig::of([]).await;
    let port = rig.address.port();
    let own = [
        format!("127.0.0.1:{port}"),
        format!("localhost:{port}"),
        format!("LOCALHOST:{port}"),
        "localhost".to_owned(),
        "127.9.9.9".to_owned(),
        format!("[::1]:{port}"),
    ];
    for host in &own {
        let answer = send(rig.address, "GET /info", &[("host", host)], "").await;
        assert_eq!(answer.status, 200, "{host}");
    }
    // A name that resolves to this machine is another host.
    let others = [
        format!("evil.example:{port}"),
        "127.0.0.1.evil.example".to_owned(),
        "localhost.evil.example".to_owned(),
        format!("localhost@evil.example:{port}"),
        format!("evil.example@localhost:{port}"),
        "0.0.0.0".to_owned(),
        "10.0.0.1".to_owned(),
        "[::]".to_owned(),
        "2130706433".to_owned(),
    ];
    for host in &others {
        let answer = send(rig.address, "GET /info", &[("host", host)], "").await;
        assert_eq!(answer.status, 403, "{host}");
    }
    for header in [
        "forwarded",
        "via",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-real-ip",
        "x-client-ip",
        "true-client-ip",
        "cf-connecting-ip",
    ] {
        let answer = send(rig.address, "GET /info", &[(header, "127.0.0.1")], "").await;
        assert_eq!(answer.status, 403, "{header}");
    }
    let none = send(rig.address, "GET /info", &[("host", "")], "").await;
    assert!(matches!(none.status, 400 | 403));
    let absolute = send(rig.address, "GET http://evil.example/info", &[], "").await;
    assert_eq!(absolute.status, 403);
    rig.stop().await;
}

#[tokio::test]
async fn a_page_of_another_origin_may_not_ask() {
    let rig = Rig::with([], |server| {
        let server = server.allow_origin("https://app.example");
        server.expect("it is an origin").calls_by_hand()
    })
    .await;
    let own = format!("http://{}", rig.address);
    let ask = async |line: &str, headers: &[(&str, &str)]| {
        let body = if line.starts_with("POST") { BODY } else { "" };
        send(rig.address, line, headers, body).await
    };
    for line in ["POST /tools/add/call", "GET /runs", "GET /info"] {
        for headers in [
            &[][..],
            &[("origin", &*own)],
            &[("origin", &*own), ("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "none")],
            &[
                ("origin", "https://app.example"),
                ("sec-fetch-site", "cross-site"),
            ],
        ] {
            assert_eq!(ask(line, headers).await.status, 200, "{line} {headers:?}");
        }
        for headers in [
            &[("origin", "https://evil.example")][..],
            &[("origin", "null")],
            &[("origin", "https://app.example.evil.example")],
            &[("origin", "http://app.example")],
            &[("origin", "http://127.0.0.1:1")],
            &[("sec-fetch-site", "cross-site")],
            &[("origin", &*own), ("sec-fetch-site", "cross-site")],
            &[("origin", &*own), ("origin", "https://evil.example")],
            &[
                ("origin", "https://app.example"),
                ("origin", "https://evil.example"),
            ],
        ] {
            let refused = ask(line, headers).await;
            assert_eq!(refused.header("access-control-allow-origin"), None);
            assert_eq!(refused.refusal().await.0, 403, "{line} {headers:?}");
        }
    }
    rig.stop().await;
}

#[tokio::test]
async fn a_browser_is_told_which_pages_may_ask() {
    let allow = |server: Server| server.allow_origin("https://app.example");
    let rig = Rig::with([], |server| allow(server).expect("it is an origin")).await;
    let ask = async |origin: &str| -> Response {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "POST"),
            ("access-control-request-headers", "content-type"),
            ("sec-fetch-site", "cross-site"),
        ];
        send(rig.address, "OPTIONS /chat", &headers, "").await
    };
    let allowed = ask("https://app.example").await;
    assert_eq!(allowed.status, 204);
    assert_eq!(
        allowed.header("access-control-allow-origin"),
        Some("https://app.example")
    );
    assert_eq!(
        allowed.header("access-control-allow-credentials"),
        Some("true")
    );
    assert_eq!(
        allowed.header("access-control-allow-headers"),
        Some("content-type")
    );
    assert_eq!(allowed.header("vary"), Some("origin"));
    // Nobody has said yet who asks.
    assert_eq!(allowed.header("connection"), Some("close"));
    assert_eq!(ask("https://evil.example").await.status, 403);
    rig.stop().await;
}

#[test]
fn an_origin_that_no_page_has_is_refused() {
    for origin in [
        "*",
        "https://*",
        "app.example",
        "https://",
        "https://a/b",
        "https://u@a",
    ] {
        let runner = builder(ScriptedModel::new([says("Hello.")]), &Gate::default()).build();
        let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
        let refused = server.allow_origin(origin).map(drop);
        assert_eq!(refused, Err(ServerError::Origin(origin.to_owned())));
    }
}

#[tokio::test]
async fn a_body_is_json_and_bounded() {
    let rig = Rig::with([], |server: Server| {
        let mut limits = toolwright::server::ServerLimits::default();
        limits.body_bytes = 64 << 10;
        server.limits(limits).calls_by_hand()
    })
    .await;
    // A page of another origin can send these without asking first.
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
    ] {
        let headers = [("content-type", kind)];
        let answer = send(rig.address, "POST /tools/add/call", &headers, BODY).await;
        assert_eq!(answer.refusal().await.0, 415, "{kind}");
    }
    let kind = [("content-type", "application/json; charset=utf-8")];
    let answer = send(rig.address, "POST /tools/add/call", &kind, BODY).await;
    assert_eq!(answer.status, 200);
    let wrong = send(rig.address, "POST /chat", &[], "{").await;
    assert_eq!(wrong.refusal().await, (400, "bad_request".to_owned()));

    // What is said to be too long is refused before any of it is read.
    let mut socket = TcpStream::connect(rig.address).await.expect("it listens");
    let head = format!(
        "POST /chat HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        rig.address,
        100 << 20
    );
    socket
        .write_all(head.as_bytes())
        .await
        .expect("it is taken");
    let answer = Response::read(socket).await;
    assert_eq!(answer.refusal().await, (413, "too_large".to_owned()));

    // What does not say its length is read no further than allowed.
    let mut socket = TcpStream::connect(rig.address).await.expect("it listens");
    let head = format!(
        "POST /chat HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n",
        rig.address
    );
    socket
        .write_all(head.as_bytes())
        .await
        .expect("it is taken");
    let piece = format!("4000\r\n{}\r\n", "x".repeat(0x4000));
    let mut sent = 0_usize;
    // The server closes the connection.
    while sent < 100 << 20 && socket.write_all(piece.as_bytes()).await.is_ok() {
        sent += 0x4000;
    }
    assert!(sent < 32 << 20, "{sent} bytes were taken");
    rig.stop().await;
}

#[tokio::test]
async fn a_caller_reads_so_many_streams() {
    let rig = Rig::with([calls("wait", ["{}"])], |server: Server| {
        let mut limits = toolwright::server::ServerLimits::default();
        limits.streams = 2;
        let server = server.limits(limits);
        server.owner(async |visit: toolwright::server::Visit| {
            let name = visit
                .headers
                .get("user")
                .and_then(|user| user.to_str().ok());
            Ok(Caller::owner(name.unwrap_or("ada")))
        })
    })
    .await;
    let first = post(rig.address, "/chat", &submit("c", &[asks("u1", "Wait.")])).await;
    let second = get(rig.address, "/chat/c/stream").await;
    let third = get(rig.address, "/chat/c/stream").await;
    assert_eq!(third.refusal().await, (429, "too_many_streams".to_owned()));
    let other = send(rig.address, "GET /chat/c/stream", &[("user", "eve")], "").await;
    assert_eq!(other.status, 204);
    // A run that nobody could read is not begun.
    let more = post(rig.address, "/chat", &submit("d", &[asks("u1", "Wait.")])).await;
    assert_eq!(more.status, 429);
    let runs = get(rig.address, "/runs").await.json().await;
    assert_eq!(runs["items"].as_array().map(Vec::len), Some(1));
    drop(first);
    drop(second);
    // The place is free when the server has seen that.
    let told = post(rig.address, "/chat/c/cancel", &json!({})).await;
    assert_eq!(told.status, 202);
    loop {
        let answer = get(rig.address, "/chat/c/stream").await;
        if answer.status == 200 {
            break;
        }
        tokio::task::yield_now().await;
    }
    rig.stop().await;
}

#[tokio::test]
async fn headers_are_bounded() {
    let rig = Rig::of([]).await;
    let long = "x".repeat(64 << 10);
    let mut socket = TcpStream::connect(rig.address).await.expect("it listens");
    let head = format!(
        "GET /info HTTP/1.1\r\nhost: {}\r\nlong: {long}\r\n\r\n",
        rig.address
    );
    // The server may close it before all is written.
    let _ = socket.write_all(head.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = socket.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer);
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 431"),
        "{answer}"
    );
    rig.stop().await;
}

/// A proxy that says nothing of itself speaks the version before, as nginx does by default.
#[tokio::test]
async fn a_request_of_the_version_before_may_be_of_a_proxy() {
    let rig = Rig::of([]).await;
    let mut socket = TcpStream::connect(rig.address).await.expect("it listens");
    let head = format!("GET /info HTTP/1.0\r\nhost: {}\r\n\r\n", rig.address);
    let written = socket.write_all(head.as_bytes()).await;
    written.expect("it is taken");
    let answer = Response::read(socket).await;
    assert_eq!(answer.refusal().await, (403, "forbidden".to_owned()));
    rig.stop().await;
}

/// What an error says to the log is for developers.
#[tokio::test]
async fn users_do_not_read_what_is_for_the_log() {
    let error = toolwright::ModelError::new(
        toolwright::model::ModelErrorKind::InvalidRequest,
        "the secret of the provider",
    );
    for tells in [false, true] {
        let gate = Gate::default();
        let model = ScriptedModel::new([error.clone()]);
        let runner = builder(model, &gate).build();
        let server = Server::new(runner.expect("it is consistent")).expect("it has a store");
        let texts = |failure: &UserFailure| format!("({}) Sorry.", failure.code);
        let server = server.failure_texts(texts);
        let server = if tells {
            server.with_error_details()
        } else {
            server
        };
        let rig = Rig::start(server, gate).await;
        let asked = submit("c", &[asks("u1", "Hello.")]);
        let stream = post(rig.address, "/chat", &asked).await.text().await;
        assert_eq!(stream.contains("secret"), tells, "{stream}");
        let runs = get(rig.address, "/runs").await.json().await;
        let run = runs["items"][0]["id"].as_str().expect("it has an id");
        let one = get(rig.address, &format!("/runs/{run}")).await.text().await;
        assert_eq!(one.contains("secret"), tells, "{one}");
        // A page has the code and the text after a reload as well.
        let chat = get(rig.address, "/chat/c").await.json().await;
        let parts = chat["messages"][1]["parts"].as_array();
        let failure = parts.and_then(|it| it.iter().find(|part| part["type"] == "data-failure"));
        let said = json!({"code": "internal", "message": "(internal) Sorry."});
        assert_eq!(failure.expect("it is there")["data"], said);
        let one: Value = serde_json::from_str(&one).expect("it is JSON");
        assert_eq!(one["failure"], said);
        for path in ["log", "fixture"] {
            let answer = get(rig.address, &format!("/runs/{run}/{path}")).await;
            assert_eq!(answer.status, if tells { 200 } else { 403 }, "{path}");
        }
        rig.stop().await;
    }
}

/// Who was let in may ask again on the same connection, as long as nobody else needs its place.
#[tokio::test]
async fn connections_that_ask_nothing_keep_nobody_out() {
    const CONNECTIONS: usize = 4;
    let rig = Rig::with([calls("wait", ["{}"])], |server: Server| {
        let mut limits = toolwright::server::ServerLimits::default();
        limits.connections = CONNECTIONS;
        limits.header_time = Duration::from_secs(600);
        server.limits(limits)
    })
    .await;
    // One that reads is not idle.
    let asked = submit("c", &[asks("u1", "Wait.")]);
    let mut stream = post(rig.address, "/chat", &asked).await;
    let mut idle = Vec::new();
    for _ in 1..CONNECTIONS {
        let mut socket = TcpStream::connect(rig.address).await.expect("it listens");
        let head = format!("GET /info HTTP/1.1\r\nhost: {}\r\n\r\n", rig.address);
        let written = socket.write_all(head.as_bytes()).await;
        written.expect("it is taken");
        let answer = Response::read(socket).await;
        assert_eq!(answer.status, 200);
        idle.push(answer);
    }
    for _ in 0..2 {
        let other = timeout(Duration::from_secs(30), get(rig.address, "/info")).await;
        assert_eq!(other.expect("it finds a place").status, 200);
    }
    rig.gate.open();
    loop {
        match stream.piece().await {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(cut) => panic!("a stream was closed: {cut:?}"),
        }
    }
    drop(idle);
    rig.stop().await;
}

#[tokio::test]
async fn a_path_or_a_query_that_cannot_be_read_is_refused_as_json() {
    let rig = Rig::of([]).await;
    for path in [
        "/runs/%ff",
        "/runs/%ff/stream",
        "/chat/%ff",
        "/tools/%ff",
        "/runs?limit=many",
        "/chat?limit=-1",
    ] {
        let answer = send(rig.address, &format!("GET {path}"), &[], "").await;
        let refused = (400, "bad_request".to_owned());
        assert_eq!(answer.refusal().await, refused, "{path}");
    }
    rig.stop().await;
}

#[tokio::test]
async fn headers_have_no_more_bytes_than_their_limit() {
    let rig = Rig::of([]).await;
    let long = "x".repeat(32 << 10);
    let ask = async |bytes| send(rig.address, "GET /info", &[("x", &long[..bytes])], "").await;
    let head = format!("GET /info HTTP/1.1\r\nhost: {}\r\nx: \r\n\r\n", rig.address);
    let most = (32 << 10) - head.len();
    assert_eq!(ask(most).await.status, 200);
    let refused = (431, "too_large".to_owned());
    assert_eq!(ask(most + 1).await.refusal().await, refused);
    // Beyond the limit, and not beyond the buffer of a connection.
    assert_eq!(ask(32 << 10).await.refusal().await, refused);
    rig.stop().await;
}

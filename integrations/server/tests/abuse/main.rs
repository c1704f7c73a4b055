//! Clients that mean no good, many at once: what they ask for is refused, others are answered, and memory is bounded.
//!
//! The server is a process of its own, so that its memory can be read.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    reason = "all of it is a test, which clippy tells by an attribute that its functions do not have"
)]

#[path = "../started/process.rs"]
mod process;

mod host;

use std::{net::SocketAddr, time::Duration};

use host::Host;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// A failure takes this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sends a request on a connection of its own, and reads the whole answer.
async fn ask(address: SocketAddr, line: &str, body: &str) -> String {
    let mut socket = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "{line} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).await.unwrap();
    String::from_utf8(answer).unwrap()
}

async fn is_answered(address: SocketAddr) {
    let answer = timeout(PATIENCE, ask(address, "GET /info", "")).await;
    let answer = answer.expect("somebody else is answered");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

/// Ten thousand clients that begin a request and do not end it.
#[tokio::test(flavor = "multi_thread")]
async fn half_open_requests_keep_nobody_out() {
    const CLIENTS: usize = 10_000;
    let host = Host::start();
    is_answered(host.address).await;
    let before = host.memory();
    let clients = (0..CLIENTS).map(|_| {
        let address = host.address;
        tokio::spawn(async move {
            // The server may be behind with those that came before.
            let socket = TcpStream::connect(address).await;
            let Ok(mut socket) = socket else { return };
            let _ = socket.write_all(b"GET /info HTTP/1.1\r\nhost: local").await;
            // It closes the connection. A client whose place in the queue of the kernel was lost is not told of that.
            let _ = timeout(PATIENCE / 6, socket.read_to_end(&mut Vec::new())).await;
        })
    });
    let clients: Vec<_> = clients.collect();
    is_answered(host.address).await;
    for client in clients {
        timeout(PATIENCE, client).await.expect("it ends").unwrap();
    }
    let grown = host.most_memory() - before;
    assert!(
        grown < 100 << 10,
        "{grown} KiB for {CLIENTS} half-open requests"
    );
    assert!(host.open_files() < 50, "the server has closed them");
    println!("{CLIENTS} half-open requests: {grown} KiB");
}

/// Clients that send headers for ever.
#[tokio::test(flavor = "multi_thread")]
async fn floods_of_headers_are_cut_off() {
    const CLIENTS: usize = 200;
    let host = Host::start();
    is_answered(host.address).await;
    let before = host.memory();
    let clients = (0..CLIENTS).map(|client| {
        let address = host.address;
        tokio::spawn(async move {
            let mut socket = TcpStream::connect(address).await.unwrap();
            let mut sent = socket.write(b"GET /info HTTP/1.1\r\n").await.unwrap_or(0);
            // Many short ones, or one long one.
            let piece = if client % 2 == 0 {
                "a: b\r\n".repeat(1_000)
            } else {
                "x".repeat(6_000)
            };
            while sent < 100 << 20 {
                match socket.write(piece.as_bytes()).await {
                    Ok(more) => sent += more,
                    Err(_) => break,
                }
            }
            sent
        })
    });
    for client in clients.collect::<Vec<_>>() {
        let sent = timeout(PATIENCE, client)
            .await
            .expect("it is cut off")
            .unwrap();
        assert!(sent < 20 << 20, "{sent} bytes of headers were taken");
    }
    is_answered(host.address).await;
    let grown = host.most_memory() - before;
    assert!(grown < 100 << 10, "{grown} KiB for {CLIENTS} floods");
    println!("{CLIENTS} floods of headers: {grown} KiB");
}

/// Clients that all send bodies that are just short enough, and do not end them.
#[tokio::test(flavor = "multi_thread")]
async fn bodies_of_many_clients_share_a_bound() {
    const CLIENTS: usize = 200;
    let host = Host::start();
    is_answered(host.address).await;
    let before = host.memory();
    let length = (8 << 20) - 1;
    let clients = (0..CLIENTS).map(|_| {
        let address = host.address;
        tokio::spawn(async move {
            let mut socket = TcpStream::connect(address).await.unwrap();
            let head = format!(
                "POST /chat HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
            );
            let _ = socket.write_all(head.as_bytes()).await;
            let piece = vec![b' '; 1 << 16];
            for _ in 0..(length >> 16) {
                if socket.write_all(&piece).await.is_err() {
                    break;
                }
            }
            let mut answer = Vec::new();
            let _ = socket.read_to_end(&mut answer).await;
            String::from_utf8_lossy(&answer).into_owned()
        })
    });
    for client in clients.collect::<Vec<_>>() {
        let answer = timeout(PATIENCE, client)
            .await
            .expect("it is answered")
            .unwrap();
        let status = answer.split(' ').nth(1).unwrap_or_default();
        let refused = ["", "408", "503"];
        assert!(refused.contains(&status), "{answer}");
    }
    is_answered(host.address).await;
    let grown = host.most_memory() - before;
    assert!(grown < 250 << 10, "{grown} KiB for {CLIENTS} bodies");
    println!("{CLIENTS} bodies of 8 MiB: {grown} KiB");
}

/// Readers of a long answer that take nothing of it.
#[tokio::test(flavor = "multi_thread")]
async fn dead_readers_slow_nobody_and_cost_little() {
    const READERS: usize = 100;
    let host = Host::start();
    is_answered(host.address).await;
    let before = host.memory();
    let question = r#"{"id":"c","messages":[{"id":"q","role":"user","parts":[{"type":"text","text":"much"}]}],"trigger":"submit-message"}"#;
    let mut dead = Vec::new();
    let asks = tokio::spawn(ask(host.address, "POST /chat", question));
    while dead.len() < READERS {
        let mut socket = TcpStream::connect(host.address).await.unwrap();
        let address = host.address;
        let request = format!("GET /chat/c/stream HTTP/1.1\r\nhost: {address}\r\n\r\n");
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut status = [0; 12];
        socket.read_exact(&mut status).await.unwrap();
        if status.ends_with(b"200") {
            dead.push(socket);
        }
    }
    let answer = timeout(PATIENCE, asks)
        .await
        .expect("the run is not slowed")
        .unwrap();
    assert!(answer.contains("[DONE]"));
    assert!(answer.len() > host::LONG, "{} bytes", answer.len());
    // Each has the answer so far in a few forms.
    let grown = host.most_memory() - before;
    let most = READERS as u64 * (4 * host::LONG as u64 / 1024 + 256);
    assert!(grown < most, "{grown} KiB for {READERS} dead readers");
    println!(
        "{READERS} dead readers of {} KiB: {grown} KiB",
        answer.len() >> 10
    );
    is_answered(host.address).await;
}

/// The process that serves.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "the tests above start it"]
async fn serves() {
    host::serve().await;
}

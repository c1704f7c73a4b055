//! A server on loopback that answers with the recorded bytes and remembers the requests.

use std::{
    collections::VecDeque,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

pub(crate) struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    /// Answers each request with the next reply: its kind and its body.
    pub(crate) async fn start(replies: Vec<(String, String)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("loopback is there");
        let address = listener.local_addr().expect("it is bound");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            let mut replies = VecDeque::from(replies);
            while let Ok((mut connection, _)) = listener.accept().await {
                let request = read_request(&mut connection).await;
                seen.lock().expect("nothing panics").push(request);
                let reply = replies.pop_front();
                write_reply(&mut connection, reply.as_ref()).await;
            }
        });
        Self { address, requests }
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub(crate) fn requests(&self) -> Vec<Value> {
        self.requests.lock().expect("nothing panics").clone()
    }
}

async fn read_request(connection: &mut TcpStream) -> Value {
    let mut reader = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader
            .read_line(&mut line)
            .await
            .expect("the client sends a request");
        match line.trim().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().expect("a length is a number");
            }
            None if line.trim().is_empty() => break,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader
        .read_exact(&mut body)
        .await
        .expect("the body is as long as it says");
    serde_json::from_slice(&body).expect("the body is JSON")
}

async fn write_reply(connection: &mut TcpStream, reply: Option<&(String, String)>) {
    let (status, kind, body) = match reply {
        Some((kind, body)) if kind == "sse" => ("200 OK", "text/event-stream", body.as_str()),
        Some((_, body)) => ("200 OK", "application/json", body.as_str()),
        None => (
            "500 Nothing Left",
            "text/plain",
            "more requests than were recorded",
        ),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    // A client that has gone away is seen on its own side.
    let _ = connection.write_all(head.as_bytes()).await;
    let _ = connection.write_all(body.as_bytes()).await;
    let _ = connection.shutdown().await;
}

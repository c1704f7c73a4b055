//! An HTTP server on the loopback interface that answers with given bytes.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
    time::interval,
};

/// A server that answers each connection with the next of its answers and then closes it. Without
/// an answer left it closes the connection at once.
pub(crate) struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    task: JoinHandle<()>,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// The request line and the headers.
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// The content type of server-sent events.
const EVENTS: &str = "text/event-stream";

/// What a connection is answered with.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// These bytes, and then the connection is closed.
    Bytes(Vec<u8>),
    /// These bytes, and then nothing for as long as the client waits.
    Stall(Vec<u8>),
    /// These bytes, before anything of the request is read.
    Early(Vec<u8>),
    /// These bytes at once, and then these again and again, slowly.
    Drip(Vec<u8>, &'static [u8]),
    /// These bytes, and then these again and again, as fast as the client takes them.
    Flood(Vec<u8>, Vec<u8>),
}

impl Server {
    pub(crate) async fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("binds");
        let address = listener.local_addr().expect("is bound");
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        let task = tokio::spawn(async move {
            let mut answers = answers.into_iter();
            while let Ok((connection, _)) = listener.accept().await {
                serve(connection, answers.next(), &seen).await;
            }
        });
        Self {
            address,
            requests,
            task,
        }
    }

    /// The base URL of an API on it.
    pub(crate) fn base_url(&self) -> String {
        format!("{}/v1", self.origin())
    }

    /// Its address, without a path.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests
            .lock()
            .expect("nothing panics while it is held")
            .clone()
    }
}

impl Request {
    /// The value of a header, in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let mut lines = self.head.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        value.map(str::to_owned)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Answer {
    /// A reply with its length, closed after it.
    pub(crate) fn http(status: &str, content_type: &str, body: &str) -> Self {
        Self::with_headers(status, &[("content-type", content_type)], body)
    }

    /// A reply with these headers, its length and its body.
    pub(crate) fn with_headers(status: &str, headers: &[(&str, &str)], body: &str) -> Self {
        let length = body.len().to_string();
        let mut reply = head(status, headers, &[("content-length", &length)]);
        reply.extend_from_slice(body.as_bytes());
        Self::Bytes(reply)
    }

    /// A whole reply of JSON.
    pub(crate) fn json(body: &str) -> Self {
        Self::http("200 OK", "application/json", body)
    }

    /// A stream of events that ends as it should.
    pub(crate) fn events(body: &str) -> Self {
        Self::streamed("200 OK", EVENTS, body, body.len())
    }

    /// A stream that ends as it should, in pieces of so many bytes.
    pub(crate) fn streamed(status: &str, content_type: &str, body: &str, bytes: usize) -> Self {
        let mut reply = chunked(status, content_type, body, bytes);
        reply.extend_from_slice(b"0\r\n\r\n");
        Self::Bytes(reply)
    }

    /// A stream of events whose connection breaks after these bytes.
    pub(crate) fn cut_events(body: &str) -> Self {
        Self::Bytes(chunked("200 OK", EVENTS, body, body.len()))
    }

    /// A stream of events that goes silent after these bytes.
    pub(crate) fn silent_events(body: &str) -> Self {
        Self::Stall(chunked("200 OK", EVENTS, body, body.len()))
    }
}

fn head(status: &str, headers: &[(&str, &str)], more: &[(&str, &str)]) -> Vec<u8> {
    let fields = headers.iter().chain(more);
    let fields: Vec<_> = fields
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    let fields = fields.concat();
    format!("HTTP/1.1 {status}\r\nconnection: close\r\n{fields}\r\n").into_bytes()
}

/// A body in pieces, without its end.
fn chunked(status: &str, content_type: &str, body: &str, bytes: usize) -> Vec<u8> {
    let headers = [
        ("content-type", content_type),
        ("transfer-encoding", "chunked"),
    ];
    let mut reply = head(status, &headers, &[]);
    for piece in body.as_bytes().chunks(bytes.max(1)) {
        reply.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        reply.extend_from_slice(piece);
        reply.extend_from_slice(b"\r\n");
    }
    reply
}

async fn serve(mut connection: TcpStream, answer: Option<Answer>, seen: &Mutex<Vec<Request>>) {
    if let Some(Answer::Early(bytes)) = &answer {
        let _ = connection.write_all(bytes).await;
        while connection
            .read(&mut [0; 4096])
            .await
            .is_ok_and(|read| read > 0)
        {}
        return;
    }
    let Some(request) = read(&mut connection).await else {
        return;
    };
    seen.lock()
        .expect("nothing panics while it is held")
        .push(request);
    match answer {
        None | Some(Answer::Early(_)) => {}
        Some(Answer::Bytes(bytes)) => {
            let _ = connection.write_all(&bytes).await;
            let _ = connection.shutdown().await;
        }
        Some(Answer::Drip(bytes, more)) => {
            let mut sent = connection.write_all(&bytes).await;
            let mut pause = interval(Duration::from_millis(2));
            while sent.is_ok() {
                pause.tick().await;
                sent = connection.write_all(more).await;
            }
        }
        Some(Answer::Flood(bytes, more)) => {
            let mut sent = connection.write_all(&bytes).await;
            while sent.is_ok() {
                sent = connection.write_all(&more).await;
            }
        }
        Some(Answer::Stall(bytes)) => {
            let _ = connection.write_all(&bytes).await;
            // Ends when the client closes its side.
            let _ = connection.read(&mut [0; 16]).await;
        }
    }
}

/// Reads one request whole; `None` if the client went away.
pub(crate) async fn read(connection: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: ")?.parse().ok())
                .unwrap_or(0);
            if bytes.len() >= end + 4 + length {
                return Some(Request {
                    head,
                    body: bytes[end + 4..].to_vec(),
                });
            }
        }
        match connection.read(&mut piece).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => bytes.extend_from_slice(&piece[..read]),
        }
    }
}

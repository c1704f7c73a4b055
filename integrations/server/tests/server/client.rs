//! A client of HTTP/1.1 that sends what it is told, to the byte.

use std::net::SocketAddr;

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

/// The head of a response, and its body as it comes.
pub(crate) struct Response {
    pub(crate) status: u16,
    /// The headers, with names in lower case.
    pub(crate) headers: Vec<(String, String)>,
    socket: BufReader<TcpStream>,
    left: Left,
}

/// What of a body is still to come.
enum Left {
    Bytes(usize),
    Chunks,
    Nothing,
}

/// A body that was cut off before its end.
#[derive(Debug, PartialEq)]
pub(crate) struct CutOff;

/// Sends a request: the first line without the version, headers, and a body.
pub(crate) async fn send(
    address: SocketAddr,
    line: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Response {
    let mut lines = vec![format!("{line} HTTP/1.1")];
    let is_given = |wanted: &str| headers.iter().any(|(name, _)| *name == wanted);
    if !is_given("host") {
        lines.push(format!("host: {address}"));
    }
    let given = headers.iter().filter(|(_, value)| !value.is_empty());
    lines.extend(given.map(|(name, value)| format!("{name}: {value}")));
    if !body.is_empty() {
        lines.push(format!("content-length: {}", body.len()));
        if !is_given("content-type") {
            lines.push("content-type: application/json".to_owned());
        }
    }
    let text = format!("{}\r\n\r\n{body}", lines.join("\r\n"));
    let mut socket = TcpStream::connect(address).await.expect("it listens");
    let written = socket.write_all(text.as_bytes()).await;
    written.expect("it is taken");
    Response::read(socket).await
}

/// A `GET` without anything else.
pub(crate) async fn get(address: SocketAddr, path: &str) -> Response {
    send(address, &format!("GET {path}"), &[], "").await
}

/// A `POST` of JSON without anything else.
pub(crate) async fn post(address: SocketAddr, path: &str, body: &Value) -> Response {
    send(address, &format!("POST {path}"), &[], &body.to_string()).await
}

impl Response {
    /// Reads the head of a response.
    pub(crate) async fn read(socket: TcpStream) -> Self {
        let mut socket = BufReader::new(socket);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let read = socket.read_line(&mut line).await.expect("a head comes");
            assert!(read > 0, "the connection was closed before a head");
            let line = line.trim_end().to_owned();
            if line.is_empty() {
                break;
            }
            lines.push(line);
        }
        let status = lines[0].split(' ').nth(1).expect("a status line");
        let headers: Vec<_> = lines[1..]
            .iter()
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let find = |wanted: &str| headers.iter().find(|(name, _)| name == wanted);
        let left = match (find("content-length"), find("transfer-encoding")) {
            (Some((_, length)), _) => Left::Bytes(length.parse().expect("a number")),
            (None, Some(_)) => Left::Chunks,
            (None, None) => Left::Nothing,
        };
        Self {
            status: status.parse().expect("a number"),
            headers,
            socket,
            left,
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The next piece of the body; `None` at its end.
    pub(crate) async fn piece(&mut self) -> Result<Option<Vec<u8>>, CutOff> {
        let length = match self.left {
            Left::Nothing | Left::Bytes(0) => return Ok(None),
            Left::Bytes(length) => {
                self.left = Left::Nothing;
                length
            }
            Left::Chunks => {
                let mut line = String::new();
                let read = self.socket.read_line(&mut line).await;
                if read.map_err(|_| CutOff)? == 0 {
                    return Err(CutOff);
                }
                usize::from_str_radix(line.trim(), 16).map_err(|_| CutOff)?
            }
        };
        let mut piece = vec![0; length];
        let read = self.socket.read_exact(&mut piece).await;
        read.map_err(|_| CutOff)?;
        if matches!(self.left, Left::Chunks) {
            let mut end = [0; 2];
            let read = self.socket.read_exact(&mut end).await;
            read.map_err(|_| CutOff)?;
            if length == 0 {
                self.left = Left::Nothing;
                return Ok(None);
            }
        }
        Ok(Some(piece))
    }

    /// The whole body, and whether it was cut off.
    pub(crate) async fn rest(mut self) -> (String, bool) {
        let mut body = Vec::new();
        let is_cut = loop {
            match self.piece().await {
                Ok(Some(piece)) => body.extend(piece),
                Ok(None) => break false,
                Err(CutOff) => break true,
            }
        };
        (String::from_utf8(body).expect("it is text"), is_cut)
    }

    /// The whole body, as text.
    pub(crate) async fn text(self) -> String {
        let (body, is_cut) = self.rest().await;
        assert!(!is_cut, "the body was cut off: {body}");
        body
    }

    /// The whole body, as JSON.
    pub(crate) async fn json(self) -> Value {
        let text = self.text().await;
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    /// The events of the whole body: the JSON of their data, without comments and without `[DONE]`.
    pub(crate) async fn events(self) -> Vec<Value> {
        assert_eq!(self.status, 200);
        assert_eq!(self.header("content-type"), Some("text/event-stream"));
        events_of(&self.text().await)
    }

    /// The error of a refusal: its status and its code.
    pub(crate) async fn refusal(self) -> (u16, String) {
        let status = self.status;
        let body = self.json().await;
        let code = body["error"]["code"].as_str().expect("it has a code");
        assert!(body["error"]["message"].is_string());
        (status, code.to_owned())
    }
}

/// The events of a body.
pub(crate) fn events_of(body: &str) -> Vec<Value> {
    let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter(|data| *data != "[DONE]")
        .map(|data| serde_json::from_str(data).expect("it is JSON"))
        .collect()
}

/// The types of events.
pub(crate) fn types(events: &[Value]) -> Vec<&str> {
    let types = events.iter().map(|event| event["type"].as_str());
    types.map(|name| name.expect("it has a type")).collect()
}

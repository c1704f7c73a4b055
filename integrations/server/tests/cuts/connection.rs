//! One request, of whose answer so many bytes are read.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The part of an answer that was read before the connection was cut, if it was.
pub(crate) struct Answer {
    /// The status; `None` if not even that was read.
    pub(crate) status: Option<u16>,
    /// The body so far.
    pub(crate) body: String,
    /// True if the body came to its end.
    pub(crate) is_whole: bool,
}

impl Answer {
    fn nothing() -> Self {
        Self {
            status: None,
            body: String::new(),
            is_whole: false,
        }
    }
}

/// Sends a request and reads so many bytes of the answer, or all of it. A connection that breaks off is cut as well.
pub(crate) async fn ask(
    address: SocketAddr,
    line: &str,
    headers: &[(&str, &str)],
    body: &str,
    bytes: Option<u64>,
) -> Answer {
    let Ok(mut socket) = TcpStream::connect(address).await else {
        return Answer::nothing();
    };
    let mut lines = vec![
        format!("{line} HTTP/1.1"),
        format!("host: {address}"),
        "connection: close".to_owned(),
    ];
    lines.extend((headers.iter()).map(|(name, value)| format!("{name}: {value}")));
    if !body.is_empty() {
        lines.push("content-type: application/json".to_owned());
        lines.push(format!("content-length: {}", body.len()));
    }
    let head = format!("{}\r\n\r\n{body}", lines.join("\r\n"));
    if socket.write_all(head.as_bytes()).await.is_err() {
        return Answer::nothing();
    }
    let mut read = Vec::new();
    let mut socket = socket.take(bytes.unwrap_or(u64::MAX));
    // What broke off was read until then.
    let _ = socket.read_to_end(&mut read).await;
    parse(&read)
}

/// What these bytes are of an answer.
fn parse(bytes: &[u8]) -> Answer {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        return Answer::nothing();
    };
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let rest = &bytes[end + 4..];
    let (body, is_whole) = if head.contains("transfer-encoding: chunked") {
        joined(rest)
    } else {
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
        (rest.to_vec(), rest.len() >= length)
    };
    // The last character may be cut.
    let valid = match std::str::from_utf8(&body) {
        Ok(_) => body.len(),
        Err(error) => error.valid_up_to(),
    };
    Answer {
        status,
        body: String::from_utf8_lossy(&body[..valid]).into_owned(),
        is_whole,
    }
}

/// The chunks of a body, and whether the last one is there.
fn joined(mut bytes: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    loop {
        let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") else {
            return (body, false);
        };
        let length = std::str::from_utf8(&bytes[..end]).ok();
        let Some(length) = length.and_then(|it| usize::from_str_radix(it.trim(), 16).ok()) else {
            return (body, false);
        };
        bytes = &bytes[end + 2..];
        if length == 0 {
            return (body, true);
        }
        body.extend(&bytes[..length.min(bytes.len())]);
        let Some(rest) = bytes.get(length + 2..) else {
            return (body, false);
        };
        bytes = rest;
    }
}

/// The server-sent events of a body: id and data. One without its empty line is not there.
pub(crate) fn events(body: &str) -> Vec<(Option<u64>, String)> {
    let end = body.rfind("\n\n").map_or(0, |end| end + 2);
    let mut events = Vec::new();
    for event in body[..end].split("\n\n") {
        let (mut id, mut data) = (None, None);
        for line in event.lines() {
            if let Some(value) = line.strip_prefix("id: ") {
                id = value.parse().ok();
            } else if let Some(value) = line.strip_prefix("data: ") {
                data = Some(value.to_owned());
            }
        }
        events.extend(data.map(|data| (id, data)));
    }
    events
}

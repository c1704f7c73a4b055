//! A server on loopback that plays a provider: it answers each request with the next of its replies.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

use crate::report::{Request, Requests};

/// What a server says, in order.
pub(crate) struct Traffic {
    content_type: &'static str,
    replies: Vec<String>,
}

impl Traffic {
    /// Server-sent events.
    pub(crate) fn events(replies: [&str; 2]) -> Self {
        Self::new("text/event-stream", replies)
    }

    /// JSON, a line each.
    pub(crate) fn lines(replies: [&str; 2]) -> Self {
        Self::new("application/x-ndjson", replies)
    }

    fn new(content_type: &'static str, replies: [&str; 2]) -> Self {
        Self {
            content_type,
            replies: replies.map(str::to_owned).into(),
        }
    }

    /// The same with the line ends that Google's server writes.
    pub(crate) fn with_crlf(mut self) -> Self {
        for reply in &mut self.replies {
            *reply = reply.replace('\n', "\r\n");
        }
        self
    }
}

/// A server that runs until the program ends.
pub(crate) struct Server {
    base_url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Where it is, without a path: what it is asked for decides nothing.
    pub(crate) fn base_url(&self) -> &str {
        &self.base_url
    }

    /// What it was sent so far.
    pub(crate) fn requests(&self) -> Requests {
        let requests = self.requests.lock();
        Requests(requests.unwrap_or_else(PoisonError::into_inner).clone())
    }
}

/// Starts a server.
pub(crate) async fn serve(traffic: &Traffic) -> io::Result<Server> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let server = Server {
        base_url: format!("http://{}", listener.local_addr()?),
        requests: Arc::default(),
    };
    let requests = Arc::clone(&server.requests);
    let (content_type, replies) = (traffic.content_type, traffic.replies.clone());
    tokio::spawn(async move {
        for reply in replies {
            let (connection, _) = listener.accept().await?;
            let request = answer(connection, content_type, &reply).await?;
            let mut requests = requests.lock().unwrap_or_else(PoisonError::into_inner);
            requests.push(request);
        }
        Ok::<_, io::Error>(())
    });
    Ok(server)
}

/// Reads one request, and streams the response in pieces that care for no event and no character.
async fn answer(connection: TcpStream, content_type: &str, reply: &str) -> io::Result<Request> {
    let mut connection = BufReader::new(connection);
    let mut line = String::new();
    connection.read_line(&mut line).await?;
    let mut request = Request::new(&line);
    let mut length = 0;
    loop {
        line.clear();
        connection.read_line(&mut line).await?;
        let Some((name, value)) = line.trim().split_once(": ") else {
            break;
        };
        request.see_header(name);
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().map_err(io::Error::other)?;
        }
    }
    request.body = vec![0; length];
    connection.read_exact(&mut request.body).await?;

    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\nconnection: close\r\n\r\n");
    connection.write_all(head.as_bytes()).await?;
    for piece in reply.as_bytes().chunks(500) {
        connection.write_all(piece).await?;
        connection.flush().await?;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    connection.shutdown().await?;
    Ok(request)
}

//! The way back from a browser of this machine.

use std::{io, net::Ipv4Addr, time::Duration};

use futures_util::{StreamExt, stream::FuturesUnordered};
use reqwest::Url;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use super::AuthorizationError;

/// A listener at the address to come back to.
pub(super) struct Loopback {
    listener: TcpListener,
    redirect: Url,
}

/// The largest request, in bytes, and the time for it.
const MAX_REQUEST: usize = 16 << 10;
const TIME: Duration = Duration::from_secs(10);
/// The largest number of connections at once.
const MAX_OPEN: usize = 32;

impl Loopback {
    /// Listens. Port 0 is a free one.
    pub(super) async fn listen(redirect: &str) -> Result<Self, AuthorizationError> {
        let refused = |problem: &str| AuthorizationError::Redirect {
            redirect: redirect.to_owned(),
            problem: problem.to_owned(),
        };
        let mut url = Url::parse(redirect).map_err(|error| refused(&error.to_string()))?;
        let is_here = matches!(url.host_str(), Some("127.0.0.1" | "localhost"));
        if url.scheme() != "http" || !is_here {
            return Err(refused(
                "a browser comes back to `http://127.0.0.1` or `http://localhost`, with a port and a path",
            ));
        }
        // `port` is none for the default one.
        let port = url.port().unwrap_or(80);
        let bound = async {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
            let port = listener.local_addr()?.port();
            io::Result::Ok((listener, port))
        };
        let (listener, port) = bound.await.map_err(|error| refused(&error.to_string()))?;
        url.set_port(Some(port))
            .map_err(|()| refused("it has no port"))?;
        let redirect = url;
        Ok(Self { listener, redirect })
    }

    pub(super) fn redirect(&self) -> &str {
        self.redirect.as_str()
    }

    /// Waits until something comes back that is taken as an answer. All else, such as the icon of the page, or the answer to
    /// another question, is refused.
    pub(super) async fn answer<T, F>(&self, take: impl Fn(String) -> F) -> T
    where
        F: Future<Output = Option<T>>,
    {
        let mut open = FuturesUnordered::new();
        loop {
            tokio::select! {
                connection = self.listener.accept(), if open.len() < MAX_OPEN => {
                    if let Ok((stream, _)) = connection {
                        open.push(self.serve(stream, &take));
                    }
                }
                Some(answer) = open.next() => {
                    if let Some(answer) = answer {
                        return answer;
                    }
                }
            }
        }
    }

    async fn serve<T, F>(&self, mut stream: TcpStream, take: &impl Fn(String) -> F) -> Option<T>
    where
        F: Future<Output = Option<T>>,
    {
        let target = timeout(TIME, target(&mut stream)).await.ok()??;
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let answer = if path == self.redirect.path() {
            take(query.to_owned()).await
        } else {
            None
        };
        let (status, text) = match &answer {
            Some(_) => (
                "200 OK",
                "The program has your answer. You can close this page.",
            ),
            None => ("404 Not Found", "Nothing is awaited here."),
        };
        let page = format!("<!doctype html><meta charset=\"utf-8\"><title>{text}</title><p>{text}");
        let response = format!(
            "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\n\
             cache-control: no-store\r\nreferrer-policy: no-referrer\r\nconnection: close\r\n\r\n{page}",
            page.len()
        );
        // A browser that has gone has answered.
        let _ = timeout(TIME, stream.write_all(response.as_bytes())).await;
        answer
    }
}

/// The target of a GET.
async fn target(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        if head.len() > MAX_REQUEST || stream.read_buf(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    let head = String::from_utf8(head).ok()?;
    let mut line = head.lines().next()?.split(' ');
    let is_get = line.next() == Some("GET");
    is_get.then(|| line.next().map(str::to_owned))?
}

//! Serves a router: accepts connections, bounds them, and stops.

mod silent;

use std::{convert::Infallible, net::SocketAddr, pin::Pin, sync::Arc, time::Duration};

use axum::{Router, extract::ConnectInfo, response::IntoResponse as _};
use http::{Request, StatusCode};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_io_timeout::TimeoutStream;
use toolwright_core::CancellationToken;

use crate::{failure::Failure, later::FOREVER, limits::ServerLimits};
use silent::{Guest, ResponseBody, Silent};

/// The wait after a connection that could not be accepted, since too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves a router until it is cancelled, and then what is under way for as long as it may take.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ServerLimits,
    stop: CancellationToken,
) {
    let places = Arc::new(Semaphore::new(
        limits.connections.clamp(1, Semaphore::MAX_PERMITS),
    ));
    let mut connections = JoinSet::new();
    let mut silent = Silent::default();
    loop {
        let accepted = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        let Ok((socket, peer)) = accepted else {
            sleep(PAUSE).await;
            continue;
        };
        if places.available_permits() == 0 {
            silent.send_one_away();
        }
        let place = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            place = Arc::clone(&places).acquire_owned() => place,
        };
        let guest = silent.guest();
        let connection = connection(socket, peer, router.clone(), limits, stop.clone(), guest);
        connections.spawn(async move {
            connection.await;
            drop(place);
        });
    }
    drop(listener);
    let all = async { while connections.join_next().await.is_some() {} };
    let _ = timeout(limits.shutdown_time, all).await;
    connections.shutdown().await;
}

async fn connection(
    socket: TcpStream,
    peer: SocketAddr,
    router: Router,
    limits: ServerLimits,
    stop: CancellationToken,
    guest: Guest,
) {
    let is_served = guest.clone();
    // A stream consists of small pieces.
    let _ = socket.set_nodelay(true);
    let service = service_fn(move |mut request: Request<Incoming>| {
        use tower_service::Service as _;
        let asked = is_served.asks().map(|asked| {
            let answer = bounded(&request, limits.header_bytes).map(|()| {
                request.extensions_mut().insert(ConnectInfo(peer));
                router.clone().call(request)
            });
            (answer, asked)
        });
        async move {
            let (answer, request) = match asked {
                Some((Ok(answer), asked)) => (answer.await?, Some(asked)),
                Some((Err(refused), asked)) => (refused.into_response(), Some(asked)),
                // The connection is about to be closed.
                None => (StatusCode::SERVICE_UNAVAILABLE.into_response(), None),
            };
            Ok::<_, Infallible>(answer.map(|body| ResponseBody { body, request }))
        }
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_time)
        .max_headers(limits.headers)
        // What is a little too long is refused with a reason; less than that is not taken.
        .max_buf_size(limits.header_bytes.saturating_mul(2).max(8 << 10));
    let io = TokioIo::new(timed(socket, limits.write_time));
    let connection = builder.serve_connection(io, service);
    tokio::pin!(connection);
    // What is wrong with a connection is the client's business.
    tokio::select! {
        biased;
        _ = connection.as_mut() => return,
        () = guest.sent_away() => {
            if !guest.has_asked() {
                return;
            }
            // The end of the last answer may still be on its way.
            connection.as_mut().graceful_shutdown();
        }
        () = stop.cancelled() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// A connection that is closed when the other end takes nothing for so long.
fn timed(socket: TcpStream, time: Duration) -> Pin<Box<TimeoutStream<TcpStream>>> {
    let mut socket = TimeoutStream::new(socket);
    socket.set_write_timeout(Some(time.min(FOREVER)));
    Box::pin(socket)
}

/// Refuses a head that is longer than the limit: the buffer of a connection takes more.
fn bounded<B>(request: &Request<B>, most: usize) -> Result<(), Failure> {
    // Each header has a colon, a space and the end of its line.
    let lines = request
        .headers()
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len() + 4);
    let target = request.uri().to_string().len();
    // With two spaces, the version, the end of the line, and the empty line.
    let first = request.method().as_str().len() + target + 14;
    if first + lines.sum::<usize>() <= most {
        return Ok(());
    }
    let message = format!("the headers are longer than {most} bytes");
    let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
    Err(Failure::new(status, "too_large", message))
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use tokio::io::AsyncWriteExt;

    use super::*;

    #[tokio::test]
    async fn a_connection_that_takes_nothing_is_closed() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (reader, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        let mut written = timed(accepted.unwrap().0, Duration::from_millis(50));
        let error = loop {
            if let Err(error) = written.write_all(&[0; 4096]).await {
                break error;
            }
        };
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        drop(reader);
    }
}

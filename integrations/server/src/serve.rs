//! Serves a router: accepts connections, bounds them, and stops.

mod silent;
mod timed_io;

use std::{convert::Infallible, net::SocketAddr, sync::Arc};

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
use toolwright_core::CancellationToken;

use crate::limits::ServerLimits;
use silent::{Guest, ResponseBody, Silent};
use timed_io::TimedIo;

/// The wait after a connection that could not be accepted, since too many files are open.
const PAUSE: std::time::Duration = std::time::Duration::from_millis(100);

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
            request.extensions_mut().insert(ConnectInfo(peer));
            (router.clone().call(request), asked)
        });
        async move {
            let (answer, request) = match asked {
                Some((answer, asked)) => (answer.await?, Some(asked)),
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
        // Less than that is not taken.
        .max_buf_size(limits.header_bytes.max(8 << 10));
    let io = TokioIo::new(TimedIo::new(socket, limits.write_time));
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

//! A run as the body of a response.

use std::{fmt, sync::Arc, time::Duration};

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::{Stream, stream};
use http::{HeaderName, HeaderValue};
use tokio::time::sleep;
use toolwright_runtime::{
    CancellationToken, RunEvent,
    streams::{Frame, PlainStream, UiMessageStream, ui_message},
};

use crate::{app::App, failure::Failure, follow::Follow, open_streams::OpenStream};

/// What a stream that has nothing to say sends.
const KEEP_ALIVE: &[u8] = b": keep-alive\n\n";

/// A run in the form that a client reads.
pub(crate) enum Projection {
    Ui(Box<UiMessageStream>),
    Plain(Box<PlainStream>),
}

impl Projection {
    fn push(&mut self, event: &RunEvent) -> String {
        match self {
            Self::Ui(stream) => text_of(&stream.push(event)),
            Self::Plain(stream) => text_of(&stream.push(event)),
        }
    }

    fn end(&mut self) -> String {
        match self {
            Self::Ui(stream) => text_of(&stream.end()),
            Self::Plain(stream) => text_of(&stream.end()),
        }
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Ui(_) => &ui_message::HEADERS,
            Self::Plain(_) => &EVENTS,
        }
    }
}

/// The headers of plain server-sent events.
const EVENTS: [(&str, &str); 3] = [
    ("content-type", "text/event-stream"),
    ("cache-control", "no-cache"),
    ("x-accel-buffering", "no"),
];

fn text_of<T: serde::Serialize>(frames: &[Frame<T>]) -> String {
    frames.iter().map(Frame::to_sse).collect()
}

/// The response with a run.
pub(crate) fn of_run(
    app: &Arc<App>,
    follow: Follow,
    projection: Projection,
    place: OpenStream,
) -> Response {
    let headers = projection.headers();
    let run = RunBody {
        follow,
        projection,
        keep_alive: app.limits.keep_alive,
        cut: app.cut.clone(),
        is_over: false,
        _place: place,
    };
    let body = stream::unfold(run, async |mut run| {
        let piece = run.next().await?;
        Some((piece, run))
    });
    with_headers(headers, body)
}

fn with_headers<E: Into<axum::BoxError> + 'static>(
    headers: &[(&'static str, &'static str)],
    body: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
) -> Response {
    let mut response = Body::from_stream(body).into_response();
    for (name, value) in headers {
        let (name, value) = (
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
        response.headers_mut().insert(name, value);
    }
    response
}

/// A run that is written while somebody takes it. It is asked for the next piece when the one before is written.
struct RunBody {
    follow: Follow,
    projection: Projection,
    keep_alive: Duration,
    cut: CancellationToken,
    is_over: bool,
    _place: OpenStream,
}

impl RunBody {
    async fn next(&mut self) -> Option<Result<Bytes, Cut>> {
        if self.is_over {
            return None;
        }
        let quiet = sleep(self.keep_alive);
        tokio::pin!(quiet);
        loop {
            let event = tokio::select! {
                biased;
                () = self.cut.cancelled() => Err(Cut),
                event = self.follow.next() => event.map_err(|_| Cut),
                () = &mut quiet => return Some(Ok(Bytes::from_static(KEEP_ALIVE))),
            };
            let text = match event {
                Ok(Some(event)) => self.projection.push(&event),
                Ok(None) => {
                    self.is_over = true;
                    self.projection.end()
                }
                Err(cut) => {
                    self.is_over = true;
                    return Some(Err(cut));
                }
            };
            if !text.is_empty() {
                return Some(Ok(text.into()));
            }
            if self.is_over {
                return None;
            }
        }
    }
}

/// The stream broke off. The client is to see that, and to connect anew: so the connection is closed without its end.
#[derive(Debug)]
struct Cut;

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the stream was cut off")
    }
}

impl std::error::Error for Cut {}

/// Reads the body of a request, which is JSON.
pub(crate) async fn read_json(
    app: &App,
    request: axum::extract::Request,
) -> Result<Bytes, Failure> {
    use http::{StatusCode, header};
    let headers = request.headers();
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        let message = "the body has to be `application/json`";
        return Err(Failure::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported_media_type",
            message,
        ));
    }
    let max = app.limits.body_bytes;
    let length = headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > max as u64) {
        return Err(Failure::too_long(max));
    }
    let body = axum::body::to_bytes(request.into_body(), max);
    match tokio::time::timeout(app.limits.body_time, body).await {
        Ok(Ok(body)) => Ok(body),
        // It is too long, or the connection is gone.
        Ok(Err(_)) => Err(Failure::too_long(max)),
        Err(_) => Err(Failure::new(
            StatusCode::REQUEST_TIMEOUT,
            "too_slow",
            "the body came too slowly",
        )),
    }
}

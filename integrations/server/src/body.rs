//! A run as the body of a response.

use std::{convert::Infallible, fmt, sync::Arc, time::Duration};

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use http::{HeaderName, HeaderValue};
use tokio::time::sleep;
use toolwright_core::{CancellationToken, run::RunId};
use toolwright_runtime::RunEvent;
use toolwright_streams::{Frame, PlainStream, UiMessageStream, ui_message};

use crate::{
    app::App, caller::Visitor, failure::Failure, follow::Follow, open_streams::OpenStream,
};

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

/// The response with other server-sent events.
pub(crate) fn of_events(events: impl Stream<Item = Bytes> + Send + 'static) -> Response {
    with_headers(&EVENTS, events.map(Ok::<_, Infallible>))
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

/// A run that is written while the client reads it. It is asked for the next piece when the one before is
/// written.
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

/// The stream broke off. The client has to notice that and reconnect, so the connection is closed without the end of
/// the body.
#[derive(Debug)]
struct Cut;

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the stream was cut off")
    }
}

impl std::error::Error for Cut {}

/// A place for a stream of the visitor.
pub(crate) fn place(app: &App, visitor: &Visitor) -> Result<OpenStream, Failure> {
    app.streams.open(&visitor.counted_as, app.limits.streams)
}

/// The response with a run from its first event on.
pub(crate) async fn from_start(
    app: &Arc<App>,
    visitor: &Visitor,
    projection: Projection,
    run: RunId,
    place: OpenStream,
) -> Result<Response, Failure> {
    let (runner, store) = (visitor.runner.clone(), visitor.store.clone());
    let follow = Follow::new(runner, store, run, None).await?;
    Ok(of_run(app, follow, projection, place))
}

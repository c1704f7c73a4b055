//! How a client wants to read a run.

use serde::Deserialize;
use toolwright_core::run::RunId;
use toolwright_streams::{PlainStream, UiMessageStream};

use crate::{app::App, body::Projection};

/// How a client wants to read a run.
#[derive(Deserialize)]
pub(crate) struct Form {
    /// The version of `ai` that reads the stream.
    v: Option<u32>,
    format: Option<String>,
}

impl Form {
    /// A run from its first event on.
    pub(crate) fn projection(&self, app: &App, run: &RunId) -> Projection {
        if self.format.as_deref() == Some("plain") {
            Projection::Plain(Box::new(plain(app, None)))
        } else {
            Projection::Ui(Box::new(self.ui(app, run)))
        }
    }

    /// A run as a message.
    pub(crate) fn ui(&self, app: &App, run: &RunId) -> UiMessageStream {
        let mut stream = UiMessageStream::new(run.as_str()).with_failure_texts(app.failure_text());
        if self.is_version_7(app) {
            stream = stream.for_version_7();
        }
        if app.error_details {
            stream = stream.with_error_details();
        }
        stream
    }

    /// Returns true if `ai` 7 reads the stream.
    pub(crate) fn is_version_7(&self, app: &App) -> bool {
        self.v.map_or(app.for_version_7, |version| version >= 7)
    }
}

/// A run as plain events, after those that a client has.
pub(crate) fn plain(app: &App, after: Option<u64>) -> PlainStream {
    let stream = PlainStream::new()
        .after(after)
        .with_failure_texts(app.failure_text());
    if app.error_details {
        stream.with_error_details()
    } else {
        stream
    }
}

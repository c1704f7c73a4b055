//! The page that shows the server: chats, runs and tools. It is built before, and is part of the program.

use axum::{
    Router,
    response::{IntoResponse, Response},
    routing::get,
};
use http::{
    HeaderName, HeaderValue,
    header::{
        CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_FRAME_OPTIONS,
    },
};

/// The files, by their paths below the page, with their types.
const FILES: [(&str, &str, &[u8]); 5] = [
    (
        "/",
        "text/html; charset=utf-8",
        include_bytes!("../web/dist/index.html"),
    ),
    (
        "/app.js",
        "text/javascript; charset=utf-8",
        include_bytes!("../web/dist/app.js"),
    ),
    (
        "/app.css",
        "text/css; charset=utf-8",
        include_bytes!("../web/dist/app.css"),
    ),
    (
        "/icon.svg",
        "image/svg+xml",
        include_bytes!("../web/dist/icon.svg"),
    ),
    (
        "/THIRD-PARTY-LICENSES.txt",
        "text/plain; charset=utf-8",
        include_bytes!("../web/dist/THIRD-PARTY-LICENSES.txt"),
    ),
];

/// The page runs its own script, and asks nobody but its own server. Images of a chat are in its messages.
const HEADERS: [(HeaderName, &str); 4] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    ),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    // Another version of the program has another page.
    (CACHE_CONTROL, "no-cache"),
];

/// The paths of the page.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
    FILES.iter().fold(router, |router, (path, kind, content)| {
        router.route(path, get(async move || file(kind, content)))
    })
}

fn file(kind: &'static str, content: &'static [u8]) -> Response {
    let mut response = content.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

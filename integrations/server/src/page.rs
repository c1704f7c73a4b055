//! The page that shows the server: chats, runs and tools. It is built before, and is part of the program.

use std::fmt::Write;

use axum::{
    Router,
    extract::OriginalUri,
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

/// The page runs its own script, and sends requests to its own server only. Images of a chat are in its
/// messages.
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
        let answer = async |OriginalUri(uri): OriginalUri| file(kind, content, uri.path());
        router.route(path, get(answer))
    })
}

fn file(kind: &'static str, content: &'static [u8], path: &str) -> Response {
    let mut response = match path.rsplit('/').next() {
        Some(last) if kind.starts_with("text/html") && !last.is_empty() => {
            seen_from(content, last).into_response()
        }
        _ => content.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The page with the addresses of its files as they are from its own, whose last piece this is: a browser takes them from
/// the last slash, and a router that is nested has none at its end.
fn seen_from(page: &[u8], last: &str) -> String {
    let folder = format!("\"./{}/", harmless(last));
    String::from_utf8_lossy(page).replace("\"./", &folder)
}

/// A piece of a path that means nothing else in HTML.
fn harmless(piece: &str) -> String {
    let mut text = String::with_capacity(piece.len());
    for byte in piece.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

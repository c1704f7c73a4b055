//! What a browser asks before it sends the request of a page.

use http::{
    HeaderMap, HeaderValue, Method, Request,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE,
        ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD,
    },
};

/// Returns true if a browser checks whether a page may send a request.
pub fn is_preflight<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD)
}

/// The headers of the answer to that: a page that may ask sends these methods and each header.
pub fn preflight(asked: &HeaderMap, methods: &'static str) -> HeaderMap {
    let mut answer = HeaderMap::new();
    let methods = HeaderValue::from_static(methods);
    answer.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
    if let Some(asked) = asked.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        answer.insert(ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
    }
    answer.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    answer
}

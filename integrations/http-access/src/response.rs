//! Responses that belong to who asked.

use http::{
    HeaderMap, HeaderValue,
    header::{ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, VARY, X_CONTENT_TYPE_OPTIONS},
};

/// Keeps a response from caches and from pages that may not read it. A page of the origin `allowed` may.
pub fn protect(headers: &mut HeaderMap, allowed: Option<HeaderValue>) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let same = HeaderValue::from_static("same-origin");
    headers.insert("cross-origin-resource-policy", same);
    headers.append(VARY, HeaderValue::from_static("origin"));
    let kept_nowhere = HeaderValue::from_static("no-store");
    headers.entry(CACHE_CONTROL).or_insert(kept_nowhere);
    if let Some(origin) = allowed {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
}

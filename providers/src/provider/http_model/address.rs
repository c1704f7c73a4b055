//! Address of the API.

use reqwest::Url;
use toolwright_core::model::ModelError;

use crate::transport;

/// The address that requests go to. A version that the base URL ends with is not repeated; `version`
/// stands before the path unless the base URL has one anywhere.
pub(crate) fn of(
    base_url: &str,
    version: Option<&str>,
    path: &str,
    query: Option<(&str, &str)>,
) -> Result<Url, ModelError> {
    let mut url = transport::http_url(base_url, "the base URL")?;
    let last = url.path().trim_end_matches('/').rsplit('/').next();
    let path = path.trim_start_matches('/');
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let is_there = is_version(first) && last == Some(first);
    let path = if is_there { rest } else { path };
    let version = version.filter(|_| !url.path().split('/').any(is_version));
    url.path_segments_mut()
        .unwrap_or_else(|()| unreachable!("an address of HTTP has a path"))
        .pop_if_empty()
        .extend(version.into_iter().chain(path.split('/')));
    if let Some((name, value)) = query {
        url.query_pairs_mut().append_pair(name, value);
    }
    Ok(url)
}

/// Returns true if a segment of a path is a version, such as `v1beta`.
fn is_version(segment: &str) -> bool {
    let number = segment.strip_prefix('v').unwrap_or_default();
    number.starts_with(|first: char| first.is_ascii_digit())
}

/// The host of a server, with its port if that is not the usual one.
pub(crate) fn host(base_url: &str) -> String {
    let Ok(url) = Url::parse(base_url) else {
        return String::new();
    };
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Returns true if a server is on this machine, where no key is needed.
pub(crate) fn is_on_this_machine(base_url: &str) -> bool {
    Url::parse(base_url).is_ok_and(|url| transport::is_loopback(&url))
}

/// A base URL as it may be shown: without user, password and query, where keys are put too.
pub(crate) fn without_secrets(base_url: &str) -> String {
    let Ok(mut url) = Url::parse(base_url) else {
        return "(not a URL)".to_owned();
    };
    url.set_query(None);
    url.set_fragment(None);
    // Both fail only where there can be neither user nor password.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

/// Returns the secrets of a base URL: user, password and the values of its query.
pub(crate) fn secrets(base_url: &str) -> Vec<String> {
    let Ok(url) = Url::parse(base_url) else {
        return Vec::new();
    };
    let query = url.query_pairs().map(|(_, value)| value.into_owned());
    let user = [url.username(), url.password().unwrap_or_default()].map(str::to_owned);
    query.chain(user).collect()
}

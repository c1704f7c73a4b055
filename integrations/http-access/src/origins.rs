//! The pages that may ask.

use http::{HeaderMap, HeaderValue, Request, header::ORIGIN, uri::Authority};

use crate::host::host;

/// The origins of other hosts whose pages may ask.
#[derive(Debug, Clone, Default)]
pub struct Origins(Vec<HeaderValue>);

impl Origins {
    /// Adds an origin: a scheme, `://` and a host, perhaps with a port, as browsers send it. Returns false if it is none.
    #[must_use = "what is no origin is not added"]
    pub fn add(&mut self, origin: &str) -> bool {
        let name = origin.trim_end_matches('/').to_ascii_lowercase();
        let host = name.split_once("://");
        let is_origin = host.is_some_and(|(scheme, host)| {
            let authority = host.parse::<Authority>();
            !scheme.is_empty()
                && !host.contains(['@', '*'])
                && authority.is_ok_and(|authority| authority.as_str() == host)
        });
        let name = HeaderValue::from_str(&name).ok();
        let name = name.filter(|_| is_origin);
        let is_added = name.is_some();
        self.0.extend(name);
        is_added
    }

    /// The origin of the page that asks, if it is one of these.
    pub fn of(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let mut origins = headers.get_all(ORIGIN).iter();
        let (origin, None) = (origins.next()?, origins.next()) else {
            return None;
        };
        self.0.contains(origin).then(|| origin.clone())
    }
}

/// Returns true if no page asks, or one of the host that the request is for.
pub fn is_of_own_page<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    let mut origins = headers.get_all(ORIGIN).iter();
    if let Some(origin) = origins.next() {
        let origin = origin.to_str().ok();
        let origin = origin.and_then(|origin| origin.split_once("://"));
        let is_own = match (origin, host(request)) {
            (Some(("http" | "https", origin)), Some(host)) => {
                origin.eq_ignore_ascii_case(host.as_str())
            }
            _ => false,
        };
        if !is_own || origins.next().is_some() {
            return false;
        }
    }
    headers
        .get("sec-fetch-site")
        .is_none_or(|site| site != "cross-site")
}

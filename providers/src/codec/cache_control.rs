//! A mark in a request for the cache of the provider.

use serde::Serialize;
use toolwright_core::model::PromptCaching;

/// A mark: the request up to here is kept.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct CacheControl {
    r#type: &'static str,
    /// Left out it is five minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<&'static str>,
}

impl CacheControl {
    pub(crate) fn of(caching: PromptCaching) -> Self {
        Self {
            r#type: "ephemeral",
            ttl: match caching {
                PromptCaching::OneHour => Some("1h"),
                _ => None,
            },
        }
    }
}

//! What a provider has run itself, as an application shows it.

use toolwright_core::message::{Opaque, Part};

use super::{anthropic, gemini, openai_responses};
use crate::codec::tool_use::ProviderToolUse;

impl<'a> ProviderToolUse<'a> {
    /// Reads an opaque part; `None` for one that is something else.
    ///
    /// ```
    /// use serde_json::json;
    /// use toolwright::{message::Opaque, provider::ProviderToolUse};
    ///
    /// let part = Opaque {
    ///     provider: "openai_responses".to_owned(),
    ///     data: json!({"type": "web_search_call", "id": "ws_1", "status": "completed",
    ///         "action": {"type": "search", "query": "Rust 1.95"}}),
    /// };
    /// let search = ProviderToolUse::of(&part).unwrap();
    /// assert_eq!((search.kind, search.query()), ("web_search", Some("Rust 1.95")));
    /// ```
    pub fn of(part: &'a Opaque) -> Option<Self> {
        // Behind the name of the codec stands the host.
        match part.provider.split(':').next()? {
            anthropic::PROVIDER => anthropic::activity::tool_use(&part.data),
            openai_responses::PROVIDER => openai_responses::activity::tool_use(&part.data),
            gemini::PROVIDER => gemini::activity::tool_use(&part.data),
            _ => None,
        }
    }

    /// All of a response, or of a message, in order.
    pub fn all(parts: &'a [Part]) -> impl Iterator<Item = Self> {
        parts.iter().filter_map(|part| match part {
            Part::Opaque(part) => Self::of(part),
            _ => None,
        })
    }
}

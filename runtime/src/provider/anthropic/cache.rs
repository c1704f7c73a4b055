//! What the provider is asked to keep of a request.

use serde::Serialize;

use super::tools::Form;
use crate::{
    json_text::JsonText, model::PromptCaching, tool::ToolDefinitions, wire::sent_tools::SentTools,
};

/// A mark: the request up to here is kept.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct CacheControl {
    r#type: &'static str,
    /// Left out it is five minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<&'static str>,
}

impl CacheControl {
    pub(super) fn of(caching: PromptCaching) -> Self {
        Self {
            r#type: "ephemeral",
            ttl: match caching {
                PromptCaching::FiveMinutes => None,
                PromptCaching::OneHour => Some("1h"),
            },
        }
    }
}

/// The tools of a request, the last of them marked if they are to be kept. Rendered once for a set.
pub(super) fn tools(tools: &ToolDefinitions, caching: Option<PromptCaching>) -> JsonText {
    let json = SentTools::of::<Form>(tools).json.clone();
    let form = match caching {
        None => return json,
        Some(PromptCaching::FiveMinutes) => "anthropic_five_minutes",
        Some(PromptCaching::OneHour) => "anthropic_one_hour",
    };
    let marked = tools.prepared(form, |_| {
        let marked = caching.and_then(|caching| mark_last(&json, CacheControl::of(caching)));
        marked.unwrap_or(json)
    });
    JsonText::clone(&marked)
}

/// The list of tools with a mark on its last; `None` for a list without tools.
fn mark_last(json: &JsonText, mark: CacheControl) -> Option<JsonText> {
    let start = json.as_str().strip_suffix("}]")?;
    let mark = serde_json::to_string(&mark).ok()?;
    JsonText::new(format!("{start},\"cache_control\":{mark}}}]")).ok()
}

//! Cache marks in a request for the provider.

use toolwright_core::model::PromptCaching;
use toolwright_json::JsonText;

use crate::codec::{cache_control::CacheControl, tool_list::ToolList};

/// The tools of a request, the last of them marked if they are to be kept.
pub(super) fn tools(tools: &ToolList, caching: Option<PromptCaching>) -> JsonText {
    let Some(caching) = caching else {
        return tools.json.clone();
    };
    let form = match caching {
        PromptCaching::OneHour => "one hour",
        _ => "five minutes",
    };
    tools.changed(form, |json| mark_last(json, CacheControl::of(caching)))
}

/// The list of tools with a mark on its last; `None` for a list without tools.
fn mark_last(json: &JsonText, mark: CacheControl) -> Option<JsonText> {
    let start = json.as_str().strip_suffix("}]")?;
    let mark = serde_json::to_string(&mark).ok()?;
    JsonText::new(format!("{start},\"cache_control\":{mark}}}]")).ok()
}

//! The tools that this API runs itself.

use serde_json::{Map, Value, json};
use toolwright_core::model::ProviderTool;

use crate::codec::provider_tools::{SentProviderTool, put_list};

/// A tool that the API runs (anthropic-python, `types/web_search_tool_20250305_param.py` and
/// `types/code_execution_tool_20250825_param.py`).
pub(super) fn provider_tool(tool: &ProviderTool) -> Option<SentProviderTool> {
    let entry = match tool {
        ProviderTool::WebSearch(search) => {
            let mut entry = Map::new();
            entry.insert("type".to_owned(), "web_search_20250305".into());
            entry.insert("name".to_owned(), "web_search".into());
            entry.extend(
                search
                    .max_uses
                    .map(|uses| ("max_uses".to_owned(), uses.into())),
            );
            let is_allowed = |domain: &&String| !search.blocked_domains.contains(domain);
            let allowed = search.allowed_domains.iter().filter(is_allowed);
            let allowed: Vec<_> = allowed.cloned().collect();
            if allowed.is_empty() && !search.allowed_domains.is_empty() {
                // Nothing is left to search, and without a list it would be all.
                return None;
            }
            put_list(&mut entry, "allowed_domains", &allowed);
            // The API takes one of the lists.
            let has_both = !search.allowed_domains.is_empty() && !search.blocked_domains.is_empty();
            if !has_both {
                put_list(&mut entry, "blocked_domains", &search.blocked_domains);
            }
            let sent = SentProviderTool::whole(Value::Object(entry));
            return Some(sent.without("blocked_domains", has_both));
        }
        ProviderTool::CodeExecution => {
            json!({"type": "code_execution_20250825", "name": "code_execution"})
        }
        _ => return None,
    };
    Some(SentProviderTool::whole(entry))
}

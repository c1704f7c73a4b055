//! What this API ran itself, and what it cites.

use serde_json::Value;
use toolwright_core::message::ProviderActivity;

use super::opaque::{TEXT, kind_of};
use crate::codec::{
    activity::{TextSoFar, citation, is_known, source_of},
    tool_use::{ProviderToolUse, given},
};

/// The activities that a block tells of.
pub(super) fn activities(block: &Value, text: TextSoFar<'_>) -> Vec<ProviderActivity> {
    if kind_of(block) != TEXT {
        let used = tool_use(block);
        let activity = used.map(|used| used.activity(used.input.is_none()));
        return activity.into_iter().collect();
    }
    // All of the text just before (anthropic-python, `types/text_citation.py`).
    let list = block["citations"].as_array().into_iter().flatten();
    let all = list.filter_map(|cited| {
        let quote = cited["cited_text"].as_str().unwrap_or_default();
        let mut source = source_of(cited);
        if let Some(number) = cited["document_index"]
            .as_u64()
            .filter(|_| !is_known(&source))
        {
            // A document without a title is known by its place alone.
            source.title = format!("document {}", number.saturating_add(1));
        }
        citation(source, Some(text.part..text.end), quote)
    });
    all.collect()
}

/// The kind of a tool that has several names.
fn tool_of(name: &str) -> &str {
    match name {
        name if name.ends_with("code_execution") => "code_execution",
        name if name.starts_with("tool_search_tool") => "tool_search",
        name => name,
    }
}

/// The tool that a block is about.
pub(in crate::provider) fn tool_use(block: &Value) -> Option<ProviderToolUse<'_>> {
    let kind = block["type"].as_str()?;
    if kind == "server_tool_use" {
        let name = tool_of(block["name"].as_str().unwrap_or_default());
        return Some(ProviderToolUse {
            input: given(&block["input"]),
            ..ProviderToolUse::new(name, &block["id"])
        });
    }
    if kind == "mcp_tool_use" {
        return Some(ProviderToolUse {
            name: block["name"].as_str().unwrap_or_default(),
            input: given(&block["input"]),
            ..ProviderToolUse::new("mcp", &block["id"])
        });
    }
    let name = kind.strip_suffix("_tool_result")?;
    let name = if name == "tool_search" {
        name
    } else {
        tool_of(name)
    };
    let content = &block["content"];
    let failed = content["type"]
        .as_str()
        .is_some_and(|kind| kind.ends_with("_error"));
    let failed = failed || block["is_error"] == true;
    Some(ProviderToolUse {
        output: given(content),
        failed,
        ..ProviderToolUse::new(name, &block["tool_use_id"])
    })
}

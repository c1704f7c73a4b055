//! What this API ran itself, and what it cites.

use serde_json::{Value, json};
use toolwright_core::message::{ProviderActivity, ToolActivity};

use crate::codec::{
    activity::{CITATIONS, SOURCES, TextSoFar, citation, is_known, short, source_of},
    tool_use::{ProviderToolUse, given},
};

/// The activities that a part tells of.
pub(super) fn activities(part: &Value) -> Vec<ProviderActivity> {
    let used = tool_use(part);
    let activity = used.map(|used| used.activity(used.input.is_none()));
    activity.into_iter().collect()
}

/// The activities that the grounding of a response tells of (ai.google.dev, "Grounding with Google Search").
pub(super) fn grounding(value: &Value, text: TextSoFar<'_>) -> Vec<ProviderActivity> {
    let list = |name: &str| {
        value[name]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default()
    };
    let chunks = list("groundingChunks");
    let source = |chunk: &Value| {
        let kinds = ["web", "retrievedContext", "maps"].into_iter();
        kinds
            .filter_map(|kind| given(&chunk[kind]))
            .map(source_of)
            .next()
    };
    let mut all = Vec::new();
    let queries = list("webSearchQueries").iter().filter_map(Value::as_str);
    let queries: Vec<_> = queries.collect();
    if !queries.is_empty() {
        let found = chunks.iter().filter_map(|chunk| given(&chunk["web"]));
        let (input, output) = (
            json!({"query": queries.join("; ")}),
            found.cloned().collect(),
        );
        let mut used = ProviderToolUse::new("web_search", &Value::Null);
        (used.input, used.output) = (Some(&input), Some(&output));
        all.push(used.activity(true));
    }
    for support in list("groundingSupports") {
        let segment = &support["segment"];
        let place = |name: &str| {
            segment[name]
                .as_u64()
                .and_then(|place| place.try_into().ok())
        };
        // The places are those of bytes, in the part of this number.
        let is_first = segment["partIndex"].as_u64().unwrap_or_default() == 0;
        let end = place("endIndex").filter(|end| is_first && *end <= text.end);
        let range = end.map(|end| place("startIndex").unwrap_or_default()..end);
        let numbers = support["groundingChunkIndices"]
            .as_array()
            .into_iter()
            .flatten();
        let cited =
            numbers.filter_map(|number| chunks.get(usize::try_from(number.as_u64()?).ok()?));
        let sources = cited.filter_map(source).filter(is_known);
        let citations = sources.filter_map(|source| citation(source, range.clone(), ""));
        all.extend(citations.take(CITATIONS.saturating_sub(all.len())));
    }
    all
}

/// The pages that the model has read, or could not (ai.google.dev, "URL context").
pub(super) fn url_context(value: &Value) -> Vec<ProviderActivity> {
    let pages = value["urlMetadata"].as_array().into_iter().flatten();
    let pages: Vec<_> = pages
        .filter_map(|page| {
            let status = page["urlRetrievalStatus"].as_str().unwrap_or_default();
            Some((page["retrievedUrl"].as_str()?, source_of(page), status))
        })
        .take(SOURCES)
        .collect();
    if pages.is_empty() {
        return Vec::new();
    }
    let is_read = |status: &str| matches!(status, "" | "URL_RETRIEVAL_STATUS_SUCCESS");
    let mut tool = ToolActivity::new("url_context");
    let addresses: Vec<_> = pages.iter().map(|(address, ..)| *address).collect();
    tool.input = short(&addresses.join("\n"));
    let unread = pages.iter().find(|(.., status)| !is_read(status));
    tool.error = unread.map_or_else(String::new, |(.., status)| short(status));
    let read = pages.into_iter().filter(|(.., status)| is_read(status));
    tool.sources = read.map(|(_, source, _)| source).collect();
    tool.failed = tool.sources.is_empty();
    tool.is_over = true;
    vec![ProviderActivity::Tool(tool)]
}

/// The tool that a part is about.
pub(in crate::provider) fn tool_use(part: &Value) -> Option<ProviderToolUse<'_>> {
    if let Some(code) = given(&part["executableCode"]) {
        return Some(ProviderToolUse {
            input: Some(code),
            ..ProviderToolUse::new("code_execution", &code["id"])
        });
    }
    if let Some(call) = given(&part["toolCall"]) {
        return Some(ProviderToolUse {
            input: given(&call["args"]),
            ..ProviderToolUse::new(kind_of(call), &call["id"])
        });
    }
    if let Some(response) = given(&part["toolResponse"]) {
        return Some(ProviderToolUse {
            output: given(&response["response"]),
            ..ProviderToolUse::new(kind_of(response), &response["id"])
        });
    }
    let result = given(&part["codeExecutionResult"])?;
    Some(ProviderToolUse {
        output: Some(result),
        failed: result["outcome"]
            .as_str()
            .is_some_and(|outcome| outcome != "OUTCOME_OK"),
        ..ProviderToolUse::new("code_execution", &result["id"])
    })
}

/// The kind of a tool that runs beside functions (ai.google.dev, "Tool combination").
fn kind_of(tool: &Value) -> &str {
    match tool["toolType"].as_str().unwrap_or_default() {
        kind if kind.starts_with("GOOGLE_SEARCH") => "web_search",
        "FILE_SEARCH" => "file_search",
        "CODE_EXECUTION" => "code_execution",
        "URL_CONTEXT" => "url_context",
        kind => kind,
    }
}

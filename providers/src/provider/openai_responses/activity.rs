//! What this API ran itself, and what it cites.

use serde_json::Value;
use toolwright_core::message::ProviderActivity;

use super::item::{CUSTOM_CALL, MESSAGE, RUN_BY_SERVER, asks_the_program, is_commentary, kind_of};
use crate::codec::{
    activity::{CITATIONS, TextSoFar, citation, source_of},
    places::Places,
    tool_use::{ProviderToolUse, given},
};

/// The activities that an item tells of.
pub(super) fn activities(item: &Value, text: TextSoFar<'_>) -> Vec<ProviderActivity> {
    if kind_of(item) != MESSAGE {
        let used = tool_use(item);
        // An item comes when it is whole. The output of a shell is another one.
        let is_over = kind_of(item) != SHELL;
        return used
            .map(|used| used.activity(is_over))
            .into_iter()
            .collect();
    }
    let is_answer = !is_commentary(item);
    let mut all = Vec::new();
    let mut start = text.part;
    for part in item["content"].as_array().into_iter().flatten() {
        let words = part["text"].as_str().unwrap_or_default();
        let (begin, end) = (start, start + words.len());
        start = end;
        let list = part["annotations"].as_array().into_iter().flatten();
        let mut places = None;
        let citations = list.filter_map(|cited| {
            let places = places.get_or_insert_with(|| Places::of(words));
            let range = places
                .bytes_of(cited)
                .filter(|_| is_answer && end <= text.end);
            let range = range.map(|range| begin + range.start..begin + range.end);
            citation(source_of(cited), range, "")
        });
        all.extend(citations.take(CITATIONS.saturating_sub(all.len())));
    }
    all
}

/// The tool that an item is about.
pub(in crate::provider) fn tool_use(item: &Value) -> Option<ProviderToolUse<'_>> {
    let (kind, input, output) = match item["type"].as_str()? {
        "web_search_call" => ("web_search", &item["action"], &item["action"]["sources"]),
        "code_interpreter_call" => ("code_execution", &item["code"], &item["outputs"]),
        "file_search_call" => ("file_search", &item["queries"], &item["results"]),
        "image_generation_call" => ("image_generation", &Value::Null, &item["result"]),
        "tool_search_call" => ("tool_search", &item["arguments"], &Value::Null),
        "tool_search_output" => ("tool_search", &Value::Null, &item["tools"]),
        "mcp_list_tools" => ("mcp_list_tools", &Value::Null, &item["tools"]),
        "mcp_call" => ("mcp", &item["arguments"], &item["output"]),
        // One that only the program can run is no activity of the provider.
        SHELL if !asks_the_program(SHELL, item.as_object()?) => {
            ("shell", &item["action"], &Value::Null)
        }
        "shell_call_output" => ("shell", &Value::Null, &item["output"]),
        CUSTOM_CALL if is_search_of_x(item) => ("x_search", &item["input"], &Value::Null),
        _ => return None,
    };
    let name = match kind {
        "mcp_list_tools" => &item["server_label"],
        "mcp" | "x_search" => &item["name"],
        _ => &Value::Null,
    };
    let id = match kind {
        // Its output has an id of its own.
        "shell" => &item["call_id"],
        _ => &item["id"],
    };
    let has_error = given(&item["error"]).is_some();
    Some(ProviderToolUse {
        name: name.as_str().unwrap_or_default(),
        input: given(input),
        output: given(output).or(given(&item["error"])),
        failed: has_error || matches!(item["status"].as_str(), Some("failed" | "incomplete")),
        ..ProviderToolUse::new(kind, id)
    })
}

/// The item of commands that a container of the provider runs (openai-python,
/// `types/responses/response_function_shell_tool_call.py`).
const SHELL: &str = "shell_call";

/// Returns true for a call that xAI has run itself, of one of its tools for X: `x_keyword_search`, `x_user_search`, …
/// (<https://docs.x.ai/developers/tools/overview>).
fn is_search_of_x(item: &Value) -> bool {
    let begins = |field: &str, with| {
        item[field]
            .as_str()
            .is_some_and(|text| text.starts_with(with))
    };
    begins("call_id", RUN_BY_SERVER) && begins("name", "x_")
}

//! What this API ran itself, and what it cites.

use std::ops::Range;

use serde_json::Value;
use toolwright_core::message::ProviderActivity;

use super::item::{MESSAGE, is_commentary, kind_of};
use crate::codec::{
    activity::{CITATIONS, TextSoFar, citation, source_of},
    tool_use::{ProviderToolUse, given},
};

/// The activities that an item tells of.
pub(super) fn activities(item: &Value, text: TextSoFar) -> Vec<ProviderActivity> {
    if kind_of(item) != MESSAGE {
        let used = tool_use(item);
        // An item comes when it is whole.
        return used.map(|used| used.activity(true)).into_iter().collect();
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

/// The places of the characters of a text, in bytes.
struct Places {
    /// None if each character is a byte.
    starts: Option<Vec<usize>>,
    end: usize,
}

impl Places {
    fn of(text: &str) -> Self {
        let starts = || text.char_indices().map(|(byte, _)| byte).collect();
        Self {
            starts: (!text.is_ascii()).then(starts),
            end: text.len(),
        }
    }

    /// The bytes that an annotation is for. Its places are those of characters (openai-python,
    /// `types/responses/response_output_text.py`).
    fn bytes_of(&self, cited: &Value) -> Option<Range<usize>> {
        let byte_at = |name: &str| {
            let place = usize::try_from(cited[name].as_u64()?).ok()?;
            match &self.starts {
                None => (place <= self.end).then_some(place),
                Some(starts) if place == starts.len() => Some(self.end),
                Some(starts) => starts.get(place).copied(),
            }
        };
        Some(byte_at("start_index")?..byte_at("end_index")?)
    }
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
        _ => return None,
    };
    Some(ProviderToolUse {
        input: given(input),
        output: given(output),
        failed: matches!(item["status"].as_str(), Some("failed" | "incomplete")),
        ..ProviderToolUse::new(kind, &item["id"])
    })
}

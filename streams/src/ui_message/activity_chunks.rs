//! Chunks about what a provider did itself.

use serde::Serialize;
use toolwright_json::JsonText;

use super::chunk::UiMessageChunk;
use toolwright_core::message::{Citation, ProviderActivity, Source, ToolActivity};

/// The chunks of an activity. `scope` makes the id of a tool unique among the calls of the conversation, and `place` is that
/// of the activity in its message.
pub(super) fn chunks(scope: &str, place: &str, activity: &ProviderActivity) -> Vec<UiMessageChunk> {
    match activity {
        ProviderActivity::Tool(tool) => of_tool(scope, place, tool),
        ProviderActivity::Citation(citation) => vec![of_citation(place, citation)],
        _ => Vec::new(),
    }
}

fn of_tool(scope: &str, place: &str, tool: &ToolActivity) -> Vec<UiMessageChunk> {
    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    enum Input<'a> {
        Query(&'a str),
        Code(&'a str),
    }
    #[derive(Serialize)]
    struct Output<'a> {
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        sources: &'a [Source],
        #[serde(skip_serializing_if = "str::is_empty")]
        output: &'a str,
    }
    let id = if tool.id.is_empty() { place } else { &tool.id };
    let tool_call_id = format!("{scope}:provider:{id}");
    let input = match &*tool.kind {
        "code_execution" => Input::Code(&tool.input),
        _ => Input::Query(&tool.input),
    };
    let mut chunks = vec![UiMessageChunk::ToolInputAvailable {
        tool_call_id: tool_call_id.clone(),
        tool_name: tool.kind.clone(),
        input: json(&input),
        provider_executed: Some(true),
    }];
    if tool.failed {
        chunks.push(UiMessageChunk::ToolOutputError {
            tool_call_id,
            error_text: match &*tool.error {
                "" => "The tool of the provider failed.".to_owned(),
                error => format!("The tool of the provider failed: {error}."),
            },
            provider_executed: Some(true),
        });
    } else if tool.is_over {
        chunks.push(UiMessageChunk::ToolOutputAvailable {
            tool_call_id,
            output: json(&Output {
                sources: &tool.sources,
                output: &tool.output,
            }),
            preliminary: None,
            provider_executed: Some(true),
        });
    }
    chunks
}

fn of_citation(place: &str, citation: &Citation) -> UiMessageChunk {
    let (source_id, source) = (format!("source-{place}"), &citation.source);
    if source.url.is_empty() {
        return UiMessageChunk::SourceDocument {
            source_id,
            media_type: "text/plain".to_owned(),
            title: source.title.clone(),
        };
    }
    UiMessageChunk::SourceUrl {
        source_id,
        url: source.url.clone(),
        title: Some(source.title.clone()).filter(|title| !title.is_empty()),
    }
}

fn json(value: &impl Serialize) -> JsonText {
    JsonText::of(value).unwrap_or_else(|_| unreachable!("it has strings for keys"))
}

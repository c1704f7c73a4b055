//! What a response is asked to hold beside its text.

use serde_json::Value;
use toolwright_core::model::ProviderTool;

use crate::codec::{
    body_input::BodyInput,
    openai_models::{self, Reasons},
};

/// What a server that stores nothing has to return, so that reasoning can continue.
const REASONING: &str = "reasoning.encrypted_content";

/// Tools of the server, by the prefix of their types, and the field that has what they have found. Without it a response
/// has a search without its sources, and code without its output (openai-python, `types/responses/response_includable.py`).
const FINDINGS: [(&str, &str); 3] = [
    ("web_search", "web_search_call.action.sources"),
    ("code_interpreter", "code_interpreter_call.outputs"),
    ("file_search", "file_search_call.results"),
];

/// The values of `include`; empty if there are none.
pub(super) fn of_request(asked: BodyInput<'_>) -> Vec<&'static str> {
    let settings = &asked.request.settings;
    let ours = settings
        .provider_tools
        .iter()
        .filter_map(|tool| match tool {
            ProviderTool::WebSearch(_) => Some("web_search"),
            ProviderTool::CodeExecution => Some("code_interpreter"),
            ProviderTool::FileSearch(_) => Some("file_search"),
            _ => None,
        });
    let theirs = settings.extra.get("tools").and_then(Value::as_array);
    let theirs = theirs.into_iter().flatten();
    let theirs = theirs.filter_map(|tool| tool["type"].as_str());
    let types: Vec<_> = ours.chain(theirs).collect();
    let is_on = |prefix: &str| types.iter().any(|name| name.starts_with(prefix));
    let findings = FINDINGS.into_iter().filter(|(prefix, _)| is_on(prefix));
    let findings = findings.filter(|_| asked.quirks.tells_findings());
    let reasons = openai_models::reasons(asked.model) != Reasons::Never;
    let reasoning = reasons.then_some(REASONING);
    let findings = findings.map(|(_, field)| field);
    reasoning.into_iter().chain(findings).collect()
}

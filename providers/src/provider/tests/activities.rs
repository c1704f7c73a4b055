//! What providers run themselves, as people see it.

use serde_json::{Value, json};
use toolwright_core::{
    ModelResponse,
    message::{Citation, Part, ProviderActivity, ToolActivity},
    tool::ToolDefinitions,
};

use crate::provider::{AnthropicCodec, Codec, GeminiCodec, OpenAiResponsesCodec};

fn decoded(codec: &impl Codec, body: &Value) -> ModelResponse {
    codec
        .decode(&ToolDefinitions::default(), body.to_string().as_bytes())
        .expect("is whole")
}

fn responses(item: &Value) -> Vec<ToolActivity> {
    let body = json!({"status": "completed", "output": item});
    tools(&decoded(&OpenAiResponsesCodec::new(), &body))
}

fn anthropic(content: &Value) -> ModelResponse {
    decoded(
        &AnthropicCodec::new(),
        &json!({"content": content, "stop_reason": "end_turn"}),
    )
}

fn tools(response: &ModelResponse) -> Vec<ToolActivity> {
    let all = response.parts.iter().filter_map(|part| match part {
        Part::Activity(activity) => match &**activity {
            ProviderActivity::Tool(tool) => Some(tool.clone()),
            _ => None,
        },
        _ => None,
    });
    all.collect()
}

fn check(tool: &ToolActivity, kind: &str, name: &str, input: &str, output: &str, error: &str) {
    let told = (
        &*tool.kind,
        &*tool.name,
        &*tool.input,
        &*tool.output,
        &*tool.error,
    );
    assert_eq!(told, (kind, name, input, output, error));
}

/// The items of `openai-ai-mcp-tool-approval-4-stream` and `openai-ai-shell-container-1-stream`, cut.
#[test]
fn responses_tell_of_mcp_servers_and_shells() {
    let all = responses(&json!([
        {"id": "mcpl_1", "type": "mcp_list_tools", "server_label": "zip1",
            "tools": [{"name": "create_short_url"}, {"name": "get_url_stats"}]},
        {"id": "mcp_1", "type": "mcp_call", "status": "completed", "arguments": "{\"url\":\"a\"}", "error": null,
            "name": "create_short_url", "output": "Created: b", "server_label": "zip1"},
        {"id": "mcp_2", "type": "mcp_call", "status": "failed", "arguments": "{}", "output": null,
            "error": "no such code", "name": "get_url_stats", "server_label": "zip1"},
        {"id": "sh_1", "type": "shell_call", "status": "completed", "call_id": "call_1",
            "action": {"commands": ["cd a", "ls"]}, "environment": {"type": "container_reference"}},
        {"id": "sho_1", "type": "shell_call_output", "status": "completed", "call_id": "call_1",
            "output": [{"outcome": {"type": "exit", "exit_code": 2}, "stderr": "no a", "stdout": ""}]}
    ]));
    check(
        &all[0],
        "mcp_list_tools",
        "zip1",
        "",
        "create_short_url\nget_url_stats",
        "",
    );
    check(
        &all[1],
        "mcp",
        "create_short_url",
        "{\"url\":\"a\"}",
        "Created: b",
        "",
    );
    assert!(all[1].is_over && !all[1].failed);
    check(&all[2], "mcp", "get_url_stats", "{}", "no such code", "");
    assert!(all[2].failed);
    check(&all[3], "shell", "", "cd a\nls", "", "");
    assert!(!all[3].is_over);
    check(&all[4], "shell", "", "cd a\nls", "no a", "2");
    assert!(all[4].is_over && all[4].failed && all[4].id == all[3].id);
    // The program runs a shell of its own.
    let own = json!([{"type": "shell_call", "call_id": "call_2", "action": {"commands": ["ls"]}}]);
    assert_eq!(responses(&own), []);
}

/// docs.x.ai, "Tools": calls that the server has run come as custom calls.
#[test]
fn a_search_of_x_is_an_activity() {
    let all = responses(
        &json!([{"type": "custom_tool_call", "id": "ctc_1", "call_id": "xs_call_1",
        "name": "x_keyword_search", "input": "{\"query\":\"rust\"}", "status": "completed"}]),
    );
    check(
        &all[0],
        "x_search",
        "x_keyword_search",
        "{\"query\":\"rust\"}",
        "",
        "",
    );
    let custom =
        json!([{"type": "custom_tool_call", "call_id": "call_1", "name": "x_own", "input": "a"}]);
    assert_eq!(responses(&custom), []);
}

#[test]
fn all_queries_and_patterns_are_told() {
    let all = responses(&json!([
        {"type": "file_search_call", "id": "fs_1", "status": "completed", "queries": ["a", "b"],
            "results": [{"file_id": "file_1", "text": "long"}]},
        {"type": "web_search_call", "id": "ws_1", "status": "completed",
            "action": {"type": "find_in_page", "url": "https://a.example", "pattern": "b"}}
    ]));
    check(&all[0], "file_search", "", "a\nb", "", "");
    assert_eq!(all[0].sources[0].title, "file_1");
    check(&all[1], "web_search", "", "b", "", "");
}

/// The blocks of `anthropic-pai-mcp-servers-stream`, cut, and of anthropic-python,
/// `types/web_search_tool_result_error.py` and `types/bash_code_execution_result_block.py`.
#[test]
fn anthropic_tells_of_mcp_servers_and_of_errors() {
    let response = anthropic(&json!([
        {"type": "mcp_tool_use", "id": "mcptoolu_1", "name": "ask", "server_name": "wiki", "input": {"q": "a"}},
        {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_1", "is_error": false,
            "content": [{"type": "text", "text": "b"}]},
        {"type": "mcp_tool_use", "id": "mcptoolu_2", "name": "ask", "server_name": "wiki", "input": {}},
        {"type": "mcp_tool_result", "tool_use_id": "mcptoolu_2", "is_error": true,
            "content": [{"type": "text", "text": "down"}]},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1",
            "content": {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}},
        {"type": "server_tool_use", "id": "srvtoolu_2", "name": "bash_code_execution", "input": {"command": "false"}},
        {"type": "bash_code_execution_tool_result", "tool_use_id": "srvtoolu_2",
            "content": {"type": "bash_code_execution_result", "stdout": "", "stderr": "", "return_code": 1}}
    ]));
    let all = tools(&response);
    check(&all[0], "mcp", "ask", "{\"q\":\"a\"}", "", "");
    check(&all[1], "mcp", "ask", "{\"q\":\"a\"}", "b", "");
    assert!(all[1].is_over && !all[1].failed && all[3].failed);
    check(&all[3], "mcp", "ask", "", "down", "");
    check(&all[5], "web_search", "", "q", "", "max_uses_exceeded");
    check(&all[7], "code_execution", "", "false", "", "1");
    assert!(all[5].failed && all[7].failed);
}

/// anthropic-python, `types/citation_char_location.py` and `types/citations_search_result_location.py`.
#[test]
fn every_citation_names_its_source() {
    let response = anthropic(&json!([{"type": "text", "text": "A.", "citations": [
        {"type": "char_location", "cited_text": "a", "document_index": 1, "document_title": null},
        {"type": "search_result_location", "cited_text": "b", "source": "https://b.example", "title": null,
            "search_result_index": 0}
    ]}]));
    let sources: Vec<_> = Citation::all(&response.parts)
        .map(|cited| cited.source.clone())
        .collect();
    assert_eq!((&*sources[0].title, &*sources[0].url), ("document 2", ""));
    assert_eq!(
        (&*sources[1].title, &*sources[1].url),
        ("", "https://b.example")
    );
}

/// The end of `anthropic-asdk-refusal-response`.
#[test]
fn the_words_of_a_refusal_are_told() {
    let body = json!({"content": [], "stop_reason": "refusal",
        "stop_details": {"type": "refusal", "category": "cyber", "explanation": "Refused due to policy."}});
    let response = decoded(&AnthropicCodec::new(), &body);
    assert_eq!(response.refusal.as_deref(), Some("Refused due to policy."));
    assert_eq!(response.text_or_refusal(), "Refused due to policy.");
}

#[test]
fn pages_that_gemini_has_read_are_an_activity() {
    let body = json!({"candidates": [{"content": {"parts": [{"text": "Hi"}]}, "finishReason": "STOP",
        "urlContextMetadata": {"urlMetadata": [
            {"retrievedUrl": "https://a.example", "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"},
            {"retrievedUrl": "https://b.example", "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_PAYWALL"}]}}]});
    let all = tools(&decoded(&GeminiCodec::new(), &body));
    let [tool] = &all[..] else { panic!("{all:?}") };
    let input = "https://a.example\nhttps://b.example";
    assert_eq!(
        (tool.kind.as_str(), tool.input.as_str()),
        ("url_context", input)
    );
    assert_eq!(tool.error, "URL_RETRIEVAL_STATUS_PAYWALL");
    assert_eq!(
        (tool.sources.len(), &*tool.sources[0].url),
        (1, "https://a.example")
    );
    assert!(tool.is_over && !tool.failed);
}

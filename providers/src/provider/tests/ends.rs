//! What the word for the end means for calls: an unknown one never lets them run in silence.

use toolwright_core::{FinishReason, ModelResponse};

use super::{ANTHROPIC, Decode, GEMINI, OLLAMA, OPENAI_CHAT, OPENAI_RESPONSES, sse};

fn decode(decode: Decode, events: &[&str], reason: &str) -> ModelResponse {
    let events: Vec<_> = events
        .iter()
        .map(|event| event.replace("REASON", reason))
        .collect();
    decode(sse(&events).as_bytes(), usize::MAX)
}

fn gemini(reason: &str) -> ModelResponse {
    let call = r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"look","args":{}}}]},"finishReason":"REASON"}]}"#;
    decode(GEMINI, &[call], reason)
}

fn anthropic(reason: &str) -> ModelResponse {
    let start = r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"look","input":{}}}"#;
    let end = r#"{"type":"message_delta","delta":{"stop_reason":"REASON"}}"#;
    decode(ANTHROPIC, &[start, end], reason)
}

fn responses(reason: &str) -> ModelResponse {
    let end = r#"{"type":"response.completed","response":{"status":"REASON","output":[{"type":"function_call","call_id":"a","name":"look","arguments":"{}"}]}}"#;
    decode(OPENAI_RESPONSES, &[end], reason)
}

fn chat(reason: &str) -> ModelResponse {
    let call = r#"{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"look","arguments":"{}"}}]},"finish_reason":"REASON"}]}"#;
    decode(OPENAI_CHAT, &[call, "[DONE]"], reason)
}

fn warned(reply: &ModelResponse) -> bool {
    reply
        .warnings
        .iter()
        .any(|warning| warning.code == "unknown_finish_reason")
}

#[test]
fn calls_after_an_unknown_end_do_not_run_where_the_words_are_a_list() {
    for decode in [gemini, anthropic, responses] {
        let reply = decode("SOMETHING_NEW");
        assert_eq!(reply.finish_reason, FinishReason::Unknown);
        assert_eq!(reply.tool_calls.len(), 1, "it is kept");
        assert!(!reply.requires_tool_execution());
        assert!(warned(&reply));
    }
    let reply = gemini("OTHER");
    assert!(!reply.requires_tool_execution() && warned(&reply));
}

#[test]
fn calls_run_with_a_warning_where_every_server_has_words_of_its_own() {
    let reply = chat("something_new");
    assert!(reply.requires_tool_execution() && warned(&reply));
    let line = r#"{"message":{"tool_calls":[{"function":{"name":"look","arguments":{}}}]},"done":true,"done_reason":"new"}"#;
    let reply = OLLAMA(line.as_bytes(), usize::MAX);
    assert!(reply.requires_tool_execution() && warned(&reply));
    // What nobody has said is no unknown word.
    let reply = chat("");
    assert!(reply.requires_tool_execution() && !warned(&reply));
}

#[test]
fn google_s_words_have_their_meaning() {
    use FinishReason::{ContentFilter, MalformedCall, Paused};
    for (word, reason) in [
        ("CONTINUATION", Paused),
        ("ESCALATION", ContentFilter),
        ("LANGUAGE", ContentFilter),
        ("PUP_LIMITED_DISABLED", ContentFilter),
        ("MISSING_THOUGHT_SIGNATURE", MalformedCall),
    ] {
        let reply = gemini(word);
        assert_eq!(reply.finish_reason, reason, "{word}");
        assert!(!warned(&reply), "{word}");
    }
}

#[test]
fn words_of_other_servers_have_their_meaning() {
    use FinishReason::{ContentFilter, Length, MalformedCall, ToolCalls};
    for (word, reason) in [
        ("sensitive", ContentFilter),
        ("SAFETY", ContentFilter),
        ("model_context_window_exceeded", Length),
        ("MAX_TOKENS", Length),
        ("tool_use", ToolCalls),
        ("malformed_function_call", MalformedCall),
    ] {
        let reply = chat(word);
        assert_eq!(reply.finish_reason, reason, "{word}");
    }
    assert_eq!(
        anthropic("guardrail_intervened").finish_reason,
        ContentFilter
    );
}

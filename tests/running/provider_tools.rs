//! Tools that the provider runs itself: what each codec sends, and what comes back.

use serde_json::{Value, json};
use toolwright::{
    Conversation, Message, ModelResponse,
    message::{Citation, Part, ProviderActivity, ToolActivity},
    model::{
        FileSearch, ModelErrorKind, ModelRequest, ModelSettings, ProviderTool, ToolChoice, Warning,
        WebSearch,
    },
    provider::{
        AnthropicCodec, Codec, EncodeInput, GeminiCodec, OllamaCodec, OpenAiChatCodec,
        OpenAiResponsesCodec, ProviderToolUse,
    },
    tool,
    tool::ToolDefinitions,
    toolset,
};

/// Get the weather of a city.
#[tool(read_only)]
fn get_weather(city: String) -> String {
    city
}

fn settings() -> ModelSettings {
    let search = WebSearch::new()
        .with_max_uses(3)
        .with_allowed_domains(["rust-lang.org"]);
    ModelSettings::new()
        .with_provider_tool(search)
        .with_provider_tool(ProviderTool::CodeExecution)
        .with_provider_tool(FileSearch::new(["vs_1"]).with_max_results(4))
}

fn request(with_tools: bool) -> ModelRequest {
    let request = ModelRequest::new([Message::user("What is new?")]).with_settings(settings());
    if with_tools {
        return request.with_tools(toolset![get_weather].definitions().cloned());
    }
    request
}

fn body(encoded: &[u8]) -> Value {
    serde_json::from_slice(encoded).expect("is JSON")
}

fn told(warnings: &[Warning]) -> Vec<(&str, &str)> {
    let all = warnings.iter();
    all.map(|warning| (&*warning.code, &*warning.message))
        .collect()
}

#[test]
fn they_are_settings_that_are_stored() {
    let stored = serde_json::to_value(settings()).expect("serialises");
    assert_eq!(
        stored["provider_tools"][1],
        json!({"type": "code_execution"})
    );
    let read: ModelSettings = serde_json::from_value(stored).expect("is the same");
    assert_eq!(read, settings());
    assert_eq!(
        serde_json::to_value(ModelSettings::new()).expect("serialises"),
        json!({})
    );
}

#[test]
fn anthropic_searches_the_web_and_runs_code() {
    let search = json!({"type": "web_search_20250305", "name": "web_search", "max_uses": 3,
        "allowed_domains": ["rust-lang.org"]});
    let code = json!({"type": "code_execution_20250825", "name": "code_execution"});
    let sent = body(
        &AnthropicCodec::new()
            .encode(EncodeInput::new("claude", &request(false)))
            .expect("can be sent"),
    );
    assert_eq!(sent["tools"], json!([search, code]));
    let sent = body(
        &AnthropicCodec::new()
            .encode(EncodeInput::new("claude", &request(true)))
            .expect("can be sent"),
    );
    assert_eq!(sent["tools"][0]["name"], "get_weather");
    assert_eq!(sent["tools"][1], search);
    // A choice of none holds for them as well.
    let none = request(false).with_tool_choice(ToolChoice::None);
    let sent = body(
        &AnthropicCodec::new()
            .encode(EncodeInput::new("claude", &none))
            .expect("can be sent"),
    );
    assert_eq!(sent["tool_choice"], json!({"type": "none"}));
    let warnings = AnthropicCodec::new().warnings(&request(true));
    let ignored = "Anthropic has no tool `file_search`; it is not sent";
    assert_eq!(told(&warnings), [("provider_tool_ignored", ignored)]);
}

#[test]
fn openai_has_all_of_them() {
    let all = json!([
        {"type": "web_search", "filters": {"allowed_domains": ["rust-lang.org"]}},
        {"type": "code_interpreter", "container": {"type": "auto"}},
        {"type": "file_search", "vector_store_ids": ["vs_1"], "max_num_results": 4},
    ]);
    let sent = body(
        &OpenAiResponsesCodec::new()
            .encode(EncodeInput::new("gpt", &request(false)))
            .expect("can be sent"),
    );
    assert_eq!(sent["tools"], all);
    let none = request(false).with_tool_choice(ToolChoice::None);
    let sent = body(
        &OpenAiResponsesCodec::new()
            .encode(EncodeInput::new("gpt", &none))
            .expect("can be sent"),
    );
    assert_eq!(sent["tool_choice"], "none");
    let sent = body(
        &OpenAiResponsesCodec::new()
            .encode(EncodeInput::new("gpt", &request(true)))
            .expect("can be sent"),
    );
    assert_eq!(sent["tools"].as_array().map(Vec::len), Some(4));
    let warnings = OpenAiResponsesCodec::new().warnings(&request(true));
    let changed =
        "OpenAI Responses does not accept `max_uses` of `web_search`; the tool is sent without";
    assert_eq!(told(&warnings), [("provider_tool_changed", changed)]);
}

#[test]
fn gemini_has_all_of_them() {
    let all = [
        json!({"googleSearch": {}}),
        json!({"codeExecution": {}}),
        json!({"fileSearch": {"fileSearchStoreNames": ["vs_1"], "topK": 4}}),
    ];
    let sent = body(
        &GeminiCodec::new()
            .encode(EncodeInput::new("gemini", &request(false)))
            .expect("can be sent"),
    );
    assert_eq!(sent["tools"], json!(all));
    assert_eq!(sent.get("toolConfig"), None);
    let sent = body(
        &GeminiCodec::new()
            .encode(EncodeInput::new("gemini", &request(true)))
            .expect("can be sent"),
    );
    assert_eq!(
        sent["tools"][0]["functionDeclarations"][0]["name"],
        "get_weather"
    );
    assert_eq!(
        sent["tools"].as_array().map(|tools| &tools[1..]),
        Some(&all[..])
    );
    assert_eq!(
        sent["toolConfig"],
        json!({"includeServerSideToolInvocations": true})
    );
    // Its choice of none holds for functions alone.
    let none = request(true).with_tool_choice(ToolChoice::None);
    let sent = body(
        &GeminiCodec::new()
            .encode(EncodeInput::new("gemini", &none))
            .expect("can be sent"),
    );
    assert_eq!(sent["tools"].as_array().map(Vec::len), Some(1));
    let warnings = GeminiCodec::new().warnings(&request(true));
    let changed = "Gemini does not accept `max_uses` and `allowed_domains` of `web_search`; the tool is sent without";
    assert_eq!(told(&warnings), [("provider_tool_changed", changed)]);
}

#[test]
fn others_send_none_and_say_so() {
    let sent = body(
        &OpenAiChatCodec::new()
            .encode(EncodeInput::new("gpt", &request(false)))
            .expect("can be sent"),
    );
    assert_eq!(sent.get("tools"), None);
    let sent = body(
        &OllamaCodec::new()
            .encode(EncodeInput::new("llama", &request(true)))
            .expect("can be sent"),
    );
    assert_eq!(sent["tools"].as_array().map(Vec::len), Some(1));
    let chat = OpenAiChatCodec::new().warnings(&request(true));
    let ollama = OllamaCodec::new().warnings(&request(true));
    for warnings in [chat, ollama] {
        let codes: Vec<_> = told(&warnings).into_iter().map(|(code, _)| code).collect();
        assert_eq!(codes, ["provider_tool_ignored"; 3]);
    }
    let plain = ModelRequest::new([Message::user("Hello.")]);
    assert_eq!(told(&OpenAiChatCodec::new().warnings(&plain)), []);
}

/// The conversation after a response and another question.
fn after(reply: ModelResponse) -> ModelRequest {
    let mut conversation = Conversation::new();
    conversation.push_user("What is new?");
    conversation.push_response(reply);
    conversation.push_user("And before?");
    conversation.request().with_settings(settings())
}

fn uses(reply: &ModelResponse) -> Vec<(String, String, bool, bool, bool)> {
    let all = ProviderToolUse::all(&reply.parts);
    let row = |tool: ProviderToolUse<'_>| {
        let (input, output) = (tool.input.is_some(), tool.output.is_some());
        (
            tool.kind.to_owned(),
            tool.id.to_owned(),
            input,
            output,
            tool.failed,
        )
    };
    all.map(row).collect()
}

#[test]
fn what_anthropic_ran_is_kept_and_shown() {
    let content = json!([
        {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "Rust"}},
        {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": [
            {"type": "web_search_result", "url": "https://rust-lang.org", "title": "Rust",
             "encrypted_content": "abc"}]},
        {"type": "server_tool_use", "id": "srv_2", "name": "bash_code_execution", "input": {"command": "ls"}},
        {"type": "bash_code_execution_tool_result", "tool_use_id": "srv_2", "content":
            {"type": "bash_code_execution_tool_result_error", "error_code": "unavailable"}},
        {"type": "text", "text": "Rust 1.95."},
    ]);
    let reply = json!({"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"});
    let reply = AnthropicCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response");
    assert_eq!(reply.text, "Rust 1.95.");
    assert!(reply.tool_calls.is_empty());
    let row = |kind: &str, id: &str, input, output, failed| {
        (kind.to_owned(), id.to_owned(), input, output, failed)
    };
    assert_eq!(
        uses(&reply),
        [
            row("web_search", "srv_1", true, false, false),
            row("web_search", "srv_1", false, true, false),
            row("code_execution", "srv_2", true, false, false),
            row("code_execution", "srv_2", false, true, true),
        ]
    );
    let all: Vec<_> = ProviderToolUse::all(&reply.parts).collect();
    assert_eq!((all[0].query(), all[0].code()), (Some("Rust"), None));
    assert_eq!(all[2].code(), Some("ls"));
    let told = activities(&reply);
    let over = |tool: &ToolActivity| (tool.input.clone(), tool.sources.len(), tool.is_over);
    let told: Vec<_> = told.iter().map(over).collect();
    let row = |input: &str, sources, is_over| (input.to_owned(), sources, is_over);
    assert_eq!(
        told,
        [
            row("Rust", 0, false),
            row("Rust", 1, true),
            row("ls", 0, false),
            row("ls", 0, true)
        ]
    );
    let sent = body(
        &AnthropicCodec::new()
            .encode(EncodeInput::new("claude", &after(reply)))
            .expect("can be sent"),
    );
    assert_eq!(sent["messages"][1]["content"], content);
}

fn activities(reply: &ModelResponse) -> Vec<ToolActivity> {
    let tool = |part: &Part| match part {
        Part::Activity(activity) => match &**activity {
            ProviderActivity::Tool(tool) => Some(tool.clone()),
            _ => None,
        },
        _ => None,
    };
    reply.parts.iter().filter_map(tool).collect()
}

/// The citations of a response: the address, and the text that it is for.
fn cited(reply: &ModelResponse) -> Vec<(String, Option<&str>)> {
    let all = Citation::all(&reply.parts);
    let row = |citation: &Citation| {
        let range = citation.range.clone();
        let text = range.map(|range| reply.text.get(range).expect("is in the text"));
        (citation.source.url.clone(), text)
    };
    all.map(row).collect()
}

#[test]
fn citations_of_anthropic_are_for_the_text_just_before() {
    let location = json!({"type": "web_search_result_location", "url": "https://rust-lang.org",
        "title": "Rust", "cited_text": "It is fast.", "encrypted_index": "abc"});
    let content = json!([
        {"type": "text", "text": "Löwe: "},
        {"type": "text", "text": "Rust is fast.", "citations": [location]},
        {"type": "text", "text": " So it is."},
    ]);
    let reply = json!({"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"});
    let reply = AnthropicCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response");
    let url = "https://rust-lang.org".to_owned();
    assert_eq!(cited(&reply), [(url, Some("Rust is fast."))]);
    let citation = Citation::all(&reply.parts).next().expect("there is one");
    assert_eq!(
        (&*citation.source.title, &*citation.quote),
        ("Rust", "It is fast.")
    );
    let sent = body(
        &AnthropicCodec::new()
            .encode(EncodeInput::new("claude", &after(reply)))
            .expect("can be sent"),
    );
    assert_eq!(sent["messages"][1]["content"], content);
}

#[test]
fn citations_of_gemini_are_those_of_the_grounding() {
    let grounding = json!({"webSearchQueries": ["Rust", "Löwe"],
        "groundingChunks": [{"web": {"uri": "https://a.org", "title": "A"}}, {"web": {"uri": "https://b.org"}}],
        "groundingSupports": [
            {"segment": {"startIndex": 7, "endIndex": 20, "text": "Rust is fast."}, "groundingChunkIndices": [1, 0, 7]},
            {"segment": {"endIndex": 700}, "groundingChunkIndices": [0]}]});
    let reply = json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "Löwe: Rust is fast."}]},
        "finishReason": "STOP", "groundingMetadata": grounding}]});
    let reply = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response");
    let row = |url: &str, text| (url.to_owned(), text);
    let fast = Some("Rust is fast.");
    assert_eq!(
        cited(&reply),
        [
            row("https://b.org", fast),
            row("https://a.org", fast),
            row("https://a.org", None)
        ]
    );
    let told = activities(&reply);
    assert_eq!(told.len(), 1);
    assert_eq!((&*told[0].input, told[0].sources.len()), ("Rust; Löwe", 2));
    assert_eq!(reply.metadata["groundingMetadata"], grounding);
}

#[test]
fn citations_are_bounded_and_name_whole_characters() {
    let support = json!({"segment": {"endIndex": 2}, "groundingChunkIndices": vec![0; 5_000]});
    let grounding = json!({"groundingChunks": [{"web": {"uri": "https://a.org"}}],
        "groundingSupports": [support.clone(), support]});
    let reply = json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "Löwe"}]},
        "finishReason": "STOP", "groundingMetadata": grounding}]});
    let reply = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response");
    let cited = cited(&reply);
    assert_eq!(cited.len(), 1_000);
    // The place is within a character.
    assert!(cited.iter().all(|(_, text)| text.is_none()));
}

#[test]
fn a_search_is_told_beside_code_that_ran() {
    let reply = json!({"candidates": [{"content": {"role": "model", "parts": [
            {"executableCode": {"language": "PYTHON", "code": "print(1)"}},
            {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}},
            {"text": "One."}]},
        "finishReason": "STOP", "groundingMetadata": {"webSearchQueries": ["one"]}}]});
    let reply = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response");
    let told = activities(&reply);
    let kinds: Vec<_> = told.iter().map(|tool| &*tool.kind).collect();
    assert_eq!(kinds, ["code_execution", "web_search"]);
}

#[test]
fn citations_of_chat_completions_have_their_places() {
    let annotation = json!({"type": "url_citation", "url_citation":
        {"url": "https://a.org", "title": "A", "start_index": 0, "end_index": 2}});
    let reply = json!({"choices": [{"index": 0, "finish_reason": "stop", "message":
        {"role": "assistant", "content": "It is.", "annotations": [annotation]}}]});
    let reply = OpenAiChatCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response");
    let place = Some("It");
    assert_eq!(cited(&reply), [("https://a.org".to_owned(), place)]);
}

#[test]
fn what_openai_ran_is_kept_and_shown() {
    let items = json!([
        {"type": "web_search_call", "id": "ws_1", "status": "completed",
         "action": {"type": "search", "query": "Rust"}},
        {"type": "code_interpreter_call", "id": "ci_1", "status": "failed", "container_id": "cntr_1",
         "code": "1 + 1", "outputs": [{"type": "logs", "logs": "2"}]},
        {"type": "file_search_call", "id": "fs_1", "status": "completed", "queries": ["Rust"], "results": null},
    ]);
    let mut output = items.as_array().cloned().expect("is a list");
    output.push(
        json!({"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "Rust 1.95.", "annotations": [
            {"type": "url_citation", "url": "https://rust-lang.org", "title": "Rust",
             "start_index": 0, "end_index": 4}]}]}),
    );
    let reply = json!({"object": "response", "status": "completed", "output": output});
    let reply = OpenAiResponsesCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response");
    assert_eq!(reply.text, "Rust 1.95.");
    let row = |kind: &str, id: &str, input, output, failed| {
        (kind.to_owned(), id.to_owned(), input, output, failed)
    };
    assert_eq!(
        uses(&reply),
        [
            row("web_search", "ws_1", true, false, false),
            row("code_execution", "ci_1", true, true, true),
            row("file_search", "fs_1", true, false, false),
        ]
    );
    let all: Vec<_> = ProviderToolUse::all(&reply.parts).collect();
    assert_eq!(
        cited(&reply),
        [("https://rust-lang.org".to_owned(), Some("Rust"))]
    );
    let told = activities(&reply);
    assert_eq!(
        (&*told[1].output, told[1].failed, told[2].is_over),
        ("2", true, true)
    );
    assert_eq!(all[1].code(), Some("1 + 1"));
    assert_eq!(all[2].query(), Some("Rust"));
    let sent = body(
        &OpenAiResponsesCodec::new()
            .encode(EncodeInput::new("gpt", &after(reply)))
            .expect("can be sent"),
    );
    for (place, item) in items.as_array().into_iter().flatten().enumerate() {
        assert_eq!(sent["input"][place + 1], *item);
    }
    assert_eq!(
        sent["input"][4]["content"][0]["annotations"][0]["type"],
        "url_citation"
    );
}

#[test]
fn what_gemini_ran_is_kept_and_shown() {
    let parts = json!([
        {"executableCode": {"language": "PYTHON", "code": "print(2)", "id": "c1"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2\n", "id": "c1"}},
        {"text": "It is 2."},
    ]);
    let reply = json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]});
    let reply = GeminiCodec::new()
        .decode(&ToolDefinitions::default(), reply.to_string().as_bytes())
        .expect("is a response");
    let all: Vec<_> = ProviderToolUse::all(&reply.parts).collect();
    assert_eq!(all.len(), 2);
    assert_eq!((all[0].code(), all[0].id), (Some("print(2)"), "c1"));
    assert_eq!((all[1].output.is_some(), all[1].failed), (true, false));
    let sent = body(
        &GeminiCodec::new()
            .encode(EncodeInput::new("gemini", &after(reply)))
            .expect("can be sent"),
    );
    assert_eq!(sent["contents"][1]["parts"], parts);
}

/// A list with a name twice is refused, and so is a search with both lists of domains.
#[test]
fn nothing_is_sent_that_a_provider_refuses() {
    /// Search the web.
    #[tool(read_only)]
    fn web_search(query: String) -> String {
        query
    }
    let settings = ModelSettings::new()
        .with_provider_tool(ProviderTool::CodeExecution)
        .with_provider_tool(ProviderTool::CodeExecution)
        .with_provider_tool(WebSearch::new());
    let request = ModelRequest::new([Message::user("Hello.")]).with_settings(settings);
    let code = json!({"type": "code_execution_20250825", "name": "code_execution"});
    let named = request
        .clone()
        .with_tools(toolset![web_search].definitions().cloned());
    let sent = body(
        &AnthropicCodec::new()
            .encode(EncodeInput::new("claude", &named))
            .expect("can be sent"),
    );
    assert_eq!(
        sent["tools"].as_array().map(|tools| &tools[1..]),
        Some(&[code][..])
    );
    let warnings = AnthropicCodec::new().warnings(&named);
    let twice = "`code_execution` is set more than once; only the first is sent";
    let name = "a tool of the program has the name of the tool `web_search` of Anthropic, which is not sent";
    let ignored = "provider_tool_ignored";
    assert_eq!(told(&warnings), [(ignored, twice), (ignored, name)]);
    let sent = body(
        &OpenAiResponsesCodec::new()
            .encode(EncodeInput::new("gpt", &named))
            .expect("can be sent"),
    );
    assert_eq!(sent["tools"].as_array().map(Vec::len), Some(3));

    let search = WebSearch::new()
        .with_allowed_domains(["a.org", "b.org"])
        .with_blocked_domains(["b.org", "c.org"]);
    let both = ModelSettings::new().with_provider_tool(search);
    let both = ModelRequest::new([Message::user("Hello.")]).with_settings(both);
    let sent = body(
        &AnthropicCodec::new()
            .encode(EncodeInput::new("claude", &both))
            .expect("can be sent"),
    );
    assert_eq!(sent["tools"][0]["allowed_domains"], json!(["a.org"]));
    assert_eq!(sent["tools"][0].get("blocked_domains"), None);
    let warnings = AnthropicCodec::new().warnings(&both);
    let changed =
        "Anthropic does not accept `blocked_domains` of `web_search`; the tool is sent without";
    assert_eq!(told(&warnings), [("provider_tool_changed", changed)]);
}

#[test]
fn xai_keeps_a_search_from_some_domains() {
    let search = |search: WebSearch| {
        let settings = ModelSettings::new().with_provider_tool(search);
        ModelRequest::new([Message::user("Hello.")]).with_settings(settings)
    };
    let blocked = search(WebSearch::new().with_blocked_domains(["a.org"]));
    let codec = OpenAiResponsesCodec::new();
    let at_xai = EncodeInput::new("grok-4", &blocked).with_server("api.x.ai");
    let sent = body(&codec.encode(at_xai).expect("is written"));
    assert_eq!(
        sent["tools"][0]["filters"],
        json!({"excluded_domains": ["a.org"]})
    );
    assert_eq!(codec.warnings_at(at_xai), []);
    // One of the lists may be sent.
    let both = search(
        WebSearch::new()
            .with_blocked_domains(["a.org"])
            .with_allowed_domains(["b.org"]),
    );
    let at_xai = EncodeInput::new("grok-4", &both).with_server("api.x.ai");
    let sent = body(&codec.encode(at_xai).expect("is written"));
    assert_eq!(
        sent["tools"][0]["filters"],
        json!({"allowed_domains": ["b.org"]})
    );
    assert_eq!(codec.warnings_at(at_xai).len(), 1);
    let elsewhere = EncodeInput::new("gpt", &blocked).with_server("api.openai.com");
    assert_eq!(codec.warnings_at(elsewhere).len(), 1);
}

#[test]
fn an_older_gemini_is_not_asked_for_both_kinds_of_tools() {
    let codec = GeminiCodec::new();
    let encoded =
        |model: &str, request: &ModelRequest| codec.encode(EncodeInput::new(model, request));
    let both = request(true);
    let error = encoded("gemini-2.5-flash", &both).expect_err("is refused");
    assert_eq!(error.kind, ModelErrorKind::InvalidRequest);
    assert!(error.message.contains("from version 3 on"), "{error}");
    for (model, request) in [
        ("gemini-3-pro-preview", &both),
        ("gemini-flash-latest", &both),
        ("gemini-2.5-flash", &request(false)),
        (
            "gemini-2.5-flash",
            &both.clone().with_tool_choice(ToolChoice::None),
        ),
    ] {
        encoded(model, request).expect("is written");
    }
}

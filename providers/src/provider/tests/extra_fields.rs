//! What a user's extra fields do to fields of ours: they are joined, in every protocol.

use serde_json::{Value, json};
use toolwright_core::{
    Conversation, Message, ModelRequest, ModelResponse, ModelSettings, Schema, ToolCall,
    ToolDefinition, ToolResult,
    model::{ModelErrorKind, ProviderTool, WebSearch},
};

use crate::provider::{
    AnthropicCodec, Codec, EncodeInput, GeminiCodec, OllamaCodec, OpenAiChatCodec,
    OpenAiResponsesCodec,
};

const OPENAI: &str = "api.openai.com";

fn sent(codec: &impl Codec, model: &str, server: &str, request: &ModelRequest) -> Value {
    let input = EncodeInput::new(model, request).with_server(server);
    let body = codec.encode(input.streamed()).expect("is sent");
    serde_json::from_slice(&body).expect("is JSON")
}

fn asked(settings: ModelSettings) -> ModelRequest {
    let tools = ["look", "ask"].map(|name| {
        let schema = Schema::from_text(r#"{"type":"object"}"#).expect("is JSON");
        ToolDefinition::new(name, "Does.", schema)
    });
    let request = ModelRequest::new([Message::user("Hi")]);
    request.with_tools(tools).with_settings(settings)
}

/// The names and types of the tools of a body.
fn names(body: &Value) -> Vec<String> {
    let entries = body["tools"].as_array().expect("is an array");
    let of = |entry: &Value| {
        let texts = [&entry["name"], &entry["function"]["name"], &entry["type"]];
        let mut texts = texts.into_iter().filter_map(Value::as_str);
        texts.next().unwrap_or("an object").to_owned()
    };
    let all = entries
        .iter()
        .flat_map(|entry| match &entry["functionDeclarations"] {
            Value::Array(declared) => declared.iter().map(of).collect(),
            _ => vec![of(entry)],
        });
    all.collect()
}

#[test]
fn a_tool_of_the_users_own_stands_beside_ours() {
    fn check(codec: &impl Codec, own: Value, expected: &[&str]) {
        let request = asked(ModelSettings::new().with_extra("tools", own));
        assert_eq!(names(&sent(codec, "gemini-3-pro", "", &request)), expected);
    }
    let hosted = json!([{"type": "x_search"}]);
    let all = ["look", "ask", "x_search"];
    check(&OpenAiResponsesCodec::new(), hosted.clone(), &all);
    check(&OpenAiChatCodec::new(), hosted.clone(), &all);
    check(&AnthropicCodec::new(), hosted.clone(), &all);
    check(&OllamaCodec::new(), hosted, &all);
    check(
        &GeminiCodec::new(),
        json!([{"urlContext": {}}]),
        &["look", "ask", "an object"],
    );
    // One of our name replaces ours.
    let flat = json!([{"name": "look", "description": "Mine."}]);
    check(&OpenAiResponsesCodec::new(), flat.clone(), &["ask", "look"]);
    check(&AnthropicCodec::new(), flat.clone(), &["ask", "look"]);
    let nested = json!([{"type": "function", "function": {"name": "look"}}]);
    check(&OpenAiChatCodec::new(), nested.clone(), &["ask", "look"]);
    check(&OllamaCodec::new(), nested, &["ask", "look"]);
    // Gemini takes all functions in one entry.
    let declared = json!([{"functionDeclarations": flat}, {"urlContext": {}}]);
    let request = asked(ModelSettings::new().with_extra("tools", declared));
    let body = sent(&GeminiCodec::new(), "gemini-3-pro", "", &request);
    assert_eq!(names(&body), ["ask", "look", "an object"]);
    assert_eq!(body["tools"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_hosted_tool_of_ours_stays_as_well() {
    let settings = ModelSettings::new()
        .with_provider_tool(WebSearch::new())
        .with_extra("tools", json!([{"type": "x_search"}]));
    let body = sent(
        &OpenAiResponsesCodec::new(),
        "gpt-5.1",
        OPENAI,
        &asked(settings),
    );
    assert_eq!(names(&body), ["look", "ask", "web_search", "x_search"]);
}

#[test]
fn objects_and_arrays_are_joined() {
    let settings = || ModelSettings::new().with_stop_sequences(["END"]);
    let own = settings().with_extra("stream_options", json!({"include_obfuscation": false}));
    let body = sent(&OpenAiChatCodec::new(), "gpt-5.1", OPENAI, &asked(own));
    assert_eq!(
        body["stream_options"],
        json!({"include_usage": true, "include_obfuscation": false})
    );
    let own = settings().with_extra("stop_sequences", json!(["STOP", "END"]));
    let body = sent(&AnthropicCodec::new(), "claude-opus-4-6", "", &asked(own));
    assert_eq!(body["stop_sequences"], json!(["END", "STOP"]));
    let own = settings().with_extra(
        "generationConfig",
        json!({"stopSequences": ["STOP"], "topK": 3}),
    );
    let body = sent(&GeminiCodec::new(), "gemini-3-pro", "", &asked(own));
    assert_eq!(
        body["generationConfig"],
        json!({"stopSequences": ["END", "STOP"], "topK": 3})
    );
    let own = settings().with_extra("options", json!({"stop": ["STOP"], "num_ctx": 9}));
    let body = sent(&OllamaCodec::new(), "m", "", &asked(own));
    assert_eq!(
        body["options"],
        json!({"stop": ["END", "STOP"], "num_ctx": 9})
    );
    // One of several forms replaces another.
    let own = ModelSettings::new()
        .with_reasoning_effort("high")
        .with_extra(
            "thinking",
            json!({"type": "enabled", "budget_tokens": 2048}),
        );
    let body = sent(&AnthropicCodec::new(), "claude-opus-4-6", "", &asked(own));
    assert_eq!(
        body["thinking"],
        json!({"type": "enabled", "budget_tokens": 2048})
    );
}

fn included(model: &str, server: &str, settings: ModelSettings) -> Value {
    let body = sent(
        &OpenAiResponsesCodec::new(),
        model,
        server,
        &asked(settings),
    );
    body["include"].clone()
}

#[test]
fn what_a_hosted_tool_finds_is_asked_for() {
    let encrypted = "reasoning.encrypted_content";
    let all = ModelSettings::new()
        .with_provider_tool(WebSearch::new())
        .with_provider_tool(ProviderTool::CodeExecution);
    let both = json!([
        encrypted,
        "web_search_call.action.sources",
        "code_interpreter_call.outputs"
    ]);
    assert_eq!(included("gpt-5.1", OPENAI, all.clone()), both);
    // Other servers may not know the words (openrouter.ai, "Responses API": their list is shorter).
    assert_eq!(included("grok-4", "api.x.ai", all), json!([encrypted]));
    let own = ModelSettings::new().with_extra(
        "tools",
        json!([{"type": "file_search", "vector_store_ids": ["vs_1"]}]),
    );
    let files = json!([encrypted, "file_search_call.results"]);
    assert_eq!(included("gpt-5.1", OPENAI, own.clone()), files);
    let own = own.with_extra("include", json!(["message.output_text.logprobs"]));
    let joined = json!([
        encrypted,
        "file_search_call.results",
        "message.output_text.logprobs"
    ]);
    assert_eq!(included("gpt-5.1", OPENAI, own), joined);
}

#[test]
fn a_model_that_does_not_reason_is_not_asked_for_reasoning() {
    for model in [
        "gpt-4o-mini",
        "gpt-4.1",
        "ft:gpt-4.1-mini:acme",
        "openai/gpt-5-chat-latest",
    ] {
        assert_eq!(
            included(model, OPENAI, ModelSettings::new()),
            Value::Null,
            "{model}"
        );
    }
    let search = ModelSettings::new().with_provider_tool(WebSearch::new());
    let sources = json!(["web_search_call.action.sources"]);
    assert_eq!(included("gpt-4.1", OPENAI, search), sources);
    for model in ["gpt-5", "o3", "o4-mini", "my-deployment", "grok-4"] {
        let asked = included(model, OPENAI, ModelSettings::new());
        assert_eq!(asked, json!(["reasoning.encrypted_content"]), "{model}");
    }
}

fn refusal(codec: &impl Codec, request: &ModelRequest) -> Option<String> {
    let error = codec.encode(EncodeInput::new("gpt-5.1", request)).err()?;
    assert_eq!(error.kind, ModelErrorKind::InvalidRequest);
    Some(error.to_string())
}

#[test]
fn a_stored_history_is_not_sent_twice() {
    let stored = |messages: Vec<Message>, field: &str| {
        let settings = ModelSettings::new().with_extra(field, "resp_1");
        ModelRequest::new(messages).with_settings(settings)
    };
    let answer = || Message::assistant("Hello.");
    let codec = OpenAiResponsesCodec::new();
    for field in ["previous_response_id", "conversation"] {
        let new = stored(vec![Message::user("And now?")], field);
        assert_eq!(refusal(&codec, &new), None);
        assert_eq!(sent(&codec, "gpt-5.1", OPENAI, &new)[field], "resp_1");
        let twice = vec![Message::user("Hi"), answer(), Message::user("And now?")];
        let error = refusal(&codec, &stored(twice, field)).expect("is refused");
        assert!(error.contains(field), "{error}");
        let round = || ModelResponse::from_calls([ToolCall::new("call_1", "find", "{}")]);
        let mut conversation = Conversation::new();
        conversation.push_user("Find it.");
        conversation.push_response(round());
        let results = [ToolResult::success("call_1", "found")];
        conversation.push_results(results).expect("they are its");
        conversation.push_user("Be quick.");
        let mut pushed = conversation.request();
        pushed.settings = stored(vec![], field).settings;
        assert_eq!(refusal(&codec, &pushed), None);
        let mut noted = stored(vec![Message::user("Hi"), answer()], field);
        noted.push_note("Answer in JSON.");
        assert_eq!(refusal(&codec, &noted), None);
    }
}

#[test]
fn the_conversation_is_not_replaced() {
    let check = |codec: &dyn Fn(&ModelRequest) -> Option<String>, field: &str| {
        let request = asked(ModelSettings::new().with_extra(field, json!([])));
        let error = codec(&request).expect("is refused");
        assert!(error.contains(field), "{error}");
    };
    check(
        &|request| refusal(&OpenAiResponsesCodec::new(), request),
        "input",
    );
    check(
        &|request| refusal(&OpenAiChatCodec::new(), request),
        "messages",
    );
    check(
        &|request| refusal(&AnthropicCodec::new(), request),
        "messages",
    );
    check(&|request| refusal(&GeminiCodec::new(), request), "contents");
    check(&|request| refusal(&OllamaCodec::new(), request), "messages");
}

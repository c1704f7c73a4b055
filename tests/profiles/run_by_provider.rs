//! Tools that a provider runs, tools whose input is a text, and tools that are offered for one request, before the types of
//! the providers' own SDKs.

use serde_json::{Value, json};
use toolwright::{
    Conversation, ModelResponse, ToolResult, Toolset,
    message::Part,
    model::{FileSearch, ModelRequest, ModelSettings, ProviderTool, ToolChoice, WebSearch},
    provider::{
        AnthropicCodec, Codec, EncodeInput, GeminiCodec, OllamaCodec, OpenAiChatCodec,
        OpenAiResponsesCodec,
    },
    tool,
    tool::{Grammar, TextInput},
    toolset,
};

use crate::double::Server;

/// Add and subtract whole numbers.
#[tool(read_only)]
fn calculate(term: String) -> String {
    term
}

/// Look at something.
#[tool(read_only)]
fn look(at: String) -> String {
    at
}

const CHAT: &str = "/v1/chat/completions";

/// One codec, at the server of its vendor.
struct Sender<'s, C> {
    server: &'s Server,
    path: &'static str,
    host: &'static str,
    model: &'static str,
    codec: C,
}

impl<C: Codec> Sender<'_, C> {
    fn send(&self, request: &ModelRequest) {
        let input = EncodeInput::new(self.model, request).with_server(self.host);
        let body = self.codec.encode(input).expect("it is written");
        let body: Value = serde_json::from_slice(&body).expect("it is JSON");
        let tools = body["tools"].as_array().into_iter().flatten();
        let custom = tools.clone().position(|tool| tool["type"] == "custom");
        match custom.filter(|_| self.path == CHAT) {
            // Its own rules know functions alone, and nothing else of the request is wrong.
            Some(place) => {
                let (status, answer) = self.server.post(self.path, &body);
                let why = format!("$.tools[{place}].function.name: None does not match");
                assert_eq!(status, 400, "{answer}");
                assert!(answer.contains(&why) && !answer.contains("; "), "{answer}");
            }
            None => self.server.takes(self.path, &body),
        }
    }

    /// Sends a conversation with a response of this server, and results of its calls.
    fn send_after(&self, tools: &Toolset, reply: &Value) {
        let reply = reply.to_string();
        let decoded = self
            .codec
            .decode(tools.shared_definitions(), reply.as_bytes());
        let mut reply: ModelResponse = decoded.expect("it is a response");
        for part in reply.parts.to_mut() {
            if let Part::Opaque(opaque) = part {
                opaque.provider = format!("{}:{}", opaque.provider, self.host);
            }
        }
        let calls = reply.tool_calls.clone();
        let mut conversation = Conversation::new();
        conversation.push_user("What is new?");
        conversation.push_response(reply);
        if !calls.is_empty() {
            let results = calls.iter().map(|call| ToolResult::success(&call.id, "3"));
            conversation.push_results(results).expect("they wait");
        }
        conversation.push_user("And before?");
        let request = conversation.request().with_settings(settings());
        self.send(&request.with_tools(tools.definitions().cloned()));
    }

    /// Sends all that the codec has a form for.
    fn send_all(&self) {
        let asked = |text: &str| {
            let mut conversation = Conversation::new();
            conversation.push_user(text);
            conversation.request()
        };
        let tools = tools();
        let own = || tools.definitions().cloned();
        self.send(&asked("What is new?").with_settings(settings()));
        self.send(
            &asked("What is new?")
                .with_settings(settings())
                .with_tools(own()),
        );
        for choice in [
            ToolChoice::Auto,
            ToolChoice::Required,
            ToolChoice::Tool("calculate".into()),
        ] {
            let request = asked("What is 1 + 2?")
                .with_tools(own())
                .with_tool_choice(choice);
            self.send(&request);
            self.send(&request.with_allowed_tools(["calculate"]));
        }
        let any = toolset![calculate].with_text_input("calculate", TextInput::new());
        let any = any.expect("it has one text");
        self.send(&asked("What is 1 + 2?").with_tools(any.definitions().cloned()));
    }
}

fn settings() -> ModelSettings {
    ModelSettings::new()
        .with_provider_tool(
            WebSearch::new()
                .with_max_uses(3)
                .with_allowed_domains(["rust-lang.org"]),
        )
        .with_provider_tool(ProviderTool::CodeExecution)
        .with_provider_tool(FileSearch::new(["vs_1"]).with_max_results(4))
}

fn tools() -> Toolset {
    let grammar = Grammar::Lark("start: NUMBER\n%import common.NUMBER".to_owned());
    let tools = toolset![look, calculate].with_text_input("calculate", TextInput::of(grammar));
    tools.expect("it has one text")
}

pub(crate) fn check(server: &Server) {
    let chat = Sender {
        server,
        path: CHAT,
        host: "api.openai.com",
        model: "gpt-5-sim-text",
        codec: OpenAiChatCodec::new(),
    };
    chat.send_all();
    chat.send_after(
        &tools(),
        &json!({"choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant",
            "content": null, "tool_calls": [
                {"id": "call_1", "type": "custom", "custom": {"name": "calculate", "input": "1 + 2"}}]}}]}),
    );
    let responses = Sender {
        server,
        path: "/v1/responses",
        host: "api.openai.com",
        model: "gpt-5-sim-text",
        codec: OpenAiResponsesCodec::new(),
    };
    responses.send_all();
    responses.send_after(
        &tools(),
        &json!({"object": "response", "status": "completed", "output": [
            {"type": "web_search_call", "id": "ws_1", "status": "completed",
             "action": {"type": "search", "query": "Rust", "queries": ["Rust"]}},
            {"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1", "name": "calculate", "input": "1 + 2"}]}),
    );
    responses.send_after(
        &tools(),
        &json!({"object": "response", "status": "completed", "output": [
            {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [
                {"type": "output_text", "text": "Rust 1.95.", "logprobs": [], "annotations": [
                    {"type": "url_citation", "url": "https://rust-lang.org", "title": "Rust",
                     "start_index": 0, "end_index": 4}]}]}]}),
    );
    let messages = Sender {
        server,
        path: "/v1/messages",
        host: "api.anthropic.com",
        model: "sim-text",
        codec: AnthropicCodec::new(),
    };
    messages.send_all();
    messages.send_after(
        &tools(),
        &json!({"type": "message", "role": "assistant", "stop_reason": "end_turn", "content": [
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "Rust"}},
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [
                {"type": "web_search_result", "url": "https://rust-lang.org", "title": "Rust",
                 "encrypted_content": "abc", "page_age": null}]},
            {"type": "text", "text": "Rust 1.95.", "citations": [
                {"type": "web_search_result_location", "url": "https://rust-lang.org", "title": "Rust",
                 "cited_text": "Rust 1.95", "encrypted_index": "abc"}]},
            {"type": "server_tool_use", "id": "srvtoolu_2", "name": "web_search", "input": {"query": "cut off"}}]}),
    );
    let gemini = Sender {
        server,
        path: "/v1beta/models/sim-text:generateContent",
        host: "generativelanguage.googleapis.com",
        model: "sim-text",
        codec: GeminiCodec::new(),
    };
    gemini.send_all();
    gemini.send_after(
        &tools(),
        &json!({"candidates": [{"finishReason": "STOP", "content": {"role": "model", "parts": [
            {"executableCode": {"language": "PYTHON", "code": "print(2)"}},
            {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2\n"}},
            {"text": "It is 2."}]}}]}),
    );
    let ollama = Sender {
        server,
        path: "/api/chat",
        host: "127.0.0.1:11434",
        model: "sim-text",
        codec: OllamaCodec::new(),
    };
    ollama.send_all();
}

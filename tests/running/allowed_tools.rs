//! Tools that a plan offers, for a provider that is told their names beside the list of all.

use serde_json::{Value, json};
use toolwright::{
    ChatModel, ModelError, ModelResponse, OpenAiChat, OpenAiResponses, Runner, ToolCall,
    model::{ModelCapabilities, ModelRequest, ModelSettings, ModelStream, ToolChoice, WebSearch},
    provider::{AnthropicCodec, Codec, EncodeInput, OpenAiChatCodec, OpenAiResponsesCodec},
    run::RequestPlan,
    runner::NextRequest,
    testing::ScriptedModel,
    tool,
    tool::BoxFuture,
    toolset,
};

/// Look at something.
#[tool(read_only)]
fn look() -> String {
    "a house".to_owned()
}

/// Write something down.
#[tool(read_only)]
fn write() -> String {
    "done".to_owned()
}

/// A model that is told the names.
struct Told(ScriptedModel);

impl ChatModel for Told {
    fn stream<'a>(&'a self, request: &'a ModelRequest) -> ModelStream<'a> {
        self.0.stream(request)
    }

    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        self.0.complete(request)
    }

    fn capabilities(&self) -> ModelCapabilities {
        ModelCapabilities::new().with_allowed_tools(true)
    }
}

/// The requests of a run whose rounds offer other tools: all, one, the other one, and none.
async fn requests() -> Vec<ModelRequest> {
    let call = |name: &str| ModelResponse::from_calls([ToolCall::new("a", name, "{}")]);
    let script = [
        call("look"),
        call("look"),
        call("look"),
        ModelResponse::from_text("Done."),
    ];
    let model = ScriptedModel::new(script);
    let runner = Runner::builder(Told(model.clone()))
        .tools(toolset![look, write])
        .before_request(async |next: NextRequest| match next.rounds {
            0 => RequestPlan::new(),
            1 => RequestPlan::new().with_tools(["look"]),
            2 => RequestPlan::new()
                .with_tools(["write"])
                .with_tool_choice(ToolChoice::Required),
            _ => RequestPlan::new().with_tools(["nobody"]),
        })
        .build()
        .expect("is consistent");
    let outcome = runner.run("Go.").await.expect("it ends");
    assert_eq!(outcome.text, "Done.");
    let rounds = &outcome.conversation.messages();
    let results = format!("{rounds:?}");
    // The third call is of a tool that was not offered.
    assert_eq!(results.matches("a house").count(), 2, "{results}");
    model.requests()
}

fn sent<C: Codec>(codec: &C, request: &ModelRequest, server: &str) -> Value {
    let input = EncodeInput::new("gpt-5.4", request).with_server(server);
    serde_json::from_slice(&codec.encode(input).expect("is written")).expect("is JSON")
}

const OPENAI: &str = "api.openai.com";

#[tokio::test]
async fn the_list_stays_and_the_choice_narrows_it() {
    let requests = requests().await;
    let chat = OpenAiChatCodec::new();
    let responses = OpenAiResponsesCodec::new();
    let bodies = |server| -> (Vec<Value>, Vec<Value>) {
        let chat = requests.iter().map(|request| sent(&chat, request, server));
        let responses = requests
            .iter()
            .map(|request| sent(&responses, request, server));
        (chat.collect(), responses.collect())
    };
    let (of_chat, of_responses) = bodies(OPENAI);
    let choices: Vec<_> = of_chat
        .iter()
        .map(|body| body["tool_choice"].clone())
        .collect();
    let function = |name: &str| json!({"type": "function", "function": {"name": name}});
    let allowed = |mode: &str, name: &str| json!({"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": [function(name)]}});
    assert_eq!(
        choices,
        [
            json!(null),
            allowed("auto", "look"),
            allowed("required", "write"),
            json!("none")
        ]
    );
    let choices: Vec<_> = of_responses
        .iter()
        .map(|body| body["tool_choice"].clone())
        .collect();
    let allowed = |mode: &str, name: &str| json!({"type": "allowed_tools", "mode": mode, "tools": [{"type": "function", "name": name}]});
    assert_eq!(
        choices,
        [
            json!(null),
            allowed("auto", "look"),
            allowed("required", "write"),
            json!("none")
        ]
    );
    // What a cache has of a request is the beginning of the next: the tools, then the messages.
    for (list, bodies) in [("messages", of_chat), ("input", of_responses)] {
        for pair in bodies.windows(2) {
            assert_eq!(pair[0]["tools"].to_string(), pair[1]["tools"].to_string());
            let text = |body: &Value| body[list].to_string();
            let before = text(&pair[0]);
            let before = before.strip_suffix(']').expect("is a list");
            assert!(text(&pair[1]).starts_with(before));
        }
    }
    // Another server of the protocol is sent the tools alone.
    let (of_chat, of_responses) = bodies("llm.example");
    for bodies in [of_chat, of_responses] {
        let counts: Vec<_> = bodies
            .iter()
            .map(|body| body["tools"].as_array().map(Vec::len))
            .collect();
        assert_eq!(counts, [Some(2), Some(1), Some(1), None]);
        assert!(
            !bodies
                .iter()
                .any(|body| body.to_string().contains("allowed_tools"))
        );
    }
}

#[test]
fn beside_tools_of_the_provider_the_list_is_short() {
    let request = ModelRequest::new([])
        .with_tools(toolset![look, write].definitions().cloned())
        .with_allowed_tools(["look", "nobody"])
        .with_settings(ModelSettings::new().with_provider_tool(WebSearch::new()));
    let body = sent(&OpenAiResponsesCodec::new(), &request, OPENAI);
    assert_eq!(body.get("tool_choice"), None);
    let kinds = ["function", "web_search"].map(Value::from);
    let sent_kinds = body["tools"].as_array().expect("is a list").iter();
    assert!(sent_kinds.map(|tool| &tool["type"]).eq(&kinds));
    // Who knows no such list is sent these tools alone as well.
    let body = sent(&AnthropicCodec::new(), &request, "api.anthropic.com");
    assert_eq!(body["tools"].as_array().map(Vec::len), Some(2));
    assert_eq!(body["tools"][0]["name"], "look");
}

#[test]
fn older_models_are_sent_the_short_list() {
    let request = ModelRequest::new([])
        .with_tools(toolset![look, write].definitions().cloned())
        .with_allowed_tools(["look"]);
    let codec = OpenAiResponsesCodec::new();
    let tools_of = |model: &str| {
        let input = EncodeInput::new(model, &request).with_server(OPENAI);
        let body = codec.encode(input).expect("is sent");
        let body: Value = serde_json::from_slice(&body).expect("is JSON");
        body["tools"].as_array().map(Vec::len)
    };
    assert_eq!(tools_of("gpt-5"), Some(2));
    assert_eq!(tools_of("gpt-6.1-mini"), Some(2));
    for model in ["gpt-4.1", "gpt-4o", "o3", "ft:gpt-4o:me"] {
        assert_eq!(tools_of(model), Some(1), "{model}");
    }
}

#[test]
fn only_the_provider_itself_is_told() {
    let told = |model: &dyn ChatModel| model.capabilities().allowed_tools;
    let chat = OpenAiChat::new("gpt-5.4", "key");
    let responses = OpenAiResponses::new("gpt-5.4", "key");
    assert!(told(&chat) && told(&responses));
    let elsewhere = chat.with_base_url("https://llm.example/v1");
    assert!(!told(&elsewhere));
}

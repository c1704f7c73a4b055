//! Runs over the codecs against the double, whose scripts are named like models.

mod tools;

use serde_json::{Value, json};
use toolwright::{
    Anthropic, ChatModel, Conversation, Gemini, Ollama, OpenAiChat, OpenAiResponses, Runner,
    Toolset,
    model::{ModelErrorKind, ModelSettings, PromptCaching, ToolChoice},
    run::{Failure, Limits},
};

const SCRIPTS: [&str; 11] = [
    "text",
    "tool",
    "parallel",
    "chain",
    "bad-args",
    "broken-json",
    "unknown-tool",
    "loop",
    "preface",
    "thinking",
    "length",
];

/// A codec whose runs are checked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Codec {
    Chat,
    Responses,
    Anthropic,
    Gemini,
    Ollama,
}

/// What came of a run, in words.
pub(crate) type Came = String;

/// Runs every script, plain and streamed, twice in one conversation.
pub(crate) fn check(codec: Codec, url: &str) -> Vec<Came> {
    check_with(codec, url, |model| model)
}

/// Runs every script with a model around that of the codec.
pub(crate) fn check_with(
    codec: Codec,
    url: &str,
    around: impl Fn(Box<dyn ChatModel>) -> Box<dyn ChatModel>,
) -> Vec<Came> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("there is a runtime");
    let mut all = Vec::new();
    for script in SCRIPTS {
        for streaming in [false, true] {
            // From Gemini 3 on more is asked of a request.
            let name = match (codec, streaming) {
                (Codec::Gemini, true) => format!("gemini-3-sim-{script}"),
                _ => format!("sim-{script}"),
            };
            let run = Run {
                script,
                streaming,
                tools: codec.tools(),
                settings: codec.settings(),
            };
            all.extend(runtime.block_on(run.twice(around(codec.model(name, url)))));
        }
    }
    all
}

/// There was at least a request for each script and way.
pub(crate) fn check_count(codec: Codec, requests: &Value, options: &[&str]) {
    let requests = requests.as_u64().expect("is a number");
    eprintln!("strict server: {requests} requests of runs over {codec:?}, {options:?}");
    assert!(requests > 2 * SCRIPTS.len() as u64, "{requests}");
}

impl Codec {
    pub(crate) const ALL: [Self; 5] = [
        Self::Chat,
        Self::Responses,
        Self::Anthropic,
        Self::Gemini,
        Self::Ollama,
    ];

    pub(crate) fn model(self, name: String, url: &str) -> Box<dyn ChatModel> {
        match self {
            Self::Chat => Box::new(OpenAiChat::new(name, "k").with_base_url(format!("{url}/v1"))),
            Self::Responses => {
                Box::new(OpenAiResponses::new(name, "k").with_base_url(format!("{url}/v1")))
            }
            Self::Anthropic => Box::new(Anthropic::new(name, "k").with_base_url(url)),
            Self::Gemini => Box::new(Gemini::new(name, "k").with_base_url(url)),
            Self::Ollama => Box::new(Ollama::new(name).with_base_url(url)),
        }
    }

    pub(crate) fn tools(self) -> Toolset {
        match self {
            Self::Ollama => tools::without_images(),
            _ => tools::with_images(),
        }
    }

    pub(crate) fn settings(self) -> ModelSettings {
        let settings = ModelSettings::new().with_reasoning_effort("low");
        match self {
            Self::Chat => settings
                .with_max_output_tokens(100)
                .with_seed(7)
                .with_stop_sequences(["END"])
                .with_extra("service_tier", "auto"),
            Self::Responses => settings
                .with_max_output_tokens(100)
                .with_extra("reasoning", json!({"summary": "auto"})),
            Self::Anthropic => settings
                .with_prompt_caching(PromptCaching::OneHour)
                .with_stop_sequences(["END"]),
            Self::Gemini => settings.with_stop_sequences(["END"]),
            Self::Ollama => settings
                .with_stop_sequences(["END"])
                .with_temperature(0.5)
                .with_max_output_tokens(200)
                .with_seed(7)
                .with_extra("options", json!({"num_ctx": 8192}))
                .with_extra("keep_alive", "5m"),
        }
    }

    /// The smallest request with a tool, and where it has a message and a tool.
    pub(crate) fn smallest(self) -> (&'static str, Value, [&'static str; 2]) {
        let messages = json!([{"role": "user", "content": "x"}]);
        let schema = json!({"type": "object", "properties": {}});
        let function = json!({"name": "a", "description": "b", "parameters": schema});
        let of_chat = json!([{"type": "function", "function": function}]);
        let places = ["/messages/0", "/tools/0/function"];
        match self {
            Self::Chat => (
                "/v1/chat/completions",
                json!({"model": "sim-text", "messages": messages, "tools": of_chat}),
                places,
            ),
            Self::Ollama => (
                "/api/chat",
                json!({"model": "sim-text", "messages": messages, "tools": of_chat}),
                places,
            ),
            Self::Responses => (
                "/v1/responses",
                json!({"model": "sim-text", "input": messages, "tools": [
                    {"type": "function", "name": "a", "parameters": schema, "strict": false}]}),
                ["/input/0", "/tools/0"],
            ),
            Self::Anthropic => (
                "/v1/messages",
                json!({"model": "sim-text", "max_tokens": 9, "messages": messages,
                    "tools": [{"name": "a", "input_schema": schema}]}),
                ["/messages/0", "/tools/0"],
            ),
            Self::Gemini => (
                "/v1beta/models/sim-text:generateContent",
                json!({"contents": [{"role": "user", "parts": [{"text": "x"}]}],
                    "tools": [{"functionDeclarations": [{"name": "a", "description": "b"}]}]}),
                ["/contents/0/parts/0", "/tools/0/functionDeclarations/0"],
            ),
        }
    }
}

/// A script, run in one way.
struct Run {
    script: &'static str,
    streaming: bool,
    tools: Toolset,
    settings: ModelSettings,
}

impl Run {
    async fn twice(self, model: impl ChatModel) -> [Came; 2] {
        let Self {
            script, streaming, ..
        } = self;
        let choice = match script {
            "tool" => ToolChoice::Required,
            "parallel" => ToolChoice::Tool("get_weather".to_owned()),
            _ => ToolChoice::Auto,
        };
        let settings = self.settings.with_parallel_tool_calls(script != "chain");
        let runner = Runner::builder(model)
            .system("Be brief.")
            .tools(self.tools)
            .tool_choice(choice)
            .settings(settings)
            .limits(Limits::chat())
            .streaming(streaming)
            .build()
            .expect("is consistent");
        let mut conversation = Conversation::new();
        let mut came = Vec::new();
        for question in ["What is it like in Oslo?", "And in Bergen?"] {
            let outcome = runner
                .request(question)
                .within(&mut conversation)
                .run()
                .await;
            came.push(match outcome {
                Ok(outcome) => format!(
                    "{script}, streamed: {streaming}: {:?} after {} rounds: {}",
                    outcome.finish, outcome.rounds, outcome.text
                ),
                Err(error) => {
                    // Other failures are what some scripts are about.
                    let refused = matches!(&error.failure,
                        Failure::Model(error) if error.kind == ModelErrorKind::InvalidRequest);
                    assert!(!refused, "{script}: {error}");
                    format!("{script}, streamed: {streaming}: {error}")
                }
            });
        }
        came.try_into().expect("there were two questions")
    }
}

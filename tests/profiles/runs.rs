//! Runs over the codecs against the double, whose scripts are named like models.

pub(crate) mod ollama;

use std::fmt::Debug;

use serde_json::Value;
use toolwright::{
    Anthropic, ChatModel, Conversation, Failure, Gemini, Limits, ModelErrorKind, ModelSettings,
    OpenAiResponses, PromptCaching, Runner, ToolChoice, message::Image, tool, toolset,
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

/// Get the weather in a city as it is now.
#[tool(read_only, strict = "portable")]
fn get_weather(
    /// The city, for example "Oslo".
    city: String,
) -> String {
    format!("rain in {city}")
}

/// Show a place as it looks now, in a picture.
#[tool(read_only)]
fn show_place(
    /// The place, for example "Oslo harbour".
    place: Option<String>,
) -> Image {
    let _ = place;
    Image::from_bytes("image/png", b"\x89PNG")
}

/// A codec whose runs are checked.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Codec {
    Anthropic,
    Gemini,
    Responses,
}

/// Runs every script, plain and streamed, twice in one conversation.
pub(crate) fn check(codec: Codec, url: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("there is a runtime");
    for script in SCRIPTS {
        for streaming in [false, true] {
            // From Gemini 3 on more is asked of a request.
            let name = match (codec, streaming) {
                (Codec::Gemini, true) => format!("gemini-3-sim-{script}"),
                _ => format!("sim-{script}"),
            };
            let settings = ModelSettings::new();
            match codec {
                Codec::Anthropic => {
                    let model = Anthropic::new(name, "k").with_base_url(url);
                    let settings = settings
                        .with_prompt_caching(PromptCaching::OneHour)
                        .with_stop_sequences(["END"]);
                    runtime.block_on(run(model, settings, script, streaming));
                }
                Codec::Gemini => {
                    let model = Gemini::new(name, "k").with_base_url(url);
                    let settings = settings.with_stop_sequences(["END"]);
                    runtime.block_on(run(model, settings, script, streaming));
                }
                Codec::Responses => {
                    let model = OpenAiResponses::new(name, "k").with_base_url(format!("{url}/v1"));
                    let settings = settings
                        .with_max_output_tokens(100)
                        .with_extra("reasoning", serde_json::json!({"summary": "auto"}));
                    runtime.block_on(run(model, settings, script, streaming));
                }
            }
        }
    }
}

/// There was at least a request for each script and way.
pub(crate) fn check_count(codec: impl Debug, requests: &Value) {
    let requests = requests.as_u64().expect("is a number");
    eprintln!("strict server: {requests} requests of runs over {codec:?}");
    assert!(requests > 2 * SCRIPTS.len() as u64, "{requests}");
}

async fn run(model: impl ChatModel, settings: ModelSettings, script: &str, streaming: bool) {
    let settings = settings
        .with_parallel_tool_calls(script != "chain")
        .with_reasoning_effort("low");
    let choice = match script {
        "tool" => ToolChoice::Required,
        _ => ToolChoice::Auto,
    };
    let runner = Runner::builder(model)
        .system("Be brief.")
        .tools(toolset![get_weather, show_place])
        .tool_choice(choice)
        .settings(settings)
        .limits(Limits::chat())
        .streaming(streaming)
        .build()
        .expect("is consistent");
    let mut conversation = Conversation::new();
    for question in ["What is it like in Oslo?", "And in Bergen?"] {
        let outcome = runner.run_in(&mut conversation, question).await;
        if let Err(error) = outcome {
            // Other failures are what some scripts are about.
            let refused = matches!(&error.failure,
                Failure::Model(error) if error.kind == ModelErrorKind::InvalidRequest);
            assert!(!refused, "{script}: {error}");
        }
    }
}

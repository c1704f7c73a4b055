//! Runs over Anthropic's codec and that of OpenAI Responses against the double, whose scripts are named
//! like models.

use serde_json::Value;
use toolwright::{
    Anthropic, ChatModel, Conversation, Failure, Limits, ModelErrorKind, ModelSettings,
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

/// Runs every script over Anthropic, plain and streamed, twice in one conversation.
pub(crate) fn check(url: &str) {
    check_all(|script| {
        let model = Anthropic::new(format!("sim-{script}"), "k").with_base_url(url);
        let settings = ModelSettings::new()
            .with_prompt_caching(PromptCaching::OneHour)
            .with_stop_sequences(["END"]);
        (model, settings)
    });
}

/// The same over OpenAI Responses.
pub(crate) fn check_responses(url: &str) {
    check_all(|script| {
        let model = OpenAiResponses::new(format!("sim-{script}"), "k").with_base_url(url);
        let settings = ModelSettings::new()
            .with_max_output_tokens(100)
            .with_extra("reasoning", serde_json::json!({"summary": "auto"}));
        (model, settings)
    });
}

fn check_all<M: ChatModel + 'static>(model_of: impl Fn(&str) -> (M, ModelSettings)) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("there is a runtime");
    for script in SCRIPTS {
        for streaming in [false, true] {
            let (model, settings) = model_of(script);
            runtime.block_on(run(model, settings, script, streaming));
        }
    }
}

/// There was at least a request for each script and way.
pub(crate) fn check_count(requests: &Value) {
    let requests = requests.as_u64().expect("is a number");
    eprintln!("strict server: {requests} requests of runs over one codec");
    assert!(requests > 2 * SCRIPTS.len() as u64, "{requests}");
}

async fn run(
    model: impl ChatModel + 'static,
    settings: ModelSettings,
    script: &str,
    streaming: bool,
) {
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

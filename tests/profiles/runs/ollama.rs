//! Runs over Ollama's codec, without images: the double knows them by the type that they have in the SDK
//! before it writes them.

use toolwright::{
    Conversation, Failure, Limits, ModelErrorKind, ModelSettings, Ollama, Runner, ToolChoice, tool,
    toolset,
};

use super::{SCRIPTS, get_weather};

/// Describe a place as it looks now.
#[tool(read_only)]
fn describe_place(
    /// The place, for example "Oslo harbour".
    place: Option<String>,
) -> String {
    format!("{place:?} is grey")
}

/// Runs every script, plain and streamed, twice in one conversation.
pub(crate) fn check(url: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("there is a runtime");
    for script in SCRIPTS {
        for streaming in [false, true] {
            runtime.block_on(run(url, script, streaming));
        }
    }
}

async fn run(url: &str, script: &str, streaming: bool) {
    let model = Ollama::new(format!("sim-{script}")).with_base_url(url);
    let settings = ModelSettings::new()
        .with_parallel_tool_calls(script != "chain")
        .with_stop_sequences(["END"])
        .with_temperature(0.5)
        .with_max_output_tokens(200)
        .with_seed(7)
        .with_reasoning_effort("low")
        .with_extra("options", serde_json::json!({"num_ctx": 8192}))
        .with_extra("keep_alive", "5m");
    let choice = match script {
        "tool" => ToolChoice::Required,
        "parallel" => ToolChoice::Tool("get_weather".to_owned()),
        _ => ToolChoice::Auto,
    };
    let runner = Runner::builder(model)
        .system("Be brief.")
        .tools(toolset![get_weather, describe_place])
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

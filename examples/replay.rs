//! A run that is recorded once with a model, and replayed as a test: offline, against today's tools and prompts.
//!
//! ```text
//! cargo run -p examples --example replay
//! ```

use std::error::Error;

use toolwright::{
    ChatModel, ModelResponse, Runner, ToolCall, Toolset, redact::Secrets, testing::ScriptedModel,
    tool, toolset,
};
use toolwright_recording::Recording;

/// The tools of the day on which the run was recorded.
mod then {
    use toolwright::tool;

    /// Get the current weather for a city.
    #[tool(read_only)]
    pub(crate) async fn get_weather(city: String) -> String {
        format!("11 degrees in {city}, and a light rain")
    }
}

/// Get the current weather for a city, with the wind.
#[tool(read_only)]
async fn get_weather(city: String) -> String {
    format!("11 degrees in {city}, a light rain, and no wind")
}

fn runner(model: impl ChatModel, tools: Toolset) -> Result<Runner, Box<dyn Error>> {
    let runner = Runner::builder(model).system("Be brief. The key of the house is 4711.");
    Ok(runner.tools(tools).build()?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("toolwright-replay-{}", std::process::id()));
    let path = folder.join("oslo.jsonl");
    let question = "What should I wear in Oslo?";
    // A test has `Recording::open(path, || OpenAiChat::from_env("…"))`, which does either. These are its parts.

    // Once, with the real model. Here it is a script.
    let model = ScriptedModel::new([
        ModelResponse::from_calls([ToolCall::new("1", "get_weather", r#"{"city": "Oslo"}"#)]),
        ModelResponse::from_text("A rain coat."),
    ]);
    let recording = Recording::record(&path, model)?.with_redaction(Secrets::new(["4711"]));
    let live = runner(recording.clone(), toolset![then::get_weather])?;
    println!("recorded: {}", live.run(question).await?);
    recording.finish()?;
    let file = std::fs::read_to_string(&path)?;
    for line in file.lines() {
        println!("  {line:.76}…");
    }
    assert!(!file.contains("4711"));

    // Then in every test: nobody is asked.
    let replay = Recording::replay(&path)?.with_redaction(Secrets::new(["4711"]));
    let offline = runner(replay.clone(), toolset![then::get_weather])?;
    println!("replayed: {}", offline.run(question).await?);
    replay.finish()?;

    // Until somebody changes a tool.
    let replay = Recording::replay(&path)?.with_redaction(Secrets::new(["4711"]));
    let changed = runner(replay.clone(), toolset![get_weather])?;
    changed.run(question).await.expect_err("it is another run");
    let difference = replay.finish().expect_err("it is another run").to_string();
    let difference = difference.replace(&folder.display().to_string(), "recordings");
    println!("\nWhat a test says of a change:\n\n{difference}\n");

    std::fs::remove_dir_all(&folder)?;
    println!("Shown: a run of a real model as a test that needs no network and no key.");
    Ok(())
}

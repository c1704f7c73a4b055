//! Runs that are recorded and replayed.

mod any_script;
mod diverging;
mod files;
mod replaying;
mod results;
mod secrets;
mod typed;

use std::{env, fs, path::PathBuf, process};

use toolwright::{
    ChatModel, ModelResponse, Runner, ToolCall, ToolError, Toolset, model::Usage, run::RunOutcome,
    testing::ScriptedModel, tool, toolset,
};
use toolwright_recording::Recording;

/// Get the weather of a city.
#[tool(read_only)]
async fn get_weather(city: String) -> String {
    format!("sunny in {city}")
}

/// Get the time of a city.
#[tool(read_only)]
async fn get_time(city: String) -> Result<String, ToolError> {
    match city.as_str() {
        "Atlantis" => Err(ToolError::not_found("there is no such city")),
        _ => Ok(format!("noon in {city}")),
    }
}

/// A folder of a test, which is removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("toolwright-recording-{}-{name}", process::id());
        let folder = env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        Self(folder)
    }

    /// The path of a recording, in a folder that is not there yet.
    fn file(&self) -> PathBuf {
        self.0.join("recordings").join("run.jsonl")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).expect("it was recorded")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn call(id: &str, tool: &str, arguments: &str) -> ToolCall {
    ToolCall::new(id, tool, arguments)
}

/// Two rounds of calls that run at the same time, and an answer.
fn two_rounds() -> ScriptedModel {
    ScriptedModel::new([
        ModelResponse::from_calls([
            call("a", "get_weather", r#"{"city": "Oslo"}"#),
            call("b", "get_time", r#"{"city": "Oslo"}"#),
        ])
        .with_usage(Usage::new(10, 5)),
        ModelResponse::from_calls([
            call("c", "get_weather", r#"{"city": "Bergen"}"#),
            call("d", "get_time", r#"{"city": "Atlantis"}"#),
        ])
        .with_usage(Usage::new(20, 6)),
        ModelResponse::from_text("It is sunny in both, and noon.").with_usage(Usage::new(30, 7)),
    ])
}

fn runner(model: impl ChatModel, tools: Toolset) -> Runner {
    let runner = Runner::builder(model)
        .system("Be brief.\nBe kind.")
        .tools(tools);
    runner.build().expect("it can be built")
}

fn tools() -> Toolset {
    toolset![get_weather, get_time]
}

const QUESTION: &str = "How are Oslo and Bergen?";

/// Records the run of two rounds, and gives its outcome.
async fn recorded(folder: &Folder) -> RunOutcome {
    let recording = Recording::record(folder.file(), two_rounds()).expect("can be written");
    assert!(recording.is_live());
    let outcome = runner(recording.clone(), tools()).run(QUESTION).await;
    recording.finish().expect("is written");
    outcome.expect("it answers")
}

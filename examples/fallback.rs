//! Several models, of which the next one is asked when the one before it cannot answer.
//!
//! ```text
//! cargo run -p examples --example fallback
//! OPENAI_API_KEY=… ANTHROPIC_API_KEY=… cargo run -p examples --example fallback -- --live
//! ```

use std::time::Duration;

use toolwright::{
    Anthropic, ModelError, ModelResponse, OpenAiChat, Runner, ToolCall,
    model::{Fallback, ModelErrorKind},
    testing::{ScriptedModel, ScriptedResponse},
    tool, toolset,
};

/// Get the current weather in a city.
#[tool(read_only)]
async fn get_weather(city: String) -> String {
    format!("9 °C and light rain in {city}")
}

/// The first model calls a tool, and is overloaded then. The second one answers.
fn scripted() -> Fallback {
    let call =
        ModelResponse::from_calls([ToolCall::new("1", "get_weather", r#"{"city": "Oslo"}"#)]);
    let busy = ModelError::new(ModelErrorKind::Overloaded, "busy");
    let answer = ModelResponse::from_text("Take a coat: it rains in Oslo.");
    let first = ScriptedModel::new([ScriptedResponse::from(call), busy.into()]);
    Fallback::new([first]).or(ScriptedModel::new([answer]))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = if std::env::args().any(|argument| argument == "--live") {
        Fallback::new([OpenAiChat::from_env("gpt-5.1-mini")?])
            .or(Anthropic::from_env("claude-haiku-4-5")?)
    } else {
        scripted()
    };
    let runner = Runner::builder(model.patience(Duration::from_secs(20)))
        .tools(toolset![get_weather])
        .build()?;
    let outcome = runner.run("What should I wear in Oslo?").await?;
    for warning in &outcome.warnings {
        println!("{}", warning.message);
    }
    println!("{outcome}");
    println!("Shown: one run with two models, and a warning about the one that could not answer.");
    Ok(())
}

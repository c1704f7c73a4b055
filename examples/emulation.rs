//! Tools for a model that has no tool calling: it is asked which tools to call, and answers in text.
//!
//! ```text
//! cargo run -p examples --example emulation
//! OLLAMA_HOST=http://localhost:11434 OLLAMA_MODEL=gemma3 cargo run -p examples --example emulation
//! ```

use toolwright::{
    ChatModel, ModelResponse, Ollama, Runner,
    emulation::{Emulated, ToolEmulation},
    testing::ScriptedModel,
    tool, toolset,
};

/// Get the current weather in a city.
#[tool(read_only)]
async fn get_weather(city: String) -> String {
    format!("9 °C and light rain in {city}")
}

/// Convert an amount of money at today's rate.
#[tool(read_only)]
async fn convert_money(amount: f64, from: String, to: String) -> String {
    format!("{amount} {from} are {:.2} {to}", amount * 11.5)
}

/// Decisions of a model in three formats, and its answer. It writes nothing but text.
fn scripted() -> ScriptedModel {
    ScriptedModel::new(
        [
            // JSON, as it was asked for, and its thoughts before it.
            "<think>The weather first.</think>\n\
         {\"tools\": [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}]}",
            // The format that Hermes and Qwen have learnt, with a number as a string.
            "<tool_call>\n{\"name\": \"convert_money\", \"arguments\": {\"amount\": \"20\", \
         \"from\": \"EUR\", \"to\": \"NOK\"}}\n</tool_call>",
            // That of Llama 4.
            "[get_weather(city=\"Bergen\")]",
            "{\"tools\": []}",
            "Take a coat in Oslo and in Bergen. A bus ticket of 20 euros costs 230 crowns.",
        ]
        .map(ModelResponse::from_text),
    )
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    match std::env::var("OLLAMA_HOST") {
        Ok(_) => {
            let name = std::env::var("OLLAMA_MODEL").unwrap_or_else(|_| "gemma3".to_owned());
            ask(Ollama::from_env(name)?, ToolEmulation::Fallback).await
        }
        Err(_) => ask(scripted(), ToolEmulation::Force).await,
    }
}

async fn ask(model: impl ChatModel, mode: ToolEmulation) -> Result<(), Box<dyn std::error::Error>> {
    let runner = Runner::builder(Emulated::new(model, mode))
        .tools(toolset![get_weather, convert_money])
        .build()?;
    let question = "A coat for Oslo and Bergen? And what are 20 euros in crowns?";
    println!("> {question}");
    let outcome = runner.run(question).await?;
    for round in outcome.tool_rounds() {
        for (call, result) in round.answered_calls() {
            println!("{} {}", call.name, call.arguments);
            println!("    {}", result.to_model_text());
        }
    }
    println!("{outcome}\n");
    for warning in &outcome.warnings {
        println!("{warning}");
    }
    println!(
        "\nShown: {} responses took {} requests; the calls were read from text.",
        outcome.model_calls, outcome.requests
    );
    Ok(())
}

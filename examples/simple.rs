//! The smallest run: one tool, one question, one answer.
//!
//! ```text
//! cargo run -p examples --example simple
//! ```

use toolwright::{
    ModelResponse, Runner, ToolCall, message::ToolRound, testing::ScriptedModel, tool, toolset,
};

/// Add two numbers and return their sum.
#[tool]
async fn add(
    /// The first number.
    a: f64,
    /// The second number.
    b: f64,
) -> f64 {
    a + b
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A model that says what it is told to. Put `OpenAiChat::from_env("gpt-5.1-mini")?` here to ask
    // a real one.
    let model = ScriptedModel::new([
        ModelResponse::from_calls([ToolCall::new("call_1", "add", r#"{"a": 2, "b": 40}"#)]),
        ModelResponse::from_text("2 and 40 make 42."),
    ]);

    let runner = Runner::builder(model).tools(toolset![add]).build()?;
    let outcome = runner.run("What is 2 + 40?").await?;
    for (call, result) in outcome.tool_rounds().flat_map(ToolRound::answered_calls) {
        println!(
            "{}({}) returned {}",
            call.name,
            call.arguments,
            result.to_model_text()
        );
    }
    println!("{outcome}");

    println!("\nShown: the model called a function, and answered with what it returned.");
    Ok(())
}

//! Tools that fail, and who reads what of it.
//!
//! A tool that fails does not fail the run: the model reads a text made for it and goes on. What is for
//! the people who run the program goes to the log.
//!
//! ```text
//! cargo run -p examples --example error_handling
//! ```

use toolwright::{
    ModelResponse, Runner, ToolCall, ToolError, message::ToolRound, testing::ScriptedModel, tool,
    toolset,
};

/// Look up an order by its number.
#[tool]
async fn find_order(
    /// The number of the order.
    number: u32,
) -> Result<String, ToolError> {
    match number {
        7 => Ok("three hats".into()),
        // The model reads this, and can act on it.
        _ => {
            Err(ToolError::not_found(format!("there is no order {number}"))
                .with_detail("newest", 7))
        }
    }
}

/// Read the note that was left for an order.
#[tool]
async fn read_note(
    /// The number of the order.
    number: u32,
) -> Result<String, std::io::Error> {
    // The model is told that something was not found. The path is for the log alone.
    std::fs::read_to_string(format!("/secret/notes/{number}.txt"))
}

/// Count the days until an order arrives.
#[tool]
async fn days_left(
    /// The number of the order.
    number: u32,
) -> u32 {
    10_u32
        .checked_sub(number)
        .expect("orders above 10 are a bug")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Rust prints a panic to the terminal before we catch it. It would only be in the way here.
    std::panic::set_hook(Box::new(|_| {}));

    let calls = [
        ToolCall::new("a", "find_order", r#"{"number": 8}"#),
        ToolCall::new("b", "find_order", r#"{"number": "eight"}"#),
        ToolCall::new("c", "read_note", r#"{"number": 7}"#),
        ToolCall::new("d", "days_left", r#"{"number": 11}"#),
        ToolCall::new("e", "cancel_order", r#"{"number": 7}"#),
        ToolCall::new("f", "find_order", r#"{"number": 7}"#),
    ];
    let answer = "Your three hats are on their way. I could not read the note.";
    let model = ScriptedModel::new([
        ModelResponse::from_calls(calls),
        ModelResponse::from_text(answer),
    ]);
    let runner = Runner::builder(model)
        .tools(toolset![find_order, read_note, days_left])
        .build()?;

    println!("You: Where is my order?");
    let outcome = runner.run("Where is my order?").await?;
    for (call, result) in outcome.tool_rounds().flat_map(ToolRound::answered_calls) {
        println!("\n{}({})", call.name, call.arguments);
        println!("  the model reads");
        println!("    {}", result.to_model_text().replace(": ", ":\n    "));
        let error = result.outcome.as_ref().err();
        if let Some(log) = error.and_then(|error| error.log.as_ref()) {
            println!("  the log reads\n    {log}");
        }
    }
    println!("\nModel: {outcome}");
    println!("\nShown: five of six calls failed, the model read why, and the run went on.");
    Ok(())
}

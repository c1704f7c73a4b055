//! What can go wrong, and who is told.
//!
//! A tool that fails does not fail the run: the model is told, in words made for it, and goes on.
//! What goes wrong outside of the tools is an `Err`, which holds what the run had done by then.
//!
//! ```text
//! cargo run --example error_handling
//! ```

use toolwright::{
    ModelError, ModelErrorKind, ModelResponse, Runner, ToolCall, ToolError, ToolRound,
    testing::{ScriptedModel, ScriptedReply},
    tool, toolset,
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
    let model = ScriptedModel::new([
        ScriptedReply::from(ModelResponse::from_calls(calls)),
        ModelError::new(ModelErrorKind::Overloaded, "try again later").into(),
    ]);
    let runner = Runner::builder(model)
        .tools(toolset![find_order, read_note, days_left])
        .build()?;

    let error = runner
        .run("Where is my order?")
        .await
        .expect_err("the model is overloaded");
    println!("The run ended with an error: {error}\n");
    println!("What it had done by then is not lost:");
    for (call, result) in error
        .outcome
        .tool_rounds()
        .flat_map(ToolRound::answered_calls)
    {
        println!("\n{}({})", call.name, call.arguments);
        let read = result.to_model_text().replace('\n', "\n    ");
        println!("  the model reads: {read}");
        if let Err(ToolError { log: Some(log), .. }) = &result.outcome {
            println!("  the log reads:   {log}");
        }
    }
    Ok(())
}

//! Checks of the application: of a question before the model sees it, of an answer before anybody reads it, and of what
//! a tool is to do before it does it.
//!
//! ```text
//! cargo run -p examples --example guardrails
//! ```

use toolwright::{
    ErrorCategory, ModelResponse, Runner, ToolCall, ToolError,
    message::{Part, UserMessage},
    middleware,
    model::Guarded,
    runner::UserInput,
    testing::ScriptedModel,
    tool, toolset,
};

/// Refund an order to its customer.
#[tool]
async fn refund(order: u32, euros: u32) -> String {
    format!("refunded {euros} euros for order {order}")
}

/// What a check reads of the arguments of `refund`.
#[derive(serde::Deserialize)]
struct Refund {
    euros: u32,
}

/// Refuses what is not for this assistant. A real one might ask a small model.
async fn about_orders(input: UserInput) -> Result<UserMessage, &'static str> {
    let is_text = |part: &Part| matches!(part, Part::Text(text) if text.contains("order"));
    if input.message.parts.iter().any(is_text) {
        return Ok(input.message);
    }
    Err("I only know about orders.")
}

/// Refuses an answer with an address of a person.
async fn without_addresses(answer: String) -> Result<(), &'static str> {
    if answer.contains('@') {
        return Err("it has an address of a person");
    }
    Ok(())
}

/// The model asks for too much, tells an address, and says it again without it.
fn scripted() -> ScriptedModel {
    let call = ToolCall::new("1", "refund", r#"{"order": 7, "euros": 900}"#);
    ScriptedModel::new([
        ModelResponse::from_calls([call]),
        ModelResponse::from_text("I cannot refund that. Write to ada@example.com."),
        ModelResponse::from_text("I cannot refund that. Write to the support."),
    ])
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Guarded::new(scripted()).check_answer(without_addresses);
    let small = middleware::check(async |refund: Refund, _| match refund.euros {
        ..=100 => Ok(()),
        _ => Err(ToolError::new(
            ErrorCategory::PermissionDenied,
            "a refund has at most 100 euros",
        )),
    });
    let tools = toolset![refund].layer_for("refund", small)?;
    let runner = Runner::builder(model)
        .check_input(about_orders)
        .tools(tools)
        .build()?;

    let refused = runner.run("Write a poem.").await?;
    println!("{refused}");

    let outcome = runner.run("Refund order 7, 900 euros.").await?;
    for round in outcome.tool_rounds() {
        println!("refund: {}", round.results[0].to_model_text());
    }
    for warning in &outcome.warnings {
        println!("{}", warning.message);
    }
    println!("{outcome}");
    println!(
        "Shown: a question that was not sent, a call that did not run, an answer that was mended."
    );
    Ok(())
}

//! Calls that a person approves, who is elsewhere: the events of the run show what waits, and the decision reaches the run
//! from another task. The person may change the arguments.
//!
//! ```text
//! cargo run -p examples --example approvals
//! ```

use std::time::Duration;

use toolwright::{
    ModelResponse, Runner, ToolCall,
    approval::{Decision, visible_line},
    message::ToolRound,
    run::{Delay, Record},
    runner::RunEvent,
    testing::ScriptedModel,
    tool, toolset,
};

/// Pay an invoice of the user.
#[tool(approval)]
async fn pay(euros: u64) -> String {
    format!("paid {euros} euros")
}

/// Show the balance of the user.
#[tool(read_only)]
async fn balance() -> u64 {
    1200
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([
            ToolCall::new("a", "pay", r#"{"euros": 5}"#),
            ToolCall::new("b", "pay", r#"{"euros": 900}"#),
            ToolCall::new("c", "balance", "{}"),
        ]),
        ModelResponse::from_text("I paid 3 of it."),
    ]);
    let runner = Runner::builder(model)
        .tools(toolset![pay, balance])
        // A person has so long, before the run is suspended.
        .suspend_after(Duration::from_secs(600))
        .build()?;
    let mut run = runner.start("Pay my invoices.");

    let mut decisions = [
        Decision::approve_with(r#"{"euros":3}"#),
        Decision::deny("too much for one day"),
    ]
    .into_iter();
    while let Some(event) = run.next().await {
        if let RunEvent::Recorded { record, .. } = event
            && let Record::CallDelayed { call: id, why } = record
            && why == Delay::Approval
            && let Some(call) = run.call(id)
            && let Some(decision) = decisions.next()
        {
            let arguments = visible_line(&call.arguments);
            println!("asked for  {}({arguments}): {decision:?}", call.name);
            // Somebody else, who sees the call on a page.
            let person = run.control();
            tokio::spawn(async move { person.decide(id, decision) });
        }
    }
    let outcome = run.outcome().await?;
    for (call, result) in outcome.tool_rounds().flat_map(ToolRound::answered_calls) {
        println!("{:10} {}", call.name, result.to_model_text());
    }
    println!("\nShown: one call ran as the person changed it, one did not run, one needed nobody.");
    Ok(())
}

//! Calls that a person approves, who is elsewhere: the request goes into a queue, and the answer comes
//! back when it is there. The person may change the arguments.
//!
//! ```text
//! cargo run -p examples --example approvals
//! ```

use toolwright::{
    ModelResponse, Runner, ToolCall,
    approval::{ApprovalQueue, Decision},
    dispatch::CallOptions,
    message::ToolRound,
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
    let (approver, queue) = ApprovalQueue::new();
    let runner = Runner::builder(model)
        .tools(toolset![pay, balance])
        .calls(CallOptions::new().with_approver(approver))
        .build()?;

    // Somebody at another machine, who sees the queue on a page.
    let person = async {
        for decision in [
            Decision::approve_with(r#"{"euros":3}"#),
            Decision::deny("too much for one day"),
        ] {
            let pending = queue.next().await.ok_or("nobody asks")?;
            let call = &pending.request.call;
            println!("asked for  {}({}): {decision:?}", call.name, call.arguments);
            queue.answer(pending.id, decision)?;
        }
        Ok::<_, Box<dyn std::error::Error>>(())
    };
    let (outcome, answered) = tokio::join!(runner.run("Pay my invoices."), person);
    answered?;
    let outcome = outcome?;
    for (call, result) in outcome.tool_rounds().flat_map(ToolRound::answered_calls) {
        println!("{:10} {}", call.name, result.to_model_text());
    }
    println!("\nShown: one call ran as the person changed it, one did not run, one needed nobody.");
    Ok(())
}

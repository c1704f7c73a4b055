//! Agents that hand one conversation over to each other: the one who answers last has the next question as well.
//!
//! ```text
//! cargo run -p examples --example transfers
//! ```

use toolwright::{
    Conversation, ModelResponse, Runner, ToolCall,
    run::Record,
    runner::{Agent, RunEvent},
    testing::ScriptedModel,
    tool, toolset,
};

/// Look up an invoice.
#[tool(read_only)]
fn find_invoice(number: u32) -> String {
    format!("invoice {number}: 240 crowns, paid twice")
}

fn calls(name: &str, arguments: &str) -> ModelResponse {
    ModelResponse::from_calls([ToolCall::new("1", name, arguments)])
}

fn runner() -> Result<Runner, Box<dyn std::error::Error>> {
    let billing = Runner::builder(ScriptedModel::new([
        calls("find_invoice", r#"{"number": 17}"#),
        ModelResponse::from_text("You paid invoice 17 twice. Shall I send 240 crowns back?"),
        ModelResponse::from_text("They are on their way."),
        calls("transfer_to_triage", r#"{"reason": "asks for a password"}"#),
    ]))
    .system("You look after invoices and refunds.")
    .tools(toolset![find_invoice])
    .build()?;

    let support = Runner::builder(ScriptedModel::new([ModelResponse::from_text(
        "Use the link in your mail to set a new one.",
    )]))
    .system("You help with accounts and passwords.")
    .build()?;

    Ok(Runner::builder(ScriptedModel::new([
        calls("transfer_to_billing", r#"{"reason": "paid twice"}"#),
        calls("transfer_to_support", "{}"),
    ]))
    .system("Find out who can help, and hand the conversation over.")
    .agent_name("triage", "Finds out who can help.")
    .agent(Agent::new("billing", "Knows invoices and refunds.", billing).transfers_to(["triage"]))
    .agent(Agent::new(
        "support",
        "Knows accounts and passwords.",
        support,
    ))
    .build()?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runner = runner()?;
    let mut conversation = Conversation::new();
    for question in ["I paid twice.", "Yes, please.", "I forgot my password."] {
        println!("user     {question}");
        let mut run = runner
            .request(question)
            .within(conversation.clone())
            .start();
        while let Some(event) = run.next().await {
            if let RunEvent::Recorded {
                record: Record::Transferred { from, to, .. },
                ..
            } = event
            {
                println!("         {from} hands over to {to}");
            }
        }
        let outcome = run.outcome().await?;
        let agent = outcome.agent.as_deref().unwrap_or_default();
        println!("{agent:8} {outcome}\n");
        conversation = outcome.conversation;
    }
    println!("Shown: three agents had one conversation, which stayed with whoever answered last.");
    Ok(())
}

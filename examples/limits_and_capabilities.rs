//! What an application lets tools do: which are there, how long they may take, how often they may be
//! called, and whom somebody asks first.
//!
//! ```text
//! cargo run --example limits_and_capabilities
//! ```

use std::time::Duration;

use toolwright::{
    Admission, ApprovalQueue, Capabilities, Decision, DispatchOptions, ModelResponse, RateLimiter,
    Runner, ToolCall, Toolset, testing::ScriptedModel, tool, toolset,
};

/// A capability of this application, one of 16.
const PAYMENTS: Capabilities = Capabilities::application(0);

/// Look a word up in the dictionary.
#[tool(read_only, rate_limit = "2/min")]
async fn look_up(word: &str) -> String {
    format!("{word}: see under words")
}

/// Search the web, which may take long.
#[tool(read_only, timeout = "50ms", requires(network))]
async fn search(query: &str) -> String {
    tokio::time::sleep(Duration::from_mins(10)).await;
    format!("what there is of {query}")
}

/// Pay an invoice of the user.
#[tool(requires(network, PAYMENTS), approval)]
async fn pay(cents: u64) -> String {
    format!("paid {cents} cents")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = toolset![look_up, search, pay];
    list("all", &tools);
    list("without the network", &tools.granted(Capabilities::NONE));
    list("allowed", &tools.only(["look_up", "search"])?);
    if let Err(error) = tools.without(["pya"]) {
        println!("a deny list: {error}");
    }

    // A batch: what is not granted is not there, and what takes too long is over.
    let calls = [
        ToolCall::new("a", "look_up", r#"{"word": "tea"}"#),
        ToolCall::new("b", "search", r#"{"query": "tea"}"#),
        ToolCall::new("c", "pay", r#"{"cents": 500}"#),
    ];
    let options = DispatchOptions::new().with_granted(Capabilities::NETWORK);
    println!("\nA batch that grants the network");
    for (call, result) in calls
        .iter()
        .zip(tools.dispatch_under(&calls, &options).await)
    {
        println!("{}: {}", call.name, result.to_model_text());
    }

    // A runner shows the model no more than it grants.
    let model = ScriptedModel::new([ModelResponse::from_text("I cannot pay.")]);
    let runner = Runner::builder(model)
        .tools(tools.clone())
        .grant(Capabilities::NETWORK)
        .build()?;
    println!("\nA runner that grants the network");
    list("its tools", &runner.tools());
    println!("model: {}", runner.run("Pay my invoice.").await?.text);

    // How often: calls have their turns.
    println!("\nTurns of look_up, two a minute");
    let limiter = RateLimiter::new();
    let limit = tools.policy("look_up").rate_limit.ok_or("it has a limit")?;
    for number in 1..=3 {
        match limiter.admit("look_up", limit) {
            Admission::Now => println!("call {number}: now"),
            Admission::After(turn) => println!("call {number}: in {} s", turn.wait().as_secs() + 1),
            Admission::Refused { .. } => println!("call {number}: refused"),
            _ => {}
        }
    }

    // Who is asked: a person who is elsewhere. Meanwhile the calls beside it go on.
    println!("\nA batch in which somebody is asked, and changes the arguments");
    let (approver, queue) = ApprovalQueue::new();
    let options = DispatchOptions::new()
        .with_granted(Capabilities::NETWORK | PAYMENTS)
        .with_approver(approver);
    let person = async {
        let pending = queue.next().await.ok_or("nobody asked")?;
        let call = &pending.request.call;
        println!("asked for {} with {}", call.name, call.arguments);
        queue.answer(pending.id, Decision::approve_with(r#"{"cents": 300}"#))?;
        Ok::<_, Box<dyn std::error::Error>>(())
    };
    let (results, answered) = tokio::join!(tools.dispatch_under(&calls, &options), person);
    answered?;
    for (call, result) in calls.iter().zip(results) {
        println!("{}: {}", call.name, result.to_model_text());
    }
    Ok(())
}

fn list(what: &str, tools: &Toolset) {
    println!("{what}: {}", tools.names().collect::<Vec<_>>().join(", "));
}

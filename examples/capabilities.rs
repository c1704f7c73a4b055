//! What an application lets tools do: a tool that requires what is not granted is neither shown to the
//! model nor called.
//!
//! ```text
//! cargo run -p examples --example capabilities
//! ```

use toolwright::{
    ModelResponse, Runner, ToolCall, Toolset, dispatch::CallOptions, message::ToolRound,
    testing::ScriptedModel, tool, tool::Capabilities, toolset,
};

/// A capability of this application, one of 16.
const PAYMENTS: Capabilities = Capabilities::application(0);

/// Look a word up in the dictionary.
#[tool(read_only)]
async fn look_up(word: &str) -> String {
    format!("{word}: see under words")
}

/// Search the web.
#[tool(read_only, requires(network))]
async fn search(query: &str) -> String {
    format!("what there is of {query}")
}

/// Pay an invoice of the user.
#[tool(requires(network, PAYMENTS))]
async fn pay(cents: u64) -> String {
    format!("paid {cents} cents")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = toolset![look_up, search, pay];
    list("all tools", &tools);
    list("nothing granted", &tools.granted(Capabilities::NONE));
    list("the network granted", &tools.granted(Capabilities::NETWORK));
    list("by an allow list", &tools.only(["look_up", "pay"])?);

    let model = ScriptedModel::new([
        // It was not shown this tool, and calls it all the same.
        ModelResponse::from_calls([ToolCall::new("a", "pay", r#"{"cents": 500}"#)]),
        ModelResponse::from_text("I cannot pay."),
    ]);
    let runner = Runner::builder(model)
        .tools(tools)
        .calls(CallOptions::new().with_granted(Capabilities::NETWORK))
        .build()?;
    let outcome = runner.run("Pay my invoice.").await?;
    println!("\nA runner that grants the network");
    for (call, result) in outcome.tool_rounds().flat_map(ToolRound::answered_calls) {
        let read = result.to_model_text().replace('\n', "\n  ");
        println!("  {}({}): {read}", call.name, call.arguments);
    }
    println!("\nShown: what is not granted is not there, whatever the model calls.");
    Ok(())
}

fn list(what: &str, tools: &Toolset) {
    println!("{what:20} {}", tools.names().collect::<Vec<_>>().join(", "));
}

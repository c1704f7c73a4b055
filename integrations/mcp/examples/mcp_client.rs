//! Tools of a server in a run, offline: the server is in this process, and the model is a script.
//!
//! `cargo run -p toolwright-mcp --example mcp_client`

use std::{error::Error, io};

use toolwright::{
    ModelResponse, Runner, ToolCall,
    mcp::{Client, Service},
    testing::ScriptedModel,
    tool, toolset,
};

/// Look up the opening hours of a shop.
#[tool(read_only)]
async fn opening_hours(
    /// The name of the shop.
    shop: String,
) -> String {
    format!("{shop} is open from 9 to 17")
}

/// The server of somebody else: most are programs (`Client::stdio`) or have an address (`Client::http`).
async fn server() -> Result<Client, Box<dyn Error>> {
    let service = Service::new(toolset![opening_hours]).named("shops", "1.0.0");
    let client = Client::pipe(move || {
        let (here, there) = tokio::io::duplex(64 << 10);
        let service = service.clone();
        tokio::spawn(async move { service.serve(tokio::io::split(there)).await });
        io::Result::Ok(tokio::io::split(here))
    });
    Ok(client.await?)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let listed = server().await?.prefixed("shops_").list().await?;
    for tool in listed.tools.definitions() {
        println!("{}: {}", tool.name, tool.description);
    }
    for refused in &listed.refused {
        println!("not used: {refused}");
    }

    let call = ToolCall::new("1", "shops_opening_hours", r#"{"shop": "The Corner"}"#);
    let model = ScriptedModel::new([
        ModelResponse::from_calls([call]),
        ModelResponse::from_text("The Corner opens at 9."),
    ]);
    let runner = Runner::builder(model).tools(listed.tools).build()?;
    let outcome = runner.run("When does The Corner open?").await?;
    for result in outcome.tool_rounds().flat_map(|round| &round.results[..]) {
        println!("the server: {}", result.to_model_text());
    }
    println!("{}", outcome.text);
    Ok(())
}

//! The server that the conformance suite of the Model Context Protocol calls: with `stdio` at the standard input and output, else
//! at an address that it prints. Names and texts are those that the suite looks for.

mod all;
mod asking;
mod changing;
mod content;
mod long;
mod tools;

use toolwright::{mcp, toolset::ToolRegistry};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = ToolRegistry::from(all::tools()?);
    let service = mcp::Service::new(tools.clone())
        .named("toolwright-conformance", "0.1.0")
        .with_extension(tools);
    let service = long::add(content::add(service)?);
    if std::env::args().any(|argument| argument == "stdio") {
        return Ok(service.serve_stdio().await?);
    }
    let router = axum::Router::new().nest_service("/mcp", service.http());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, router).await?;
    Ok(())
}

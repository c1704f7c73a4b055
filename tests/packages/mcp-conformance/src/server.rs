//! The server that the conformance suite of the Model Context Protocol calls, at `http://127.0.0.1:<port>/mcp`. It prints its
//! address. Names and texts are those that the suite looks for.

mod tools;

use toolwright::mcp;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = tools::registry()?;
    let service = mcp::Service::new(tools.clone())
        .named("toolwright-conformance", "0.1.0")
        .with_extension(tools);
    let router = axum::Router::new().nest_service("/mcp", service.http());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, router).await?;
    Ok(())
}

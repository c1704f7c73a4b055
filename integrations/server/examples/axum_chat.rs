//! A chat in an application's own axum router. The stream of an answer is read by `useChat`, or by any reader of
//! server-sent events, and goes on when the reader comes back.
//!
//! ```sh
//! cargo run -p toolwright-server --example axum_chat              # asks itself once
//! cargo run -p toolwright-server --example axum_chat -- --serve   # serves until it is stopped
//! ```

use std::{env, net::SocketAddr};

use axum::{Router, routing::get};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use toolwright::{
    ModelResponse, Runner, ToolCall, server::Server, store::MemoryStore, testing::ScriptedModel,
    tool, toolset,
};

/// Get the weather in a city as it is now.
#[tool(read_only)]
fn get_weather(
    /// The city, for example "Oslo".
    city: String,
) -> String {
    format!("rain in {city}")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = ScriptedModel::new([
        ModelResponse::from_calls([ToolCall::new("1", "get_weather", r#"{"city":"Oslo"}"#)]),
        ModelResponse::from_text("Take a raincoat."),
    ]);
    let runner = Runner::builder(model)
        .tools(toolset![get_weather])
        .store("chat", MemoryStore::new())
        .build()?;
    let shutdown = async { tokio::signal::ctrl_c().await.unwrap_or_default() };
    // `running` goes on with runs that a crash has interrupted, until the shutdown.
    let (chat, running) = Server::new(runner)?.into_router(shutdown);
    let app = Router::new()
        .route("/health", get(async || "well"))
        .nest("/api", chat);

    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let app = app.into_make_service_with_connect_info::<SocketAddr>();
    let serving = axum::serve(listener, app).with_graceful_shutdown(running);
    let serving = tokio::spawn(async move { serving.await });
    if env::args().any(|argument| argument == "--serve") {
        println!("http://{address}/api/chat");
        return Ok(serving.await??);
    }
    for line in ask(address).await?.lines() {
        let data = line.strip_prefix("data: ").unwrap_or_default();
        if data.contains("-delta") || data.contains("-available") {
            println!("{}", data.chars().take(100).collect::<String>());
        }
    }
    println!("Shown: a run as the stream of a route in an application's own router");
    Ok(())
}

/// Asks as a page does, and reads the whole answer.
async fn ask(address: SocketAddr) -> std::io::Result<String> {
    let parts = r#"[{"type":"text","text":"What should I wear in Oslo?"}]"#;
    let message = format!(r#"{{"id":"m1","role":"user","parts":{parts}}}"#);
    let body = format!(r#"{{"id":"c1","trigger":"submit-message","messages":[{message}]}}"#);
    let request = format!(
        "POST /api/chat HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let mut socket = TcpStream::connect(address).await?;
    socket.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await?;
    Ok(answer)
}

//! What leaves a call: secrets are taken out of it, and a long output is cut and kept elsewhere.
//!
//! ```text
//! cargo run -p examples --example output
//! ```

use serde_json::{Value, json};
use toolwright::{
    Dispatch, ToolCall,
    dispatch::{CallOptions, DispatchOptions, OversizedOutput},
    redact::Secrets,
    tool, toolset,
};

/// Show the headers that the server got.
#[tool(read_only)]
async fn show_headers() -> Value {
    json!({"host": "example.com", "authorization": "Bearer sk-4711"})
}

/// Read the log of the server.
#[tool(read_only)]
async fn read_log() -> String {
    "all is well\n".repeat(1_000)
}

#[tokio::main]
async fn main() {
    let tools = toolset![show_headers, read_log];
    let options = DispatchOptions::from(
        CallOptions::new()
            .with_redaction(Secrets::new(["sk-4711"]))
            .with_max_output(200)
            .with_overflow(keep),
    );

    let calls = [
        ToolCall::new("a", "show_headers", "{}"),
        ToolCall::new("b", "read_log", "{}"),
    ];
    for (call, result) in calls
        .iter()
        .zip(tools.dispatch_with(&calls, &options).await)
    {
        println!("{}\n{}\n", call.name, result.to_model_text());
    }
    println!("Shown: the model reads no key, and 200 bytes of a log whose whole is kept.");
}

/// Stands for a place where whole outputs are kept. The model is told their name.
async fn keep(overflow: OversizedOutput) -> Option<String> {
    let bytes = overflow.result.to_model_text().len();
    println!("({bytes} bytes of {} are kept)\n", overflow.tool);
    Some(format!("{}.txt", overflow.tool))
}

//! Clients that mean harm: no panic, no wait past the limits, bounded memory, and nothing lost.

mod over_http;
mod over_pipe;

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::{Notify, Semaphore};
use toolwright::{ToolContext, tool, tool::Extension, toolset};
use toolwright_mcp::Service;

/// Say how long a text is.
#[tool(read_only)]
fn measure(
    /// The text.
    text: String,
) -> usize {
    text.len()
}

/// Where calls wait, and what says that one was cancelled.
#[derive(Clone)]
struct Gate {
    permits: Arc<Semaphore>,
    inside: Arc<Semaphore>,
    cancelled: Arc<Notify>,
}

/// Wait until the gate is open, and give the number back.
#[tool(read_only)]
async fn wait_at_gate(
    /// The number.
    number: u32,
    #[context] cx: &ToolContext,
    #[context] Extension(gate): Extension<Gate>,
) -> u32 {
    gate.inside.add_permits(1);
    tokio::select! {
        permit = gate.permits.acquire() => permit.unwrap().forget(),
        () = cx.cancelled() => gate.cancelled.notify_one(),
    }
    number
}

fn service() -> (Service, Gate) {
    let gate = Gate {
        permits: Arc::new(Semaphore::new(0)),
        inside: Arc::new(Semaphore::new(0)),
        cancelled: Arc::default(),
    };
    let service = Service::new(toolset![measure, wait_at_gate]).with_extension(gate.clone());
    (service, gate)
}

fn request(id: impl Into<Value>, method: &str, params: impl Into<Value>) -> Value {
    let (id, params) = (id.into(), params.into());
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn initialize() -> Value {
    let info = json!({"name": "hostile", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info});
    request("begin", "initialize", params)
}

fn call(id: impl Into<Value>, name: &str, arguments: impl Into<Value>) -> Value {
    let params = json!({"name": name, "arguments": arguments.into()});
    request(id, "tools/call", params)
}

/// The text of the answer to a call.
fn text(answer: &Value) -> &str {
    let text = &answer["result"]["content"][0]["text"];
    text.as_str().unwrap_or_else(|| panic!("{answer}"))
}

/// Arrays in arrays, without an end.
fn deep() -> String {
    let levels = "[".repeat(100_000);
    let params = format!(r#"{{"name":"measure","arguments":{{"text":{levels}}}}}"#);
    format!(r#"{{"jsonrpc":"2.0","id":"deep","method":"tools/call","params":{params}}}"#)
}

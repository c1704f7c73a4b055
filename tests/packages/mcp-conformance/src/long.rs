//! Tools whose calls are tasks.

use std::time::Duration;

use toolwright::{ToolError, Toolset, mcp::Service, store::MemoryStore, tool, toolset};

pub(crate) fn tools() -> Toolset {
    toolset![
        greet,
        slow_compute,
        failing_job,
        protocol_error_job,
        confirm_delete,
    ]
}

pub(crate) fn add(service: Service) -> Service {
    service
        .store("conformance", MemoryStore::new())
        .long("slow_compute")
        .only_as_task("failing_job")
        .long("protocol_error_job")
        .long("confirm_delete")
}

/// Greet somebody, at once.
#[tool(read_only)]
fn greet(
    /// Who is greeted
    name: String,
) -> String {
    format!("Hello, {name}!")
}

/// Take some seconds.
#[tool(read_only, timeout = "2m")]
async fn slow_compute(
    /// How many
    seconds: u64,
    /// What it is for
    label: Option<String>,
) -> String {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    format!("{} was computed", label.as_deref().unwrap_or("It"))
}

/// Fail with a text.
#[tool(read_only)]
async fn failing_job() -> Result<String, ToolError> {
    tokio::time::sleep(Duration::from_secs(1)).await;
    Err(ToolError::not_found("there is no such job"))
}

/// Fail without a text.
#[tool(read_only)]
fn protocol_error_job() -> String {
    panic!("it was asked to")
}

/// Delete a file after a person has approved it.
#[tool(destructive, approval)]
fn confirm_delete(
    /// The file
    filename: String,
) -> String {
    format!("deleted {filename}")
}

//! Servers that mean harm: no panic, no wait past the limits, bounded memory, and nothing lost.

mod over_http;
mod over_pipe;

use toolwright::{ErrorCategory, Toolset, testing};

/// The text of a call's result, or what went wrong.
async fn called(tools: &Toolset, name: &str) -> Result<String, ErrorCategory> {
    let output = testing::call(tools, name, serde_json::json!({})).await;
    let text = output.map(|output| output.to_text().to_string());
    text.map_err(|error| error.category)
}

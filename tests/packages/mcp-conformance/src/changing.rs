//! Tools that change the server, or ask a person.

use toolwright::{ToolContext, ToolError, Toolset, tool, toolset, toolset::ToolRegistry};

pub(crate) fn tools() -> Toolset {
    toolset![test_streaming_elicitation, test_trigger_tool_change]
}

/// Ask a person before it runs.
#[tool(approval)]
fn test_streaming_elicitation() -> &'static str {
    "A person approved it"
}

/// Add a tool, or take it away again.
#[tool]
fn test_trigger_tool_change(#[context] cx: &ToolContext) -> Result<(), ToolError> {
    let tools: &ToolRegistry = cx.require()?;
    if tools.remove("test_added").is_none() {
        tools.insert(test_added {}).map_err(ToolError::internal)?;
    }
    Ok(())
}

/// Be there, or not.
#[tool(read_only)]
fn test_added() {}

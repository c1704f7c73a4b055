//! Lines about what a provider did itself.

use crate::message::ToolActivity;

/// A tool that the provider has run: what it was asked for, and what came of it.
pub(super) fn of_tool(tool: &ToolActivity) -> String {
    let ToolActivity { kind, input, .. } = tool;
    let outcome = match tool.sources.len() {
        _ if tool.failed => "failed".to_owned(),
        0 if !tool.output.is_empty() => tool.output.clone(),
        0 => "done".to_owned(),
        1 => "1 source".to_owned(),
        count => format!("{count} sources"),
    };
    format!("the provider ran {kind}({input}): {outcome}")
}

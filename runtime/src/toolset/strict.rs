//! Tools whose schema a provider is to enforce.

use std::sync::Arc;

use super::Toolset;
use crate::ToolError;
use crate::tool::{Call, Strict, Tool, ToolCall, ToolContext, ToolDefinition, ToolPolicy};

impl Toolset {
    /// Has providers enforce the schemas of all tools, by these rules. A tool that says so itself
    /// keeps its own.
    ///
    /// A tool that a provider's strict form cannot express, or that a request has no more room for,
    /// is sent without `strict`: one by one, and each response has a warning `not_strict` for it. To
    /// know beforehand, ask `Profile::render_all`.
    pub fn strict(self, strict: Strict) -> Self {
        let tools = self.iter().map(|tool| match tool.layers() {
            // Middleware stays outside, where more can join it.
            Some(layered) => Arc::new(layered.around(|tool| stricter(tool, strict))),
            None => stricter(tool, strict),
        });
        Self::from_checked(tools.collect()).sharing_limits(&self)
    }
}

fn stricter(tool: &Arc<dyn Tool>, strict: Strict) -> Arc<dyn Tool> {
    let tool = Arc::clone(tool);
    if tool.definition().strict.is_some() {
        return tool;
    }
    let definition = tool.definition().clone().with_strict(strict);
    Arc::new(StrictTool { tool, definition })
}

/// A tool under a definition that says `strict`.
struct StrictTool {
    tool: Arc<dyn Tool>,
    definition: ToolDefinition,
}

impl Tool for StrictTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, call: &'a ToolCall, cx: &'a ToolContext) -> Call<'a> {
        self.tool.call(call, cx)
    }

    fn policy(&self) -> ToolPolicy {
        self.tool.policy()
    }

    fn check(&self, call: &ToolCall) -> Result<(), ToolError> {
        self.tool.check(call)
    }
}

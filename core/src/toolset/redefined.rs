//! A tool under another definition.

use std::sync::Arc;

use crate::{
    ToolError,
    tool::{Call, ExtensionType, Tool, ToolCall, ToolContext, ToolDefinition, ToolPolicy},
};

/// A tool under another definition. It takes the same arguments.
struct Redefined {
    tool: Arc<dyn Tool>,
    definition: ToolDefinition,
}

/// The same tool under another definition, inside of the middleware that is around it.
pub fn redefined(
    tool: &Arc<dyn Tool>,
    change: impl FnOnce(ToolDefinition) -> ToolDefinition,
) -> Arc<dyn Tool> {
    if let Some(layered) = tool.layers() {
        // Middleware stays outside, where more can join it.
        return Arc::new(layered.around(|tool| bare(tool, change)));
    }
    bare(tool, change)
}

fn bare(
    tool: &Arc<dyn Tool>,
    change: impl FnOnce(ToolDefinition) -> ToolDefinition,
) -> Arc<dyn Tool> {
    Arc::new(Redefined {
        definition: change(tool.definition().clone()),
        tool: Arc::clone(tool),
    })
}

impl Tool for Redefined {
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

    fn extensions(&self) -> Vec<ExtensionType> {
        self.tool.extensions()
    }
}

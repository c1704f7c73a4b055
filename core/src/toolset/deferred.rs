//! Tools whose definitions are looked up.

use std::sync::Arc;

use super::{Toolset, redefined::redefined};
use crate::tool::ToolDefinition;

impl Toolset {
    /// Returns true if the definition of a tool is looked up.
    pub fn has_deferred(&self) -> bool {
        self.inner.deferred.contains(&true)
    }

    /// The same tools, of which this one is not looked up: the model has to call it.
    #[doc(hidden)]
    pub fn deferred_but(self, chosen: Option<&str>) -> Self {
        let is_chosen = |tool: &ToolDefinition| tool.deferred && chosen == Some(&*tool.name);
        if !self.definitions().any(is_chosen) {
            return self;
        }
        let tools = self.iter().map(|tool| {
            if is_chosen(tool.definition()) {
                return redefined(tool, |definition| definition.with_deferred(false));
            }
            Arc::clone(tool)
        });
        Self::from_checked(tools.collect()).sharing(&self)
    }

    /// Keeps the definitions of these tools out of requests until the model looks for them: for large sets, of which a
    /// question needs few. It is as if `#[tool(deferred)]` were written at each tool that the closure picks; the others
    /// stay as they are.
    ///
    /// A `Runner` offers a tool `search_tools` in their stead, or the search of the provider.
    ///
    /// ```
    /// use toolwright::{ToolCall, ToolError, Toolset, dynamic::DynamicTool};
    ///
    /// let run = async |_: ToolCall, _cx| Ok::<_, ToolError>(());
    /// let tools = Toolset::new()
    ///     .with(DynamicTool::builder("mail_send", "Send a mail to somebody.").build(run)?)?
    ///     .with(DynamicTool::builder("file_read", "Read a file of the user.").build(run)?)?;
    /// let tools = tools.deferred(|definition| definition.name != "file_read");
    /// let deferred: Vec<_> = tools.definitions().map(|definition| definition.deferred).collect();
    /// assert_eq!(deferred, [true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn deferred(self, mut is_deferred: impl FnMut(&ToolDefinition) -> bool) -> Self {
        let tools = self.iter().map(|tool| {
            let definition = tool.definition();
            if definition.deferred || !is_deferred(definition) {
                return Arc::clone(tool);
            }
            redefined(tool, |definition| definition.with_deferred(true))
        });
        Self::from_checked(tools.collect()).sharing(&self)
    }
}

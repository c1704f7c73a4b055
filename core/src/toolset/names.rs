//! Other names for tools.

use std::sync::Arc;

use super::{Toolset, ToolsetError, redefined::redefined};
use crate::tool::Tool;

impl Toolset {
    /// Puts a prefix before the name of every tool, for sets whose names clash. What the model calls and what errors,
    /// events and logs name is the new name. Middleware stays around the tools, and a
    /// [`DynamicTool`](crate::DynamicTool) runs under its original name.
    ///
    /// Rate limits count by name: the calls of the tools under their old names count apart.
    ///
    /// # Errors
    ///
    /// When a new name is not valid: it needs 1 to 64 letters, digits, `_` and `-`.
    ///
    /// ```
    /// use toolwright::{tool, toolset};
    ///
    /// mod crm {
    ///     /// Find a customer by name.
    ///     #[toolwright::tool(read_only)]
    ///     pub(super) fn find(name: String) -> String {
    ///         format!("{name} is customer 7")
    ///     }
    /// }
    ///
    /// /// Find a file by name.
    /// #[tool(read_only)]
    /// fn find(name: String) -> String {
    ///     format!("/home/{name}")
    /// }
    ///
    /// let tools = toolset![find].merge(toolset![crm::find].prefixed("crm_")?)?;
    /// assert_eq!(tools.names().collect::<Vec<_>>(), ["find", "crm_find"]);
    /// # Ok::<(), toolwright::toolset::ToolsetError>(())
    /// ```
    pub fn prefixed(&self, prefix: &str) -> Result<Self, ToolsetError> {
        self.called(|name| Some(format!("{prefix}{name}")))
    }

    /// Gives one tool another name. The rest is as for [`prefixed`](Self::prefixed).
    ///
    /// # Errors
    ///
    /// When no tool has the old name, another one has the new name, or the new name is not valid.
    pub fn renamed(&self, name: &str, new: &str) -> Result<Self, ToolsetError> {
        if self.find(name).is_none() {
            return Err(self.no_such_tool(name));
        }
        self.called(|other| (other == name).then(|| new.to_owned()))
    }

    /// The same tools in the same order, with the new names of those that get one.
    fn called(&self, new: impl Fn(&str) -> Option<String>) -> Result<Self, ToolsetError> {
        let mut tools = self.iter().map(|tool| {
            let Some(name) = new(&tool.definition().name) else {
                return Arc::clone(tool);
            };
            redefined(tool, |mut definition| {
                definition.name = name.into();
                definition
            })
        });
        let renamed = tools.try_fold(Self::new(), Self::with_shared)?;
        Ok(renamed.sharing(self))
    }
}

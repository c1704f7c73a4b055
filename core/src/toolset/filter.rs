//! Fewer tools than there are.

use std::sync::Arc;

use super::{Toolset, ToolsetError};
use crate::{
    arguments::near,
    tool::{Capabilities, Effects, Tool, ToolDefinition, ToolPolicy},
};

impl Toolset {
    /// The tools that a closure keeps, in their order. The closure gets the definition that the
    /// model would see, and the policy of the program.
    ///
    /// ```
    /// use toolwright::{ToolCall, ToolError, Toolset, dynamic::DynamicTool};
    ///
    /// let run = async |_: ToolCall, _cx| Ok::<_, ToolError>(());
    /// let tools = Toolset::new()
    ///     .with(DynamicTool::builder("mail_send", "Send a mail to somebody.").build(run)?)?
    ///     .with(DynamicTool::builder("file_read", "Read a file of the user.").build(run)?)?;
    /// let mail = tools.filtered(|definition, _| definition.name.starts_with("mail_"));
    /// assert_eq!(mail.names().collect::<Vec<_>>(), ["mail_send"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn filtered(&self, mut keep: impl FnMut(&ToolDefinition, &ToolPolicy) -> bool) -> Self {
        let inner = &self.inner;
        let pairs = inner.tools.iter().zip(&inner.policies);
        let kept: Vec<_> = pairs
            .filter(|(tool, policy)| keep(tool.definition(), policy))
            .map(|(tool, _)| Arc::clone(tool))
            .collect();
        if kept.len() == self.len() {
            // What was rendered of the definitions stays shared.
            return self.clone();
        }
        Self::from_checked(kept).sharing(self)
    }

    /// The tools of these names, in the order of the set: an allow list.
    ///
    /// # Errors
    ///
    /// When no tool has one of the names.
    pub fn only<N: AsRef<str>>(
        &self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<Self, ToolsetError> {
        self.listed(names, true)
    }

    /// The tools but those of these names: a deny list.
    ///
    /// # Errors
    ///
    /// When no tool has one of the names: a misspelled one would leave its tool on offer. Where names
    /// may be absent, use [`filtered`](Self::filtered).
    pub fn without<N: AsRef<str>>(
        &self,
        names: impl IntoIterator<Item = N>,
    ) -> Result<Self, ToolsetError> {
        self.listed(names, false)
    }

    /// The tools that do no more than this: with [`Effects::ReadOnly`] those that only read, with
    /// [`Effects::Idempotent`] also those that may run twice, with [`Effects::Write`] all.
    pub fn within(&self, effects: Effects) -> Self {
        self.filtered(|_, policy| match effects {
            Effects::ReadOnly => policy.effects == Effects::ReadOnly,
            Effects::Idempotent => policy.effects != Effects::Write,
            Effects::Write => true,
        })
    }

    /// The tools that require no more than these capabilities. To a model the others are not there: a
    /// call to one is answered as that of an unknown tool.
    pub fn granted(&self, capabilities: Capabilities) -> Self {
        let grants = |policy: &ToolPolicy| capabilities.contains(policy.requires);
        if self.inner.policies.iter().all(grants) {
            return self.clone();
        }
        self.filtered(|_, policy| grants(policy))
    }

    /// Returns true if it is a clone of the other, to which nothing was added since.
    #[doc(hidden)]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// The tools of some names, or those but these.
    fn listed<N: AsRef<str>>(
        &self,
        names: impl IntoIterator<Item = N>,
        are_kept: bool,
    ) -> Result<Self, ToolsetError> {
        let mut kept = vec![!are_kept; self.len()];
        for name in names {
            let place = self.inner.by_name.get(name.as_ref());
            kept[*place.ok_or_else(|| self.no_such_tool(name.as_ref()))?] = are_kept;
        }
        let mut kept = kept.into_iter();
        Ok(self.filtered(|_, _| kept.next().unwrap_or_default()))
    }

    /// Returns the error about a name that no tool has.
    pub(super) fn no_such_tool(&self, name: &str) -> ToolsetError {
        ToolsetError::Unknown {
            name: name.to_owned(),
            nearest: near(name, self.names()).map(str::to_owned),
        }
    }
}

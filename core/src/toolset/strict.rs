//! Tools whose schema a provider is to enforce.

use std::sync::Arc;

use super::{Toolset, redefined::redefined};
use crate::tool::{Strict, Tool};

impl Toolset {
    /// Has providers enforce the schemas of all tools, by these rules. A tool with a setting of its
    /// own keeps it.
    ///
    /// A tool that a provider's strict form cannot express, or that a request has no more room for,
    /// is sent without `strict`: one by one, and each response has a warning `not_strict` for it. To
    /// check beforehand, use `Profile::render_all`.
    pub fn strict(self, strict: Strict) -> Self {
        let tools = self.iter().map(|tool| {
            if tool.definition().strict.is_some() {
                return Arc::clone(tool);
            }
            redefined(tool, |definition| definition.with_strict(strict))
        });
        Self::from_checked(tools.collect()).sharing(&self)
    }
}

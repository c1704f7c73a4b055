//! The token of a context.

use std::sync::OnceLock;

use crate::tool::CancellationToken;

/// The token of a context: one that was given, or a child of one. Most calls never look at theirs, so
/// that the child is made when somebody does.
pub(super) enum ContextToken {
    Given(CancellationToken),
    #[cfg_attr(
        not(feature = "runtime"),
        expect(dead_code, reason = "runs and batches make it")
    )]
    Child {
        parent: CancellationToken,
        child: OnceLock<CancellationToken>,
    },
}

impl ContextToken {
    pub(super) fn get(&self) -> &CancellationToken {
        match self {
            Self::Given(token) => token,
            Self::Child { parent, child } => child.get_or_init(|| parent.child()),
        }
    }

    /// Whether it is cancelled. A child that nobody has asked for is as its parent is.
    pub(super) fn is_cancelled(&self) -> bool {
        match self {
            Self::Given(token) => token.is_cancelled(),
            Self::Child { parent, child } => child.get().unwrap_or(parent).is_cancelled(),
        }
    }

    #[cfg(feature = "runtime")]
    pub(super) fn child(&self) -> Self {
        Self::Child {
            parent: self.get().clone(),
            child: OnceLock::new(),
        }
    }
}

/// The same token.
impl Clone for ContextToken {
    fn clone(&self) -> Self {
        Self::Given(self.get().clone())
    }
}

impl Default for ContextToken {
    fn default() -> Self {
        Self::Given(CancellationToken::default())
    }
}

//! The token of a call.

use std::sync::OnceLock;

use crate::tool::CancellationToken;

/// The token of a call, below that of what is around it. It is made at the first use, since most
/// calls do not use it.
#[derive(Default)]
pub(super) struct OwnToken(OnceLock<CancellationToken>);

impl OwnToken {
    pub(super) fn below(&self, around: &CancellationToken) -> &CancellationToken {
        self.0.get_or_init(|| around.child())
    }

    /// The same token for a clone of the context.
    pub(super) fn share(&self, around: &CancellationToken) -> Self {
        Self(OnceLock::from(self.below(around).clone()))
    }

    /// The token, made at the first use. Before that, the parent's counts.
    pub(super) fn made(&self) -> Option<&CancellationToken> {
        self.0.get()
    }
}

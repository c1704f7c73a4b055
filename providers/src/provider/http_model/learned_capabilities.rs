//! Capabilities of the model at a server. They are learnt from its errors, because no list of names contains
//! them.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use toolwright_core::model::{ModelCapabilities, ModelError, ModelErrorKind};

/// The capabilities of a model, as far as they are set or learnt. Clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct LearnedCapabilities {
    set: Option<ModelCapabilities>,
    takes_no_tools: Arc<AtomicBool>,
}

impl LearnedCapabilities {
    /// Those that are set, whatever its errors say.
    pub(super) fn fixed(set: ModelCapabilities) -> Self {
        Self {
            set: Some(set),
            ..Self::default()
        }
    }

    /// The same settings for another server, of which nothing is known.
    pub(super) fn elsewhere(&self) -> Self {
        Self {
            set: self.set,
            ..Self::default()
        }
    }

    pub(super) fn learn(&self, error: &ModelError) {
        if error.kind == ModelErrorKind::ToolsUnsupported {
            self.takes_no_tools.store(true, Ordering::Relaxed);
        }
    }

    /// The capabilities of the model. `assumed` are those of its protocol.
    pub(super) fn known(&self, assumed: ModelCapabilities) -> ModelCapabilities {
        match self.set {
            Some(set) => set,
            None if self.takes_no_tools.load(Ordering::Relaxed) => assumed.with_tools(false),
            None => assumed,
        }
    }
}

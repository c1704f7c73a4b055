//! What those who run the calls of a set keep with it.

use std::{
    any::Any,
    sync::{Arc, OnceLock},
};

use super::Toolset;

/// A value of those who run the calls of a set. Sets that were made of this one share it.
#[derive(Clone, Default)]
pub(super) struct Attached(Arc<OnceLock<Arc<dyn Any + Send + Sync>>>);

impl Toolset {
    /// The value that is kept with the set, made at the first use. There is one, of one type.
    #[doc(hidden)]
    pub fn kept<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let kept = self.inner.kept.0.get_or_init(|| Arc::<T>::default());
        Arc::clone(kept).downcast().unwrap_or_default()
    }
}

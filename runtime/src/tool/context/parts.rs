//! The parts of the context of a call.

use std::{sync::Arc, time::Instant};

use super::{CallIdText, CallPlace, Extensions, Key, OwnToken, Progress, Shared, ToolContext};
use crate::random::DrawnId;

/// The parts of the context of a call, without the id, which the call has itself, and the deadline. They are small,
/// since they are moved to where the call runs.
pub(crate) struct ContextParts {
    shared: Arc<Shared>,
    progress: Progress,
    place: CallPlace,
    drawn: Option<DrawnId>,
}

impl ToolContext {
    /// Returns the parts of the context of a call below this one.
    #[inline]
    pub(crate) fn parts_for_call(&self) -> ContextParts {
        ContextParts {
            shared: self.shared_below(),
            progress: self.progress.child(),
            place: self.place,
            drawn: self.drawn,
        }
    }

    /// Returns the parts that [those of the calls](ContextParts::of_call) of a batch are made of. Its id is drawn if it
    /// has none. The extensions of this context take precedence.
    #[inline]
    pub(crate) fn parts_for_batch(
        &self,
        id: Option<Arc<str>>,
        extensions: &Extensions,
    ) -> ContextParts {
        let has_key = self.drawn.is_some() || !matches!(self.shared.key, Key::None);
        let id = match id {
            None if has_key => self.idempotency_key().map(Into::into),
            id => id,
        };
        let mut shared = self.shared_below();
        if !extensions.is_empty() {
            Arc::make_mut(&mut shared)
                .extensions
                .add_missing(extensions);
        }
        let drawn = match id {
            Some(id) => {
                Arc::make_mut(&mut shared).key = Key::Within(id);
                None
            }
            None => Some(DrawnId::next()),
        };
        ContextParts {
            shared,
            progress: self.progress.clone(),
            place: self.place,
            drawn,
        }
    }

    fn shared_below(&self) -> Arc<Shared> {
        match &self.own {
            None => Arc::clone(&self.shared),
            // It is a call itself, whose token is around this one's.
            Some(_) => Arc::new(Shared {
                cancellation: self.cancellation().clone(),
                ..Shared::clone(&self.shared)
            }),
        }
    }
}

impl ContextParts {
    /// Returns the parts of the context of one call of a batch.
    #[inline]
    pub(crate) fn of_call(&self, place: CallPlace) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            progress: self.progress.child(),
            place,
            drawn: self.drawn,
        }
    }

    /// Sets which attempt of which call of a run it is for.
    #[inline]
    pub(crate) fn at(mut self, place: CallPlace) -> Self {
        self.place = place;
        self
    }

    /// Sets who else hears what the call says, by what hears it so far.
    pub(crate) fn with_progress(mut self, heard: impl FnOnce(Progress) -> Progress) -> Self {
        self.progress = heard(self.progress);
        self
    }

    /// The context of a call: with a token of its own, so that it can be stopped alone, a way to say
    /// how far it is that ends with it, its id, and when the attempt is stopped.
    #[inline]
    pub(crate) fn into_context(self, call_id: &str, deadline: Option<Instant>) -> ToolContext {
        ToolContext {
            call_id: CallIdText::new(call_id),
            shared: self.shared,
            own: Some(OwnToken::default()),
            progress: self.progress,
            place: self.place,
            deadline,
            drawn: self.drawn,
        }
    }
}

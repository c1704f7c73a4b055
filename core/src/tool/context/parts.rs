//! The parts of the context of a call.

use std::{borrow::Cow, sync::Arc, time::Instant};

use super::{
    CallDriver, CallIdText, CallPlace, Clock, Extensions, Key, OwnToken, Progress, Shared,
    ToolContext, drawn_id::DrawnId,
};

/// The parts of the context of a call, without the id, which the call has itself, and the deadline. They are small,
/// since they are moved to where the call runs.
#[derive(Debug)]
pub struct ContextParts {
    shared: Arc<Shared>,
    progress: Progress,
    place: CallPlace,
    drawn: Option<DrawnId>,
    driver: Option<Arc<dyn CallDriver>>,
}

/// What the contexts of the calls of a batch are made of.
#[derive(Debug)]
pub struct BatchContext<'a> {
    shared: Cow<'a, Arc<Shared>>,
    progress: &'a Progress,
    drawn: Option<DrawnId>,
}

impl ToolContext {
    /// Returns the parts of the context of a call below this one.
    #[inline]
    #[doc(hidden)]
    pub fn parts_for_call(&self) -> ContextParts {
        ContextParts {
            shared: self.shared_below(),
            progress: self.progress.child(),
            place: self.place,
            drawn: self.drawn,
            // It is another call, which the run does not know.
            driver: None,
        }
    }

    /// Returns what the contexts of the calls of a batch are made of. Its id is drawn by that if it has none. The extensions of
    /// this context take precedence.
    #[inline]
    #[doc(hidden)]
    pub fn for_batch(
        &self,
        id: Option<&Arc<str>>,
        extensions: &Extensions,
        draw: impl FnOnce() -> DrawnId,
    ) -> BatchContext<'_> {
        let mut shared = match self.own {
            None => Cow::Borrowed(&self.shared),
            Some(_) => Cow::Owned(self.shared_below()),
        };
        if !extensions.is_empty() {
            let shared = Arc::make_mut(shared.to_mut());
            shared.extensions.add_missing(extensions);
        }
        let has_key = self.drawn.is_some() || !matches!(self.shared.key, Key::None);
        let id = match id {
            None if has_key => self.idempotency_key().map(Into::into),
            id => id.cloned(),
        };
        let drawn = match id {
            Some(id) => {
                Arc::make_mut(shared.to_mut()).key = Key::Within(id);
                None
            }
            None => Some(draw()),
        };
        BatchContext {
            shared,
            progress: &self.progress,
            drawn,
        }
    }

    fn shared_below(&self) -> Arc<Shared> {
        match &self.own {
            None => Arc::clone(&self.shared),
            // It is a call itself, whose token is around this one's.
            Some(_) => Arc::new(Shared {
                cancellation: self.cancellation(),
                ..Shared::clone(&self.shared)
            }),
        }
    }
}

impl BatchContext<'_> {
    /// Returns the parts of the context of one call.
    #[inline]
    pub fn of_call(&self, place: CallPlace) -> ContextParts {
        ContextParts {
            shared: Arc::clone(&self.shared),
            progress: self.progress.child(),
            place,
            drawn: self.drawn,
            driver: None,
        }
    }
}

impl ContextParts {
    /// Sets which attempt of which call of a run it is for.
    #[inline]
    pub fn at(mut self, place: CallPlace) -> Self {
        self.place = place;
        self
    }

    /// Sets what the driver of the call does for it.
    pub fn driven_by(mut self, driver: Option<Arc<dyn CallDriver>>) -> Self {
        self.driver = driver;
        self
    }

    /// Adds a listener to the updates of the call, made from the present one.
    pub fn with_progress(mut self, heard: impl FnOnce(Progress) -> Progress) -> Self {
        self.progress = heard(self.progress);
        self
    }

    /// The context of a call: with a token of its own, so that it can be stopped alone, a way to say
    /// how far it is that ends with it, its id, and when the attempt is
    /// stopped, by that clock.
    #[inline]
    pub fn into_context(
        self,
        call_id: &str,
        deadline: Option<Instant>,
        clock: fn() -> Instant,
    ) -> ToolContext {
        ToolContext {
            call_id: CallIdText::new(call_id),
            shared: self.shared,
            own: Some(OwnToken::default()),
            progress: self.progress,
            place: self.place,
            deadline,
            clock: Clock(clock),
            drawn: self.drawn,
            driver: self.driver,
        }
    }
}

//! The conversation that a run continues.

use crate::{
    runner::ConversationTurn,
    store::{ConversationId, ConversationRef},
};
use toolwright_core::{
    Conversation,
    run::{Failure, Finish, RunOutcome},
};

/// The conversation that a run continues: see [`RunRequest::within`](super::RunRequest::within).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no conversation that a run can continue",
    label = "give a conversation, or the id of one in the store of the runner",
    note = "write `&mut conversation`, `conversation`, or `ConversationId::new(\"…\")`",
    note = "write `&mut *conversation` for a parameter that is borrowed already, or for a guard"
)]
pub trait Within: place::Place {}

impl Within for Conversation {}
impl Within for &mut Conversation {}
impl Within for &mut ConversationTurn {}
impl Within for ConversationId {}
impl Within for &ConversationId {}
impl Within for ConversationRef {}
impl Within for &ConversationRef {}

/// A conversation that belongs to the run which continues it.
#[diagnostic::on_unimplemented(
    message = "a run that is started owns its conversation, and this one is borrowed",
    label = "`start` returns before the run has added anything to `{Self}`",
    note = "write `.run().await`, which gives back what the run added",
    note = "or `.within(conversation)`, which comes back as `RunOutcome::conversation`"
)]
pub trait OwnsConversation: Within {}

impl OwnsConversation for Conversation {}
impl OwnsConversation for ConversationId {}
impl OwnsConversation for &ConversationId {}
impl OwnsConversation for ConversationRef {}
impl OwnsConversation for &ConversationRef {}

/// What gave the conversation, and gets back what the run has left of it.
pub(super) struct GivenConversation<P> {
    place: P,
    give_back: fn(P, &Conversation),
}

impl<P> GivenConversation<P> {
    pub(super) fn by(place: P) -> Self
    where
        P: Within,
    {
        let give_back = place::Place::give_back;
        Self { place, give_back }
    }

    pub(super) fn give_back(self, outcome: &RunOutcome) {
        // A run that does not fit its runner has changed nothing, and its question can be asked again.
        if !matches!(outcome.finish, Finish::Failed(Failure::Options { .. })) {
            (self.give_back)(self.place, &outcome.conversation);
        }
    }
}

pub(super) mod place {
    use super::{Conversation, ConversationId, ConversationRef, ConversationTurn};

    /// Where a run begins, and what gets what it added.
    pub trait Place {
        /// The conversation that it begins with, if that is in no store.
        fn take(&mut self) -> Conversation {
            Conversation::new()
        }

        /// The conversation of the store, and the version that has to be the newest.
        fn stored(&self) -> Option<(ConversationId, Option<u64>)> {
            None
        }

        /// Gives the conversation back as the run has left it.
        fn give_back(self, _: &Conversation)
        where
            Self: Sized,
        {
        }
    }

    impl Place for Conversation {
        fn take(&mut self) -> Conversation {
            std::mem::take(self)
        }
    }

    impl Place for &mut Conversation {
        fn take(&mut self) -> Conversation {
            self.clone()
        }

        fn give_back(self, now: &Conversation) {
            self.clone_from(now);
        }
    }

    impl Place for &mut ConversationTurn {
        fn take(&mut self) -> Conversation {
            (***self).clone()
        }

        fn give_back(self, now: &Conversation) {
            (**self).clone_from(now);
        }
    }

    impl Place for ConversationId {
        fn stored(&self) -> Option<(ConversationId, Option<u64>)> {
            Some((self.clone(), None))
        }
    }

    impl Place for &ConversationId {
        fn stored(&self) -> Option<(ConversationId, Option<u64>)> {
            Some(((*self).clone(), None))
        }
    }

    impl Place for ConversationRef {
        fn stored(&self) -> Option<(ConversationId, Option<u64>)> {
            Some((self.id.clone(), Some(self.version)))
        }
    }
    impl Place for &ConversationRef {
        fn stored(&self) -> Option<(ConversationId, Option<u64>)> {
            (*self).clone().stored()
        }
    }
}

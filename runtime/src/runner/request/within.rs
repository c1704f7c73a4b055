//! The conversation that a run continues.

use crate::{
    runner::ConversationTurn,
    store::{ConversationId, ConversationRef},
};
pub(super) use origin::Origin;
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
pub trait Within: Sized {
    /// Returns where the run begins. The type has no public name, so that only these types are conversations.
    #[doc(hidden)]
    fn origin(&mut self) -> Origin;

    /// Gives the conversation back as the run has left it.
    #[doc(hidden)]
    fn give_back(self, _: &Conversation) {}
}

impl Within for Conversation {
    fn origin(&mut self) -> Origin {
        Origin::Here(std::mem::take(self))
    }
}

impl Within for &mut Conversation {
    fn origin(&mut self) -> Origin {
        Origin::Here(self.clone())
    }

    fn give_back(self, now: &Conversation) {
        self.clone_from(now);
    }
}

impl Within for &mut ConversationTurn {
    fn origin(&mut self) -> Origin {
        Origin::Here((***self).clone())
    }

    fn give_back(self, now: &Conversation) {
        (**self).clone_from(now);
    }
}

impl Within for ConversationId {
    fn origin(&mut self) -> Origin {
        Origin::Stored(self.clone(), None)
    }
}

impl Within for &ConversationId {
    fn origin(&mut self) -> Origin {
        Origin::Stored(self.clone(), None)
    }
}

impl Within for ConversationRef {
    fn origin(&mut self) -> Origin {
        Origin::Stored(self.id.clone(), Some(self.version))
    }
}

impl Within for &ConversationRef {
    fn origin(&mut self) -> Origin {
        Origin::Stored(self.id.clone(), Some(self.version))
    }
}

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
        Self {
            place,
            give_back: P::give_back,
        }
    }

    pub(super) fn give_back(self, outcome: &RunOutcome) {
        // A run that does not fit its runner has changed nothing, and its question can be asked again.
        if !matches!(outcome.finish, Finish::Failed(Failure::Options { .. })) {
            (self.give_back)(self.place, &outcome.conversation);
        }
    }
}

mod origin {
    use super::{Conversation, ConversationId};

    /// The conversation that a run begins with.
    #[derive(Debug)]
    pub enum Origin {
        Here(Conversation),
        /// In the store, where this version has to be the newest.
        Stored(ConversationId, Option<u64>),
    }
}

//! What an operation of a store sees.

use super::{StoreError, StoreErrorKind};
use toolwright_core::run::RunId;

/// What an operation of a [`Store`](super::Store) sees: what belongs to another owner is not there for it.
///
/// A run belongs to the [owner](super::RunInfo::owner) that it was created with, and a conversation to that of its first
/// version. What belongs to no owner is seen by [`All`](Self::All) alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope<'a> {
    /// Everything: the application itself.
    All,
    /// The runs and conversations of this owner.
    Owner(&'a str),
}

impl<'a> Scope<'a> {
    /// The owner, if it is that of one.
    pub fn owner(self) -> Option<&'a str> {
        match self {
            Self::All => None,
            Self::Owner(owner) => Some(owner),
        }
    }

    /// Returns true if what belongs to this owner is there for the operation.
    pub fn sees(self, owner: Option<&str>) -> bool {
        match self {
            Self::All => true,
            Self::Owner(own) => owner == Some(own),
        }
    }

    /// The error of a new run whose id is that of a run of this owner already, for those who write a store.
    pub fn exists(self, run: &RunId, owner: Option<&str>) -> StoreError {
        if self.sees(owner) {
            StoreError::exists(run)
        } else {
            StoreError::no_run(run)
        }
    }

    /// Checks that a version of a conversation may be followed by another one, for those who write a store. Version 0 is that
    /// of a new conversation. `found` is the conversation as it is stored, if it is: its owner and its newest version. `run` is
    /// the run that continues it, if there is one, with its owner.
    ///
    /// # Errors
    ///
    /// When the id of a new conversation is that of another owner ([`StoreErrorKind::NotFound`]); when a run continues the
    /// conversation ([`StoreErrorKind::ConversationBusy`]), which is named if the scope sees it; when its newest version
    /// is another one ([`StoreErrorKind::Outdated`]).
    pub fn check_newest(
        self,
        found: Option<(Option<&str>, u64)>,
        run: Option<(&RunId, Option<&str>)>,
        version: u64,
    ) -> Result<(), StoreError> {
        if !self.sees_conversation(found, run) {
            // As of an id that is unknown, which only a new conversation can have.
            return Err(match version {
                0 => no_conversation(),
                _ => StoreError::outdated(0),
            });
        }
        match (run, found.map_or(0, |(_, newest)| newest)) {
            (Some((run, owner)), _) if self.sees(owner) => Err(StoreError::conversation_busy(run)),
            (Some(_), _) => {
                let message = "another run is using the conversation";
                Err(StoreError::new(StoreErrorKind::ConversationBusy, message))
            }
            (None, newest) if newest == version => Ok(()),
            (None, newest) => Err(StoreError::outdated(newest)),
        }
    }

    /// Checks that a conversation may be deleted, for those who write a store. `found` and `run` are as for
    /// [`check_newest`](Self::check_newest).
    ///
    /// # Errors
    ///
    /// When the conversation does not exist ([`StoreErrorKind::NotFound`]); when a run continues it
    /// ([`StoreErrorKind::InUse`]), which is named if the scope sees it.
    pub fn check_unused(
        self,
        found: Option<(Option<&str>, u64)>,
        run: Option<(&RunId, Option<&str>)>,
    ) -> Result<(), StoreError> {
        if found.is_none() && run.is_none() || !self.sees_conversation(found, run) {
            return Err(no_conversation());
        }
        let Some((run, owner)) = run else {
            return Ok(());
        };
        let message = "a run is using the conversation: wait for its end, or abandon it";
        let error = StoreError::new(StoreErrorKind::InUse, message);
        Err(if self.sees(owner) {
            error.with_run(run)
        } else {
            error
        })
    }

    /// Returns true if a conversation is there for the operation, or nothing is. A new one is that of the run that begins it.
    fn sees_conversation(
        self,
        found: Option<(Option<&str>, u64)>,
        run: Option<(&RunId, Option<&str>)>,
    ) -> bool {
        match (found, run) {
            (Some((owner, _)), _) | (None, Some((_, owner))) => self.sees(owner),
            (None, None) => true,
        }
    }
}

/// The scope of an owner; `None` is the application.
impl<'a> From<Option<&'a str>> for Scope<'a> {
    fn from(owner: Option<&'a str>) -> Self {
        owner.map_or(Self::All, Self::Owner)
    }
}

/// The error of a conversation that is not there.
fn no_conversation() -> StoreError {
    StoreError::new(StoreErrorKind::NotFound, "the conversation does not exist")
}

//! The phase that a run is in.

use super::{CallId, Finish, ModelCall, round::Round};
use crate::model::ModelError;

/// The phase that a run is in: its next step follows from it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Phase {
    /// The model is to be called, or is being called.
    Model(ModelCall),
    /// The model call has failed so, and is to be made again after a wait.
    Waiting(ModelCall, ModelError),
    /// Calls are to be run, or are running.
    Tools(Round),
    /// The end of the run is decided, and not yet recorded.
    Decided(Finish),
    /// The run is over.
    Finished(Finish),
}

impl Phase {
    /// The model call that is to be made, or made again after a wait.
    pub(super) fn model_call(&self) -> Option<ModelCall> {
        match self {
            Self::Model(call) | Self::Waiting(call, _) => Some(*call),
            Self::Tools(_) | Self::Decided(_) | Self::Finished(_) => None,
        }
    }

    /// Returns true if a summary comes next of what is no longer sent.
    pub(super) fn is_summarizing(&self) -> bool {
        self.model_call() == Some(ModelCall::Compact)
    }

    /// Returns true until the end of the run is decided.
    pub(super) fn is_under_way(&self) -> bool {
        !matches!(self, Self::Decided(_) | Self::Finished(_))
    }

    /// The round whose calls are under way.
    pub(super) fn round(&self) -> Option<&Round> {
        match self {
            Self::Tools(round) => Some(round),
            _ => None,
        }
    }

    /// The round of a call, if it is under way.
    pub(super) fn round_of(&self, call: CallId) -> Option<&Round> {
        self.round().filter(|round| round.number() == call.round)
    }
}

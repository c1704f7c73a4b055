//! Steps that somebody takes from outside while a run is under way: messages for the model, and an end after the round.

use super::{Cancel, Phase, State};
use crate::run::{Finish, correction::Corrections};

impl State {
    /// Puts the messages that wait into the conversation, where the next request has them.
    pub(super) fn read_pushed(&mut self) {
        for message in self.pushed.drain(..) {
            self.pushed_read += 1;
            self.conversation.push_user(message);
        }
    }

    /// Ends the run, unless somebody has said more meanwhile: that is answered as well.
    pub(super) fn conclude(&mut self, finish: Finish) {
        if finish != Finish::Answered || self.pushed.is_empty() || self.cancel != Cancel::None {
            self.phase = Phase::Decided(finish);
            return;
        }
        self.pauses = 0;
        self.corrections = Corrections::default();
        self.ask();
    }
}

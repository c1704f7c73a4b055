//! The messages that the user has sent while the run is under way.

use super::faults::{Fault, has};
use crate::{Conversation, UserMessage};

/// The messages that the user has sent while the run is under way. The model receives them with the next request.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Pushed {
    unread: Vec<UserMessage>,
    /// The number of messages that are in the conversation.
    read: u32,
}

impl Pushed {
    pub(super) fn push(&mut self, message: UserMessage) {
        self.unread.push(message);
    }

    /// Puts the messages that wait into the conversation, where the next request has them.
    pub(super) fn read_into(&mut self, conversation: &mut Conversation) {
        for message in self.unread.drain(..) {
            self.read += 1;
            if !has(Fault::LosesPushed) {
                conversation.push_user(message);
            }
        }
    }

    /// The messages that no request has had.
    pub(super) fn unread(&self) -> &[UserMessage] {
        &self.unread
    }

    pub(super) fn read(&self) -> u32 {
        self.read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_once_and_in_its_place() {
        let (mut pushed, mut conversation) = (Pushed::default(), Conversation::new());
        for text in ["one", "two"] {
            pushed.push(text.into());
        }
        assert_eq!((pushed.unread().len(), pushed.read()), (2, 0));
        for _ in 0..2 {
            pushed.read_into(&mut conversation);
            assert_eq!((pushed.unread(), pushed.read()), (&[][..], 2));
        }
        let mut expected = Conversation::new();
        expected.push_user("one");
        expected.push_user("two");
        assert_eq!(conversation, expected);
    }
}

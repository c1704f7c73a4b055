//! A conversation that several tasks use.

use std::{
    fmt,
    ops::{Deref, DerefMut},
    sync::Arc,
};

use tokio::sync::{Mutex as Queue, OwnedMutexGuard};

use toolwright_core::{Conversation, driver::Mutex};

/// A conversation that several tasks share. Its runs take [turns](Self::turn), in the order of the requests for a turn.
/// Reading does not wait.
///
/// Cheap to clone; clones are the same conversation. It exists only in this process: to share a conversation between
/// processes in a store, see [`RunRequest::within`](crate::RunRequest::within).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ModelResponse, Runner, runner::SharedConversation, testing::ScriptedModel};
///
/// let model = ScriptedModel::new(["One.", "Two."].map(ModelResponse::from_text));
/// let runner = Runner::builder(model).build()?;
/// let chat = SharedConversation::default();
/// let ask = async |question| {
///     let mut turn = chat.turn().await;
///     runner.request(question).within(&mut turn).run().await
/// };
/// let (first, second) = tokio::join!(ask("Count."), ask("Go on."));
/// assert_eq!((&*first?.text, &*second?.text), ("One.", "Two."));
/// assert_eq!(chat.snapshot().messages().len(), 4);
/// # Ok(()) }
/// ```
#[derive(Clone, Default)]
pub struct SharedConversation {
    latest: Arc<Mutex<Conversation>>,
    /// Whoever has it may change the conversation.
    queue: Arc<Queue<()>>,
}

impl SharedConversation {
    /// Shares a conversation.
    pub fn new(conversation: Conversation) -> Self {
        Self {
            latest: Arc::new(Mutex::new(conversation)),
            queue: Arc::default(),
        }
    }

    /// Returns the conversation as the last turn that is over has left it.
    pub fn snapshot(&self) -> Conversation {
        self.latest.lock().clone()
    }

    /// Waits for a turn. Turns come in the order of the requests.
    ///
    /// A task that holds a turn and waits for another one waits for ever.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future gives up the place in the queue.
    pub async fn turn(&self) -> ConversationTurn {
        let place = Arc::clone(&self.queue).lock_owned().await;
        ConversationTurn {
            conversation: self.snapshot(),
            shared: self.clone(),
            _place: place,
        }
    }
}

impl From<Conversation> for SharedConversation {
    fn from(conversation: Conversation) -> Self {
        Self::new(conversation)
    }
}

/// The turn of a task in a [`SharedConversation`]. It is the conversation, and [`RunRequest::within`](crate::RunRequest::within)
/// takes it as `&mut turn`. When it is dropped, the others see what became of it.
#[must_use = "the turn is over when it is dropped"]
pub struct ConversationTurn {
    conversation: Conversation,
    shared: SharedConversation,
    _place: OwnedMutexGuard<()>,
}

impl Deref for ConversationTurn {
    type Target = Conversation;

    fn deref(&self) -> &Conversation {
        &self.conversation
    }
}

impl DerefMut for ConversationTurn {
    fn deref_mut(&mut self) -> &mut Conversation {
        &mut self.conversation
    }
}

impl Drop for ConversationTurn {
    fn drop(&mut self) {
        let conversation = std::mem::take(&mut self.conversation);
        let before = std::mem::replace(&mut *self.shared.latest.lock(), conversation);
        // Its parts are dropped when the lock is free.
        drop(before);
    }
}

impl fmt::Debug for SharedConversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.latest.lock().fmt(f)
    }
}

impl fmt::Debug for ConversationTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.conversation.fmt(f)
    }
}

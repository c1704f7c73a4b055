//! The newest versions of conversations that a runner has read or written last.

use std::sync::Arc;

use crate::store::{ConversationId, ConversationVersion, Scope, Store};
use toolwright_core::{
    Conversation,
    driver::{Change, Mutex},
    run::StoreError,
};

/// The most conversations that are known.
const MOST: usize = 64;

/// The most bytes of their texts.
const MOST_BYTES: usize = 16 << 20;

/// The newest versions of conversations that a runner has read or written last, so that a turn reads what is new since. The
/// store is asked for the version all the same: what is known is taken only if that is still there.
#[derive(Default)]
pub(in crate::runner) struct Known(
    /// The one that was used last is the last one.
    Mutex<Vec<(ConversationId, Arc<Version>)>>,
);

/// A version of a conversation that is stored, and the conversation that it is.
pub(super) struct Version {
    stored: ConversationVersion,
    conversation: Conversation,
    /// The bytes of its text and of those before.
    bytes: usize,
}

impl Known {
    /// Learns a version that was read or written. A version without a known predecessor is not cached, because its
    /// length is not known.
    pub(super) fn learn_next(
        &self,
        id: &ConversationId,
        stored: ConversationVersion,
        conversation: Conversation,
    ) {
        let before = self
            .get(id)
            .map(|known| (known.stored.version, known.bytes));
        match (before, stored.version) {
            (_, 1) => self.learn(id, stored, conversation, 0),
            (Some((number, bytes)), version) if number.checked_add(1) == Some(version) => {
                self.learn(id, stored, conversation, bytes);
            }
            _ => self.forget(id),
        }
    }

    fn learn(
        &self,
        id: &ConversationId,
        stored: ConversationVersion,
        conversation: Conversation,
        before: usize,
    ) {
        let bytes = before.saturating_add(stored.text.len());
        // Without a mark another conversation could look the same.
        if bytes > MOST_BYTES || !Change::is_marked(&stored.text) {
            return self.forget(id);
        }
        let version = Version {
            stored,
            conversation,
            bytes,
        };
        let mut gone = Vec::new();
        let mut all = self.0.lock();
        all.retain(|(other, _)| other != id);
        all.push((id.clone(), Arc::new(version)));
        let sum = |all: &[(_, Arc<Version>)]| all.iter().map(|(_, it)| it.bytes).sum::<usize>();
        while all.len() > MOST || sum(&all) > MOST_BYTES {
            gone.push(all.remove(0));
        }
        // They are dropped when the lock is free.
        drop(all);
    }

    /// The newest version of a conversation, and its number; 0 and an empty one if there is none in the scope.
    pub(super) async fn newest(
        &self,
        store: &dyn Store,
        scope: Scope<'_>,
        id: &ConversationId,
    ) -> Result<(u64, Conversation), StoreError> {
        if let Some(known) = self.get(id) {
            let number = known.stored.version;
            // With the version that is known: it is another one after the conversation was deleted and created
            // again.
            let versions = store.conversation(scope, id, number.saturating_sub(1), None);
            let versions = versions.await?;
            if let Some((first, more)) = versions.split_first()
                && *first == known.stored
            {
                return self.join(id, (&known.conversation, number, known.bytes), more);
            }
            self.forget(id);
        }
        let versions = store.conversation(scope, id, 0, None).await?;
        self.join(id, (&Conversation::new(), 0, 0), &versions)
    }

    fn join(
        &self,
        id: &ConversationId,
        (known, number, bytes): (&Conversation, u64, usize),
        more: &[ConversationVersion],
    ) -> Result<(u64, Conversation), StoreError> {
        let conversation = ConversationVersion::join_to(known, number, more)?;
        let Some((newest, others)) = more.split_last() else {
            return Ok((number, conversation));
        };
        let others = others.iter().map(|version| version.text.len());
        let before = bytes.saturating_add(others.sum());
        self.learn(id, newest.clone(), conversation.clone(), before);
        Ok((newest.version, conversation))
    }

    fn get(&self, id: &ConversationId) -> Option<Arc<Version>> {
        let mut all = self.0.lock();
        let place = all.iter().position(|(other, _)| other == id)?;
        let known = all.remove(place);
        let version = Arc::clone(&known.1);
        all.push(known);
        Some(version)
    }

    fn forget(&self, id: &ConversationId) {
        self.0.lock().retain(|(other, _)| other != id);
    }
}

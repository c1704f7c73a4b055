//! Conversations in memory.

use std::{collections::BTreeMap, time::SystemTime};

use crate::store::{
    ConversationId, ConversationInfo, ConversationRef, ConversationVersion, Page, StoreError,
    StoreErrorKind, page,
};
use toolwright_core::run::RunId;

#[derive(Default)]
pub(super) struct Conversations(BTreeMap<ConversationId, Kept>);

/// A conversation, or the lock of one that is not there yet.
#[derive(Default)]
struct Kept {
    owner: Option<String>,
    /// The texts of its versions; the first is version 1.
    texts: Vec<String>,
    saved: Option<SystemTime>,
    /// The run that continues it.
    locked_by: Option<RunId>,
}

impl Kept {
    fn version(&self) -> u64 {
        self.texts.len() as u64
    }
}

impl Conversations {
    /// Locks a conversation for a run that continues this version of it.
    pub(super) fn lock(
        &mut self,
        continued: &ConversationRef,
        run: &RunId,
    ) -> Result<(), StoreError> {
        let kept = self.0.get(&continued.id);
        if let Some(other) = kept.and_then(|kept| kept.locked_by.as_ref()) {
            return Err(StoreError::conversation_busy(other));
        }
        let version = kept.map_or(0, Kept::version);
        if version != continued.version {
            return Err(StoreError::outdated(version));
        }
        let kept = self.0.entry(continued.id.clone()).or_default();
        kept.locked_by = Some(run.clone());
        Ok(())
    }

    /// Frees a conversation, if this run locks it. One that was never saved is gone.
    pub(super) fn unlock(&mut self, id: &ConversationId, run: &RunId) {
        if let Some(kept) = self.0.get_mut(id)
            && kept.locked_by.as_ref() == Some(run)
        {
            kept.locked_by = None;
            if kept.texts.is_empty() {
                self.0.remove(id);
            }
        }
    }

    pub(super) fn check_free(&self, id: &ConversationId) -> Result<(), StoreError> {
        let locked_by = self.0.get(id).and_then(|kept| kept.locked_by.as_ref());
        locked_by.map_or(Ok(()), |run| Err(StoreError::conversation_busy(run)))
    }

    /// Adds the next version.
    pub(super) fn save(
        &mut self,
        id: &ConversationId,
        owner: Option<&str>,
        version: &ConversationVersion,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        let newest = self.0.get(id).map_or(0, Kept::version);
        if newest.checked_add(1) != Some(version.version) {
            return Err(StoreError::outdated(newest));
        }
        let kept = self.0.entry(id.clone()).or_default();
        if newest == 0 {
            kept.owner = owner.map(str::to_owned);
        }
        kept.texts.push(version.text.clone());
        kept.saved = Some(now);
        Ok(())
    }

    pub(super) fn load(
        &self,
        id: &ConversationId,
        after: u64,
        up_to: Option<u64>,
    ) -> Vec<ConversationVersion> {
        let Some(kept) = self.0.get(id).filter(|kept| kept.version() > after) else {
            return Vec::new();
        };
        let texts = usize::try_from(after).map_or(&[][..], |after| &kept.texts[after..]);
        let versions = (after + 1..).zip(texts);
        versions
            .take_while(|(version, _)| up_to.is_none_or(|up_to| *version <= up_to))
            .map(|(version, text)| {
                ConversationVersion::new(version, text).of_owner(kept.owner.clone())
            })
            .collect()
    }

    pub(super) fn list(
        &self,
        owner: Option<&str>,
        after: Option<&str>,
        limit: usize,
    ) -> Page<ConversationInfo> {
        let saved = self.0.iter().filter_map(|(id, kept)| {
            let saved = kept.saved?;
            let is_of = owner.is_none_or(|owner| kept.owner.as_deref() == Some(owner));
            is_of.then(|| {
                let key = page::key(saved, id.as_str());
                let version = kept.version();
                let info = ConversationInfo::new(id.clone(), kept.owner.clone(), version, saved);
                (key, info)
            })
        });
        let mut saved: Vec<_> = saved.collect();
        saved.sort_by(|(a, _), (b, _)| b.cmp(a));
        page::page(saved, after, limit)
    }

    /// Deletes those that were saved before a time and that no run continues; gives their number.
    pub(super) fn delete_before(&mut self, time: SystemTime) -> u64 {
        let before = self.0.len();
        self.0.retain(|_, kept| {
            kept.locked_by.is_some() || kept.saved.is_none_or(|saved| saved >= time)
        });
        (before - self.0.len()) as u64
    }

    pub(super) fn delete(&mut self, id: &ConversationId) -> Result<(), StoreError> {
        match self.0.get(id) {
            Some(kept) if kept.locked_by.is_some() => {
                let message = "a run that is not over is using the conversation";
                Err(StoreError::new(StoreErrorKind::InUse, message))
            }
            Some(_) => {
                self.0.remove(id);
                Ok(())
            }
            None => Err(StoreError::new(
                StoreErrorKind::NotFound,
                "the conversation does not exist",
            )),
        }
    }
}

//! Conversations in memory.

use std::{collections::BTreeMap, time::SystemTime};

use crate::store::{
    ConversationId, ConversationInfo, ConversationVersion, Page, RunInfo, Scope, StoreError, page,
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
    /// The run that continues it, and its owner.
    locked_by: Option<(RunId, Option<String>)>,
}

impl Kept {
    fn version(&self) -> u64 {
        self.texts.len() as u64
    }

    /// Its owner and its newest version, if it has one.
    fn saved(&self) -> Option<(Option<&str>, u64)> {
        (!self.texts.is_empty()).then(|| (self.owner.as_deref(), self.version()))
    }

    /// The run that continues it, and its owner.
    fn run(&self) -> Option<(&RunId, Option<&str>)> {
        let run = self.locked_by.as_ref();
        run.map(|(run, owner)| (run, owner.as_deref()))
    }
}

impl Conversations {
    /// Locks the conversation that a run continues, if it continues one.
    pub(super) fn lock(&mut self, run: &RunInfo) -> Result<(), StoreError> {
        let Some(continued) = &run.conversation else {
            return Ok(());
        };
        let scope = run.owner.as_deref().into();
        self.check(scope, &continued.id, continued.version)?;
        let kept = self.0.entry(continued.id.clone()).or_default();
        kept.locked_by = Some((run.run_id.clone(), run.owner.clone()));
        Ok(())
    }

    /// Checks that a version may be saved that comes from elsewhere.
    pub(super) fn check_next(
        &self,
        scope: Scope<'_>,
        id: &ConversationId,
        version: u64,
    ) -> Result<(), StoreError> {
        // There is no version 0, which a new conversation would follow.
        self.check(scope, id, version.checked_sub(1).unwrap_or(u64::MAX))
    }

    fn check(&self, scope: Scope<'_>, id: &ConversationId, version: u64) -> Result<(), StoreError> {
        let kept = self.0.get(id);
        scope.check_newest(
            kept.and_then(Kept::saved),
            kept.and_then(Kept::run),
            version,
        )
    }

    /// Checks that the run that locks a conversation may save a version of it.
    pub(super) fn check_newest(&self, id: &ConversationId, version: u64) -> Result<(), StoreError> {
        let newest = self.0.get(id).map_or(0, Kept::version);
        if newest.checked_add(1) == Some(version) {
            Ok(())
        } else {
            Err(StoreError::outdated(newest))
        }
    }

    /// Frees a conversation, if this run locks it. One that was never saved is gone.
    pub(super) fn unlock(&mut self, id: &ConversationId, run: &RunId) {
        if let Some(kept) = self.0.get_mut(id)
            && kept.locked_by.as_ref().is_some_and(|(by, _)| by == run)
        {
            kept.locked_by = None;
            if kept.texts.is_empty() {
                self.0.remove(id);
            }
        }
    }

    /// Adds the next version. A new conversation belongs to this owner.
    pub(super) fn save(
        &mut self,
        owner: Option<&str>,
        id: &ConversationId,
        version: &ConversationVersion,
        now: SystemTime,
    ) {
        let kept = self.0.entry(id.clone()).or_default();
        if kept.texts.is_empty() {
            kept.owner = owner.map(str::to_owned);
        }
        kept.texts.push(version.text.clone());
        kept.saved = Some(now);
    }

    pub(super) fn load(
        &self,
        scope: Scope<'_>,
        id: &ConversationId,
        after: u64,
        up_to: Option<u64>,
    ) -> Vec<ConversationVersion> {
        let kept = self.0.get(id).filter(|kept| kept.version() > after);
        let Some(kept) = kept.filter(|kept| scope.sees(kept.owner.as_deref())) else {
            return Vec::new();
        };
        let texts = usize::try_from(after).map_or(&[][..], |after| &kept.texts[after..]);
        let versions = (after + 1..).zip(texts);
        versions
            .take_while(|(version, _)| up_to.is_none_or(|up_to| *version <= up_to))
            .map(|(version, text)| ConversationVersion::new(version, text))
            .collect()
    }

    pub(super) fn list(
        &self,
        scope: Scope<'_>,
        after: Option<&str>,
        limit: usize,
    ) -> Page<ConversationInfo> {
        let saved = self.0.iter().filter_map(|(id, kept)| {
            let saved = kept.saved?;
            scope.sees(kept.owner.as_deref()).then(|| {
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

    pub(super) fn delete(
        &mut self,
        scope: Scope<'_>,
        id: &ConversationId,
    ) -> Result<(), StoreError> {
        let kept = self.0.get(id);
        scope.check_unused(kept.and_then(Kept::saved), kept.and_then(Kept::run))?;
        self.0.remove(id);
        Ok(())
    }
}

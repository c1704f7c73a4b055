//! Conversations, and the runs that continue them.

use std::time::{Duration, SystemTime};

use super::{
    disk::Survives,
    log::{GRACE, State},
    place::{Begun, Place},
    runs::is_damaged,
    talks::{Lock, Seen, Talk},
    turns::locked,
};
use crate::{
    random,
    run::RunId,
    store::{
        ConversationId, ConversationInfo, ConversationRef, ConversationVersion, Page, StoreError,
        StoreErrorKind, page,
    },
};

/// Who has a conversation now.
enum Owner {
    /// Nobody, by this lock.
    Nobody(Seen),
    Run(RunId),
    /// Somebody for a moment.
    Hand,
}

impl Place {
    /// Locks a conversation for a run, and lets the run begin: false if there is one of its id.
    pub(super) fn continuing(
        &self,
        continued: &ConversationRef,
        info: &Begun,
        begin: impl FnOnce() -> Result<bool, StoreError>,
    ) -> Result<bool, StoreError> {
        let folder = self.conversation(&continued.id);
        let turn = self.turn(&folder);
        let _turn = locked(&turn);
        self.disk.create_folder(&folder)?;
        let talk = self.talk(&folder);
        let check = || match talk.newest()? {
            version if version == continued.version => Ok(()),
            version => Err(StoreError::outdated(version)),
        };
        let lock = Lock::Run {
            run: info.info.run_id.clone(),
            birth: info.birth.clone(),
        };
        let taken = self.take_talk(&talk, &lock, check)?;
        // Somebody may have saved a version since it was looked at.
        let result = check().and_then(|()| begin());
        if !matches!(result, Ok(true)) {
            talk.lock_after(&taken, &Lock::Nobody)?;
        }
        result
    }

    /// Takes the lock of a conversation that nobody has.
    fn take_talk(
        &self,
        talk: &Talk<'_>,
        lock: &Lock,
        check: impl Fn() -> Result<(), StoreError>,
    ) -> Result<Seen, StoreError> {
        loop {
            match self.owner(talk)? {
                Owner::Run(run) => return Err(StoreError::conversation_busy(&run)),
                Owner::Hand => std::thread::sleep(Duration::from_millis(2)),
                Owner::Nobody(before) => {
                    check()?;
                    if let Some(taken) = talk.lock_after(&before, lock)? {
                        return Ok(taken);
                    }
                }
            }
        }
    }

    /// Finds out who has a conversation, and makes a version of what its last run saved.
    fn owner(&self, talk: &Talk<'_>) -> Result<Owner, StoreError> {
        let seen = talk.lock()?;
        let age = seen.since.map_or(Duration::MAX, |since| {
            let now = SystemTime::now();
            // A file from the future is that of a clock that was set back.
            let ahead = since.duration_since(now).unwrap_or_default();
            if ahead > GRACE {
                Duration::MAX
            } else {
                now.duration_since(since).unwrap_or_default()
            }
        });
        let Lock::Run { run, birth } = seen.lock.clone() else {
            let is_held = seen.lock == Lock::Hand && age < GRACE;
            return Ok(if is_held {
                Owner::Hand
            } else {
                Owner::Nobody(seen)
            });
        };
        let draft = self.draft_of(&birth);
        if self.disk.exists(&draft)? {
            // The run begins just now, or its process died before it did. The folder is renamed by one of the two.
            let gone = self.runs().join(format!(".deleted-{}", random::new_id()));
            if age < GRACE || !self.disk.rename(&draft, &gone)? {
                return Ok(Owner::Run(run));
            }
            self.disk.remove_folder(&gone);
            return Ok(Owner::Nobody(seen));
        }
        let folder = self.run(&run);
        let is_its = match self.info_in(&folder.path) {
            Ok(info) => info.is_some_and(|info| info.birth == birth),
            // Whose folder it is cannot be read: the run has the conversation until somebody gives it up.
            Err(error) if is_damaged(&error) => true,
            Err(error) => return Err(folder.named(error)),
        };
        if !is_its {
            return Ok(Owner::Nobody(seen));
        }
        let state = match folder.log().read(None) {
            Ok(Some(state)) => state,
            Ok(None) => return Ok(Owner::Nobody(seen)),
            Err(error) if is_damaged(&error) => return Ok(Owner::Run(run)),
            Err(error) => return Err(folder.named(error)),
        };
        if state.newest == state.token
            && let Some(saved) = &state.saved
        {
            talk.publish(saved, Survives::Power)?;
        }
        Ok(if state.is_over() {
            Owner::Nobody(seen)
        } else {
            Owner::Run(run)
        })
    }

    /// Does for the conversation of a run what its log says: the version that it saved is one, and a run that is over
    /// frees it.
    pub(super) fn settle(&self, info: &Begun, state: &State) -> Result<(), StoreError> {
        let Some(continued) = &info.info.conversation else {
            return Ok(());
        };
        let folder = self.conversation(&continued.id);
        let turn = self.turn(&folder);
        let _turn = locked(&turn);
        let talk = self.talk(&folder);
        let seen = talk.lock()?;
        let is_its = matches!(&seen.lock, Lock::Run { birth, .. } if *birth == info.birth);
        if is_its && let Some(saved) = &state.saved {
            talk.publish(saved, Survives::Power)?;
        }
        if is_its && state.status.is_over() {
            talk.lock_after(&seen, &Lock::Nobody)?;
        }
        Ok(())
    }

    pub(super) fn versions(
        &self,
        id: &ConversationId,
        up_to: Option<u64>,
    ) -> Result<Vec<ConversationVersion>, StoreError> {
        let folder = self.conversation(id);
        let turn = self.turn(&folder);
        let _turn = locked(&turn);
        let talk = self.talk(&folder);
        self.owner(&talk)?;
        talk.versions(up_to)
    }

    pub(super) fn save_conversation(
        &self,
        id: &ConversationId,
        owner: Option<&str>,
        version: &ConversationVersion,
    ) -> Result<(), StoreError> {
        let folder = self.conversation(id);
        let turn = self.turn(&folder);
        let _turn = locked(&turn);
        self.disk.create_folder(&folder)?;
        let talk = self.talk(&folder);
        let taken = self.take_talk(&talk, &Lock::Hand, || Ok(()))?;
        let saved = talk.save(id, owner, version);
        let freed = talk.lock_after(&taken, &Lock::Nobody);
        saved?;
        freed.map(drop)
    }

    pub(super) fn list_conversations(
        &self,
        owner: Option<&str>,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<ConversationInfo>, StoreError> {
        let (mut infos, mut damaged) = (Vec::new(), Vec::new());
        for name in self.disk.names(&self.conversations())?.unwrap_or_default() {
            let folder = self.conversations().join(&name);
            if name.starts_with('.') {
                continue;
            }
            let turn = self.turn(&folder);
            let _turn = locked(&turn);
            let talk = self.talk(&folder);
            // The process of a run may have died before it made a version of its draft.
            let settled = match talk.has_draft() {
                Ok(true) => self.owner(&talk).map(drop),
                has_none => has_none.map(drop),
            };
            match settled.and_then(|()| talk.info()) {
                Ok(info) => infos.extend(
                    info.filter(|info| owner.is_none_or(|it| info.owner.as_deref() == Some(it))),
                ),
                Err(error) if is_damaged(&error) => damaged.push(error),
                Err(error) => return Err(error),
            }
        }
        let infos = infos.into_iter();
        let mut infos: Vec<_> = infos
            .map(|it| (page::key(it.saved, it.id.as_str()), it))
            .collect();
        infos.sort_by(|(a, _), (b, _)| b.cmp(a));
        // When they were saved is not known.
        damaged.retain(|_| after.is_none());
        Ok(page::page(infos, after, limit).with_damaged(damaged))
    }

    /// Deletes a conversation that no run continues, if a check of it succeeds. Nobody changes it meanwhile.
    pub(super) fn delete_conversation(
        &self,
        id: &ConversationId,
        check: impl Fn(&Talk<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let folder = self.conversation(id);
        let turn = self.turn(&folder);
        let _turn = locked(&turn);
        let none = || StoreError::new(StoreErrorKind::NotFound, "there is no such conversation");
        if !self.disk.exists(&folder)? {
            return Err(none());
        }
        let talk = self.talk(&folder);
        let taken = self.take_talk(&talk, &Lock::Hand, || match talk.newest()? {
            0 => Err(none()),
            _ => check(&talk),
        });
        taken.map_err(|error| match error.kind {
            StoreErrorKind::ConversationBusy => {
                let message = "a run that is not over continues the conversation";
                StoreError::new(StoreErrorKind::InUse, message)
            }
            _ => error,
        })?;
        let gone = self
            .conversations()
            .join(format!(".deleted-{}", random::new_id()));
        if !self.disk.rename(&folder, &gone)? {
            return Err(none());
        }
        self.disk.sync_folder(&self.conversations())?;
        self.disk.remove_folder(&gone);
        Ok(())
    }
}

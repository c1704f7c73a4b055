//! Conversations: a folder for each, a file for each version, and locks.

use std::{
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};

use super::{
    disk::{Disk, Survives},
    line::{self, Saved},
    names::{self, Kind},
};
use crate::{
    run::RunId,
    store::{ConversationId, ConversationInfo, ConversationVersion, StoreError, StoreErrorKind},
};

/// What the names of drafts begin with.
const DRAFT: &str = "draft-";

/// A conversation in its folder.
#[derive(Clone, Copy)]
pub(super) struct Talk<'a> {
    pub(super) disk: &'a Disk,
    pub(super) folder: &'a Path,
}

/// A version as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    version: u32,
    conversation: ConversationId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<String>,
    number: u64,
    saved_ms: u64,
    text: String,
}

#[derive(Deserialize)]
struct Head {
    version: u32,
}

/// A lock as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    /// Its number; 0 if there is none.
    pub(super) number: u64,
    pub(super) lock: Lock,
    /// When it was written.
    pub(super) since: Option<SystemTime>,
}

/// Who has a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub(super) enum Lock {
    /// A run that continues it, until it is over; `birth` tells it from other runs of its id.
    Run { run: RunId, birth: String },
    /// Somebody who changes it without a run, for a moment.
    Hand,
    /// Nobody any more.
    Nobody,
}

fn parse<T: for<'de> Deserialize<'de>>(path: &Path, bytes: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes).map_err(|error| {
        let message = format!("{} is none of a conversation: {error}", path.display());
        StoreError::new(StoreErrorKind::Corrupt, message)
    })
}

impl Talk<'_> {
    fn path(&self, kind: Kind, number: u64) -> PathBuf {
        self.folder.join(names::numbered(kind, number))
    }

    fn draft(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{DRAFT}{id}.json"))
    }

    /// True if a run saves a version, or was about to.
    pub(super) fn has_draft(&self) -> Result<bool, StoreError> {
        let names = self.disk.names(self.folder)?.unwrap_or_default();
        Ok(names.iter().any(|name| name.starts_with(DRAFT)))
    }

    /// The greatest number of a kind of files; 0 if there is none.
    fn newest_of(&self, kind: Kind) -> Result<u64, StoreError> {
        let names = self.disk.names(self.folder)?.unwrap_or_default();
        let numbers = names.iter().filter_map(|name| names::number_of(kind, name));
        Ok(numbers.max().unwrap_or(0))
    }

    /// The newest version; 0 if there is none.
    pub(super) fn newest(&self) -> Result<u64, StoreError> {
        self.newest_of(Kind::Version)
    }

    fn read(&self, number: u64) -> Result<Stored, StoreError> {
        let path = self.path(Kind::Version, number);
        let Some(bytes) = self.disk.read(&path)? else {
            let message = format!(
                "version {number} of the conversation is missing: {}",
                path.display()
            );
            return Err(StoreError::new(StoreErrorKind::Corrupt, message));
        };
        let head: Head = parse(&path, &bytes)?;
        if head.version > line::VERSION {
            return Err(line::newer(head.version));
        }
        parse(&path, &bytes)
    }

    /// The versions up to this one, or all of them.
    pub(super) fn versions(
        &self,
        up_to: Option<u64>,
    ) -> Result<Vec<ConversationVersion>, StoreError> {
        let read = |number| {
            let stored = self.read(number)?;
            Ok(ConversationVersion::new(number, stored.text).of_owner(stored.owner))
        };
        self.with_newest(|newest| {
            let up_to = up_to.map_or(newest, |up_to| up_to.min(newest));
            (1..=up_to).map(read).collect()
        })
    }

    /// Reads versions up to the newest. What looks damaged because the conversation was deleted meanwhile is read anew.
    fn with_newest<T>(&self, read: impl Fn(u64) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut newest = self.newest()?;
        loop {
            match read(newest) {
                Err(error) if error.kind == StoreErrorKind::Corrupt => {
                    let now = self.newest()?;
                    if now == newest {
                        return Err(error);
                    }
                    newest = now;
                }
                read => return read,
            }
        }
    }

    /// What a list says of it; `None` while it has no version.
    pub(super) fn info(&self) -> Result<Option<ConversationInfo>, StoreError> {
        self.with_newest(|newest| {
            if newest == 0 {
                return Ok(None);
            }
            let stored = self.read(newest)?;
            let saved = line::from_ms(stored.saved_ms);
            let info = ConversationInfo::new(stored.conversation, stored.owner, newest, saved);
            Ok(Some(info))
        })
    }

    /// The bytes of the next version.
    fn next(
        &self,
        id: &ConversationId,
        owner: Option<&str>,
        version: &ConversationVersion,
    ) -> Result<Vec<u8>, StoreError> {
        let newest = self.newest()?;
        if newest.checked_add(1) != Some(version.version) {
            return Err(StoreError::outdated(newest));
        }
        // Its owner is that of the first version.
        let owner = if newest == 0 {
            owner.map(str::to_owned)
        } else {
            self.read(newest)?.owner
        };
        let stored = Stored {
            version: line::VERSION,
            conversation: id.clone(),
            owner,
            number: version.version,
            saved_ms: line::to_ms(SystemTime::now()),
            text: version.text.clone(),
        };
        let mut bytes = Vec::new();
        line::push(&mut bytes, &stored)?;
        Ok(bytes)
    }

    /// Writes the next version as a draft, which is no version yet.
    pub(super) fn write_draft(
        &self,
        id: &ConversationId,
        owner: Option<&str>,
        version: &ConversationVersion,
        survives: Survives,
    ) -> Result<Saved, StoreError> {
        let bytes = self.next(id, owner, version)?;
        let draft = crate::random::new_id();
        self.disk.write(&self.draft(&draft), &bytes, survives)?;
        if survives == Survives::Power {
            self.disk.sync_folder(self.folder)?;
        }
        Ok(Saved {
            version: version.version,
            draft,
        })
    }

    /// Makes a version of a draft, if it is none yet.
    pub(super) fn publish(&self, saved: &Saved, survives: Survives) -> Result<(), StoreError> {
        let (draft, path) = (
            self.draft(&saved.draft),
            self.path(Kind::Version, saved.version),
        );
        if self.disk.exists(&path)? {
            return Ok(());
        }
        self.disk.link(&draft, &path)?;
        if survives == Survives::Power {
            self.disk.sync_folder(self.folder)?;
        }
        self.disk.remove_file(&draft);
        Ok(())
    }

    pub(super) fn drop_draft(&self, saved: &Saved) {
        self.disk.remove_file(&self.draft(&saved.draft));
    }

    /// Saves the next version.
    pub(super) fn save(
        &self,
        id: &ConversationId,
        owner: Option<&str>,
        version: &ConversationVersion,
    ) -> Result<(), StoreError> {
        let bytes = self.next(id, owner, version)?;
        let path = self.path(Kind::Version, version.version);
        if self.disk.put(&path, &bytes, Survives::Power)? {
            return Ok(());
        }
        Err(StoreError::outdated(self.newest()?))
    }

    /// The newest lock.
    pub(super) fn lock(&self) -> Result<Seen, StoreError> {
        loop {
            let number = self.newest_of(Kind::Lock)?;
            // Whoever takes the next lock removes this one.
            if let Some(seen) = self.lock_of(number)? {
                return Ok(seen);
            }
        }
    }

    /// The lock of a number; `None` if it is gone.
    fn lock_of(&self, number: u64) -> Result<Option<Seen>, StoreError> {
        if number == 0 {
            let (lock, since) = (Lock::Nobody, None);
            return Ok(Some(Seen {
                number,
                lock,
                since,
            }));
        }
        let path = self.path(Kind::Lock, number);
        let Some(bytes) = self.disk.read(&path)? else {
            return Ok(None);
        };
        Ok(Some(Seen {
            number,
            lock: parse(&path, &bytes)?,
            since: self.disk.changed(&path)?,
        }))
    }

    /// Puts a lock after one that was read; `None` if somebody else was faster.
    pub(super) fn lock_after(
        &self,
        before: &Seen,
        lock: &Lock,
    ) -> Result<Option<Seen>, StoreError> {
        let mut bytes = Vec::new();
        line::push(&mut bytes, lock)?;
        let next = before.number.saturating_add(1);
        let path = self.path(Kind::Lock, next);
        // The conversation may have been deleted since, and begun anew, with locks that have lesser numbers.
        let is_there =
            || Ok::<_, StoreError>(self.lock_of(before.number)?.as_ref() == Some(before));
        if !is_there()? || !self.disk.put(&path, &bytes, Survives::Power)? {
            return Ok(None);
        }
        let follows = is_there()?;
        if follows && before.number > 0 {
            self.disk.remove_file(&self.path(Kind::Lock, before.number));
        }
        // A lock of this number may have come and gone since the one before was looked at.
        if !follows || self.newest_of(Kind::Lock)? != next {
            self.disk.remove_file(&path);
            return Ok(None);
        }
        Ok(Some(Seen {
            number: next,
            lock: lock.clone(),
            since: self.disk.changed(&path)?,
        }))
    }
}

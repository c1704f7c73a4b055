//! The file system, with what is synced and what is not.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    path::Path,
    time::SystemTime,
};

#[cfg(test)]
pub(super) mod power;

use crate::{
    random,
    store::{StoreError, StoreErrorKind},
};

/// A file system. In tests it can lose what was not synced, and fail.
#[derive(Debug, Clone, Default)]
pub(super) struct Disk {
    #[cfg(test)]
    pub(super) power: power::Power,
}

type Result<T> = std::result::Result<T, StoreError>;

/// How much a write survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Survives {
    /// The end of the process.
    Process,
    /// A loss of power.
    Power,
}

fn failed(what: &str, path: &Path, error: &io::Error) -> StoreError {
    let message = format!("{} cannot be {what}: {error}", path.display());
    StoreError::new(StoreErrorKind::Unavailable, message)
}

fn is_gone(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// True if something is in a folder, apart from what is under way.
fn is_used(folder: &Path) -> bool {
    let is_whole = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
    };
    fs::read_dir(folder).is_ok_and(|mut names| names.any(is_whole))
}

#[allow(
    clippy::unused_self,
    reason = "in tests it knows what is synced, and fails"
)]
impl Disk {
    /// The bytes of a file from this one on; `None` if there is no such file.
    pub(super) fn read_from(&self, path: &Path, from: u64) -> Result<Option<Vec<u8>>> {
        self.read_part(path, from, u64::MAX)
    }

    /// So many bytes of a file from this one on; `None` if there is no such file.
    pub(super) fn read_part(&self, path: &Path, from: u64, len: u64) -> Result<Option<Vec<u8>>> {
        #[cfg(test)]
        self.power.look();
        let read = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(from))?;
            let mut bytes = Vec::new();
            file.take(len).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        match read() {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(failed("read", path, &error)),
        }
    }

    pub(super) fn read(&self, path: &Path) -> Result<Option<Vec<u8>>> {
        self.read_from(path, 0)
    }

    /// The names of what is in a folder; `None` if there is no such folder.
    pub(super) fn names(&self, folder: &Path) -> Result<Option<Vec<String>>> {
        let read = || {
            fs::read_dir(folder)?
                .map(|entry| Ok(entry?.file_name().into_string().ok()))
                .collect::<io::Result<Vec<_>>>()
        };
        match read() {
            // A name that is no text is none of ours.
            Ok(names) => Ok(Some(names.into_iter().flatten().collect())),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(failed("read", folder, &error)),
        }
    }

    pub(super) fn exists(&self, path: &Path) -> Result<bool> {
        path.try_exists()
            .map_err(|error| failed("read", path, &error))
    }

    /// The time when a file or folder was changed; `None` if it is gone.
    pub(super) fn changed(&self, path: &Path) -> Result<Option<SystemTime>> {
        match fs::metadata(path).and_then(|it| it.modified()) {
            Ok(changed) => Ok(Some(changed)),
            Err(error) if is_gone(&error) => Ok(None),
            Err(error) => Err(failed("read", path, &error)),
        }
    }

    /// Creates a folder with those that it is in, unless it is there, and makes its name survive a loss of power.
    pub(super) fn create_folder(&self, folder: &Path) -> Result<()> {
        let Some(parent) = folder.parent() else {
            return Ok(());
        };
        let parent = if parent.as_os_str().is_empty() {
            Path::new(".")
        } else {
            parent
        };
        // Whoever put something into it has synced its name before. Whoever has only made it may have died since.
        if is_used(folder) {
            return Ok(());
        }
        self.create_folder(parent)?;
        match self.may_fail().and_then(|()| fs::create_dir(folder)) {
            Ok(()) => self.sync_folder(parent),
            Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => {
                // The folder that it is in may be one that nobody may sync, such as that of a mount.
                let _ = self.sync_folder(parent);
                Ok(())
            }
            Err(error) => Err(failed("created", folder, &error)),
        }
    }

    /// Creates a folder that nobody knows yet, with the one that it is in.
    pub(super) fn create_draft_folder(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).map_err(|error| failed("created", folder, &error))
    }

    /// Creates an empty file; false if there is one.
    pub(super) fn create_new(&self, path: &Path) -> Result<bool> {
        let create = || OpenOptions::new().write(true).create_new(true).open(path);
        match self.may_fail().and_then(|()| create()) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(failed("created", path, &error)),
        }
    }

    /// Writes a file that nobody knows yet.
    pub(super) fn write(&self, path: &Path, bytes: &[u8], survives: Survives) -> Result<()> {
        let write = || {
            self.may_fail()?;
            let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
            file.write_all(bytes)?;
            self.sync(&file, path, survives)
        };
        write().map_err(|error| failed("written", path, &error))
    }

    /// Adds to the first bytes of a file, so many of them, and drops what is behind them. What fails leaves these.
    pub(super) fn append(&self, path: &Path, after: u64, bytes: &[u8]) -> Result<()> {
        let append = || {
            // Not to append: a file that is open for that alone cannot be cut everywhere.
            let mut file = OpenOptions::new().write(true).open(path)?;
            let len = file.metadata()?.len();
            if len < after {
                return Err(io::Error::other("it is shorter than before"));
            }
            if len > after {
                file.set_len(after)?;
            }
            file.seek(SeekFrom::Start(after))?;
            let written = self.may_fail().and_then(|()| file.write_all(bytes));
            if written.is_err() {
                // Half of an append counts for nothing, and is dropped before the next one as well.
                let _ = file.set_len(after);
            }
            written
        };
        append().map_err(|error| failed("written", path, &error))
    }

    /// Drops what is behind the first bytes of a file, so many of them.
    pub(super) fn cut(&self, path: &Path, len: u64) -> Result<()> {
        let cut = || {
            self.may_fail()?;
            OpenOptions::new().write(true).open(path)?.set_len(len)
        };
        cut().map_err(|error| failed("written", path, &error))
    }

    /// Makes what was written to a file survive a loss of power.
    pub(super) fn sync_file(&self, path: &Path) -> Result<()> {
        let sync = || {
            let file = OpenOptions::new().write(true).open(path)?;
            self.sync(&file, path, Survives::Power)
        };
        sync().map_err(|error| failed("synced", path, &error))
    }

    fn sync(&self, file: &File, path: &Path, survives: Survives) -> io::Result<()> {
        if survives == Survives::Power {
            #[cfg(test)]
            self.power.sync_file(file, path)?;
            file.sync_data()?;
        }
        let _ = path;
        Ok(())
    }

    /// Makes the names in a folder survive a loss of power.
    pub(super) fn sync_folder(&self, folder: &Path) -> Result<()> {
        #[cfg(test)]
        let synced = self.power.sync_folder(folder);
        #[cfg(not(test))]
        let synced = Ok(());
        // Other systems write names by themselves, and cannot open a folder.
        #[cfg(unix)]
        let synced = synced.and_then(|()| File::open(folder)?.sync_all());
        synced.map_err(|error| failed("synced", folder, &error))
    }

    /// Puts a file with its whole content under a name; false if there is one of that name.
    pub(super) fn put(&self, path: &Path, bytes: &[u8], survives: Survives) -> Result<bool> {
        let Some(folder) = path.parent() else {
            return Ok(false);
        };
        let draft = folder.join(format!(".new-{}", random::new_id()));
        self.write(&draft, bytes, survives)?;
        let put = self.link(&draft, path);
        self.remove_file(&draft);
        let put = put?;
        if put && survives == Survives::Power {
            self.sync_folder(folder)?;
        }
        Ok(put)
    }

    /// Gives a file one more name; false if that is taken.
    pub(super) fn link(&self, from: &Path, to: &Path) -> Result<bool> {
        match self.may_fail().and_then(|()| fs::hard_link(from, to)) {
            Ok(()) => {
                #[cfg(test)]
                self.power.link(from, to);
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(failed("created", to, &error)),
        }
    }

    /// Renames a folder; false if it is gone or the name is taken.
    pub(super) fn rename(&self, from: &Path, to: &Path) -> Result<bool> {
        match self.may_fail().and_then(|()| fs::rename(from, to)) {
            Ok(()) => {
                #[cfg(test)]
                self.power.rename(from, to);
                Ok(true)
            }
            Err(error)
                if is_gone(&error)
                    || matches!(
                        error.kind(),
                        ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty
                    ) =>
            {
                Ok(false)
            }
            Err(error) => Err(failed("renamed", from, &error)),
        }
    }

    /// Removes a file that nobody needs any more. One that stays does no harm.
    pub(super) fn remove_file(&self, path: &Path) {
        let _ = self.may_fail().and_then(|()| fs::remove_file(path));
    }

    /// Removes a folder that nobody needs any more. One that stays does no harm.
    pub(super) fn remove_folder(&self, folder: &Path) {
        let _ = self.may_fail().and_then(|()| fs::remove_dir_all(folder));
    }

    #[allow(clippy::unnecessary_wraps, reason = "it fails in tests")]
    fn may_fail(&self) -> io::Result<()> {
        #[cfg(test)]
        self.power.step()?;
        Ok(())
    }
}

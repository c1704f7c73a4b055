//! Where a database is: the files that were opened, and whether they are still there.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use toolwright_runtime::store::StoreError;

use crate::failure::unavailable;

/// The files of a database that is open. SQLite goes on with files that were deleted, and what is written then is lost:
/// so each answer waits for a look at them.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    path: PathBuf,
    files: Vec<(PathBuf, Identity)>,
}

impl Place {
    /// The files of a database that is open.
    pub(super) fn of_open(path: &Path) -> Result<Self, StoreError> {
        let path = fs::canonicalize(path).map_err(|error| gone(path, &error))?;
        let mut log = OsString::from(&path);
        log.push("-wal");
        let mut files = Vec::new();
        for file in [path.clone(), log.into()] {
            let identity = identity(&file).map_err(|error| gone(&file, &error))?;
            files.push((file, identity));
        }
        Ok(Self { path, files })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Checks that the files are those that were opened.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        for (file, opened) in &self.files {
            match identity(file) {
                Ok(found) if found == *opened => {}
                Ok(_) => {
                    let file = file.display();
                    let why = format!("{file} was replaced by another file: open the store again");
                    return Err(unavailable(why));
                }
                Err(error) => return Err(gone(file, &error)),
            }
        }
        Ok(())
    }
}

fn gone(file: &Path, error: &io::Error) -> StoreError {
    let file = file.display();
    let why = format!("{file} was removed: restore it, and open the store again ({error})");
    unavailable(why)
}

#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(file: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt;

    fs::metadata(file).map(|data| (data.dev(), data.ino()))
}

// Elsewhere a file that is open cannot be deleted.
#[cfg(not(unix))]
type Identity = ();

#[cfg(not(unix))]
fn identity(file: &Path) -> io::Result<Identity> {
    fs::metadata(file).map(drop)
}

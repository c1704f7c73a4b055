//! A folder of its own for each test.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
};

/// A folder that is deleted when this is dropped.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("toolwright-sqlite-{}-{number}", process::id());
        let path = env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("temporary files can be made");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// A file in it.
    pub(crate) fn file(&self) -> PathBuf {
        self.0.join("runs.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be deleted lies in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

//! A folder for the time of a test.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::postgres;

/// The folder of a test, for the processes that it starts.
pub(in crate::kept_runs) const FOLDER: &str = "TOOLWRIGHT_TEST_FOLDER";

/// A folder that is gone at the end of the test.
pub(in crate::kept_runs) struct Folder(PathBuf);

impl Folder {
    pub(in crate::kept_runs) fn new(name: &str) -> Self {
        let name = format!("toolwright-{}-{name}", std::process::id());
        let folder = env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("is written");
        Self(folder)
    }

    pub(in crate::kept_runs) fn path(&self) -> &Path {
        &self.0
    }

    /// The folder of the test that has started this process.
    pub(in crate::kept_runs) fn given() -> PathBuf {
        PathBuf::from(env::var_os(FOLDER).expect("other tests name a folder"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        postgres::forget(&self.0);
        let _ = fs::remove_dir_all(&self.0);
    }
}

//! A folder for the time of a test.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    random,
    store::{FileStore, files::disk::Disk},
    testing::store::Place,
};

/// A folder that is removed with its content.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Self {
        // Syncing a disk takes most of the time of a test. What is in memory is synced at once.
        let memory = PathBuf::from("/dev/shm");
        let parent = if memory.is_dir() {
            memory
        } else {
            std::env::temp_dir()
        };
        let folder = parent.join(format!("toolwright-files-{}", random::new_id()));
        fs::create_dir_all(&folder).expect("a temporary folder is created");
        let folder = folder.canonicalize().expect("the folder is there");
        Self(folder)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// A store that does not wait for those of other numbers.
    pub(super) async fn process(&self, number: u32) -> FileStore {
        let store = FileStore::open_on(self.0.clone(), Disk::default(), number);
        store.await.expect("a store is opened")
    }

    pub(super) async fn store_on(&self, disk: Disk) -> FileStore {
        let store = FileStore::open_on(self.0.clone(), disk, 0);
        store.await.expect("a store is opened")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Place for Folder {
    type Store = FileStore;

    async fn open(&self) -> FileStore {
        FileStore::open(&self.0).await.expect("a store is opened")
    }
}

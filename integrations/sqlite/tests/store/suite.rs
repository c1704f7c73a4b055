//! What holds for every store.

use toolwright::{store::SqliteStore, testing};

use crate::folder::Folder;

impl testing::store::Place for Folder {
    type Store = SqliteStore;

    async fn open(&self) -> SqliteStore {
        let opened = SqliteStore::open(self.file()).await;
        opened.expect("the folder is there")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_a_store() {
    testing::store::check_durable(async || Folder::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_in_memory_is_a_store() {
    let make = async || SqliteStore::in_memory().await.expect("there is memory");
    testing::store::check(make).await;
}

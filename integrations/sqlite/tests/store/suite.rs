//! What holds for every store.

use toolwright::store::SqliteStore;

use crate::folder::Folder;

impl toolwright_store_tests::Place for Folder {
    type Store = SqliteStore;

    async fn open(&self) -> SqliteStore {
        let opened = SqliteStore::open(self.file()).await;
        opened.expect("the folder is there")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_a_store() {
    toolwright_store_tests::check_durable(async || Folder::new()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_in_memory_is_a_store() {
    let make = async || SqliteStore::in_memory().await.expect("there is memory");
    toolwright_store_tests::check(make).await;
}

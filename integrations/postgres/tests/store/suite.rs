//! What holds for every store.

use std::sync::Arc;

use toolwright::{store::PostgresStore, testing};

use crate::database::Database;

impl testing::store::Place for Database {
    type Store = PostgresStore;

    async fn open(&self) -> PostgresStore {
        self.store().await
    }
}

pub(crate) async fn a_database_is_a_store(database: Arc<Database>) {
    testing::store::check_durable(async || database.another()).await;
}

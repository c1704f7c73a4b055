//! What holds for every store.

use std::sync::Arc;

use toolwright::store::PostgresStore;

use crate::database::Database;

impl toolwright_store_tests::Place for Database {
    type Store = PostgresStore;

    async fn open(&self) -> PostgresStore {
        self.store().await
    }
}

pub(crate) async fn a_database_is_a_store(database: Arc<Database>) {
    toolwright_store_tests::check_durable(async || database.another()).await;
}
